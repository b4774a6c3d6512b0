import type { FastifyInstance } from 'fastify';
import type { Sample } from '../../../contracts/sample.ts';
import type { Service } from '../../../contracts/service.ts';
import type { StartTable } from '../../../contracts/tools.ts';
import type { ToolVariant } from '../../../contracts/toolset-options.ts';
import type { Caller } from '../../base/auth/caller.ts';
import type { ToolContext } from '../live-tools/live-tools.ts';
import type { ServedDomain } from '../runtime/runtime.ts';

/** A tool as agents see it, independent of any provider's format. */
export interface ToolSpec {
  /** `^[a-zA-Z0-9_-]{1,64}$`, unique in its toolset. */
  readonly name: string;
  /** At most 1,024 characters. */
  readonly description: string;
  /** JSON Schema of the arguments: an object, without references. */
  readonly parameters: ObjectSchema;
}

/** A JSON Schema as far as tools use it: types, enums, objects, arrays, unions. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/** An object with named properties. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** An object that takes these properties and no others. */
export function closedObject(
  properties: ObjectSchema['properties'],
  required: readonly string[] = Object.keys(properties),
): ObjectSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The keys of rows, and the rows, in an answer. */
export const COLUMNS: ObjectSchema['properties'] = {
  columns: { type: 'array', items: { type: 'string' }, description: 'The keys of each row, in their order.' },
};
export const ROWS: ObjectSchema['properties'] = {
  data: {
    type: 'array',
    items: { type: 'object', additionalProperties: { type: ['string', 'number', 'null'] } },
    description: 'One object a row; empty when nothing fits.',
  },
  row_count: { type: 'integer', description: 'Number of rows in data.' },
  truncated: { type: 'boolean', description: 'True when there are more rows than data has.' },
};

/** An answer that has all of these properties. */
export function answerOf(properties: ObjectSchema['properties']): ObjectSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** A copy in which `change` has been applied to every schema, the inner ones first. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, anyOf, additionalProperties } = schema;
  const inner = (each: JsonSchema) => mapSchema(each, change);
  return change({
    ...schema,
    ...(properties ? { properties: mapValues(properties, inner) } : {}),
    ...(items ? { items: inner(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(inner) } : {}),
    ...(isMap(additionalProperties) ? { additionalProperties: inner(additionalProperties) } : {}),
  });
}

/** Whether additional properties are described, so that the object is a map. */
export function isMap(additional: JsonSchema['additionalProperties']): additional is JsonSchema {
  return typeof additional === 'object' && Object.keys(additional).length > 0;
}

/** The record with every value changed. */
export function mapValues<T, U>(
  record: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

/** The schema with more in its description. */
export function describeMore(schema: JsonSchema, more: string): JsonSchema {
  return { ...schema, description: schema.description === undefined ? more : `${schema.description}${more}` };
}

/** How a formulation is served: the other half of its contract in contracts/formulations/. */
export interface ServedFormulation {
  /** Adds the routes that carry out its calls, with the formulation's name as the `kind` of their configuration. */
  routes(app: FastifyInstance, context: ToolContext): void;
  /** The JSON text of what a call answers there. Throws what its route does. */
  answer(context: ToolContext, call: PlacedCall, asker: Caller): string | Promise<string>;
  /** The tools of a task that begins from the start tables; without any, those of the whole domain. */
  tools(service: Service, startTables: readonly StartTable[], view?: ToolView): readonly ToolSpec[];
  /** Where a running farm describes the tools of such a task, and how many there are. */
  toolset(service: Service, startTables: readonly StartTable[]): Sample['toolset'];
  /** The answer of the tool of that name. */
  answerSchema(service: Service, tool: string): ObjectSchema;
  /** The table that the tool of that name is mainly about; null where a tool works on any. */
  subjectOf(service: Service, tool: string): string | null;
  /** The OpenAPI 3.1 document of a domain: same service, same document. */
  openapi(service: Service): object;
  /**
   * The call that a request is; null when its address belongs to no call of this formulation. Throws the errors of
   * `readBody`.
   */
  readCall(service: Service | undefined, request: CallAddress): ServedCall | null;
}

/** A call of a tool of a domain, within the process. */
export interface DomainCall {
  /** The domain's; of several shares that are hidden, the first is meant. */
  readonly service: Service;
  readonly name: string;
  /** As `readJson` reads them. */
  readonly arguments: unknown;
  /** Query string for `preview`, `offset` and `limit` of SLOT and SEL, or ''. */
  readonly view: string;
}

export interface PlacedCall extends DomainCall {
  readonly domain: ServedDomain;
}

/** How a list wants tools to be made, where a formulation has several ways. */
export interface ToolView {
  readonly variant: ToolVariant;
  /** Whether all that is known of properties is told. */
  readonly full: boolean;
}

/** A request to the address of a domain. */
export interface CallAddress {
  /** The segments after the domain's path, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** The arguments in the body. */
  readonly readBody: () => unknown;
}

/** A call as an agent's list of tools has it. */
export interface ServedCall {
  /** The only method that its address takes. */
  readonly method: 'GET' | 'POST';
  /** The tool's name; null for an endpoint that there is not. */
  readonly name: string | null;
  /** Lazily, so that a request of another method is refused for that. */
  readonly arguments: () => unknown;
  /** Query string for `preview`, `offset` and `limit`. */
  readonly view: string;
}
