import type { LicenceObject } from '../../../../../contracts/data-licence.ts';

/** The parts of an OpenAPI 3.1 document that rookery writes. */
export interface OpenapiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly contact: { readonly name: string };
    readonly license: LicenceObject;
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  /** Requirements of which one has to be met. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, OpenapiResponse>>;
    readonly headers: Readonly<Record<string, OpenapiHeader>>;
  };
}

export interface SecurityScheme {
  readonly type: 'apiKey';
  readonly in: 'header';
  readonly name: string;
  readonly description: string;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly OperationParameter[];
  readonly responses: Readonly<Record<string, OpenapiResponse | Reference>>;
}

export interface OperationParameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly description: string;
  readonly style?: 'form';
  readonly explode?: true;
  readonly schema: JsonSchema;
}

export interface OpenapiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

export interface OpenapiHeader {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Reference {
  readonly $ref: string;
}

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 has them. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
}
