import type { FastifyInstance } from 'fastify';
import { openapiFile } from '../../../contracts/openapi.ts';
import type { PolicyMode } from '../../../contracts/records.ts';
import type { Formulation, Sample } from '../../../contracts/sample.ts';
import type { Service } from '../../../contracts/service.ts';
import type { StartTable } from '../../../contracts/tools.ts';
import type { ToolVariant } from '../../../contracts/toolset-options.ts';
import { mapValues } from '../../base/arguments.ts';
import type { Caller } from '../../base/http/caller.ts';
import type { Journal, JournalStep } from '../../base/sqlite/private-copy.ts';
import type { ServedDomain } from '../runtime.ts';
import type { ToolContext } from './live-tools.ts';

/** The longest description that every provider accepts, in characters. */
export const MOST_CHARACTERS = 1024;

/** A tool as agents see it, independent of any provider's format. */
export interface ToolSpec {
  /** `^[a-zA-Z0-9_-]{1,64}$`, unique in its toolset. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object without references. */
  readonly parameters: ObjectSchema;
  /** What a call may do, as MCP names it; absent for a tool that only reads. */
  readonly annotations?: Readonly<
    Partial<Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>>
  >;
}

export const READING = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** The subset of JSON Schema that tools use: types, enums, objects, arrays, unions. */
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

export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** An object with exactly these properties. */
export function closedObject(
  properties: ObjectSchema['properties'],
  required: readonly string[] = Object.keys(properties),
): ObjectSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Keys of the rows of an answer, and the rows. */
export const COLUMNS: ObjectSchema['properties'] = {
  columns: { type: 'array', items: { type: 'string' }, description: 'The keys of each row, in order.' },
};
export const ROWS: ObjectSchema['properties'] = {
  data: {
    type: 'array',
    items: { type: 'object', additionalProperties: { type: ['string', 'number', 'null'] } },
    description: 'One object per row; empty if nothing matches.',
  },
  row_count: { type: 'integer', description: 'Number of rows in data.' },
  truncated: { type: 'boolean', description: 'Whether there are more rows than data holds.' },
};

export function answerOf(properties: ObjectSchema['properties']): ObjectSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** Optional parameters in a query string. */
export function queryParameters(
  schemas: Readonly<Record<string, JsonSchema>>,
  nameOf = (name: string): string => name,
) {
  return Object.entries(schemas).map(([name, { description, ...schema }]) => ({
    name: nameOf(name),
    in: 'query',
    required: false,
    description,
    ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
    schema,
  }));
}

/** A copy with `change` applied to every schema, innermost first. */
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

/** Whether additional properties have a schema, so that the object is a map. */
export function isMap(additional: JsonSchema['additionalProperties']): additional is JsonSchema {
  return typeof additional === 'object' && Object.keys(additional).length > 0;
}

export function describeMore(schema: JsonSchema, more: string): JsonSchema {
  return { ...schema, description: schema.description === undefined ? more : `${schema.description}${more}` };
}

/** How a formulation is served. The rest of its contract is in contracts/formulations/. */
export interface ServedFormulation {
  /** Adds the routes of its calls, with the formulation's name as the `kind` in their config. */
  routes(app: FastifyInstance, context: ToolContext): void;
  /** The JSON text of the answer to a call, or more than that. Throws the errors of its route. */
  answer(
    context: ToolContext,
    call: PlacedCall,
    asker: Caller,
  ): string | Promise<string> | Promise<CallResult>;
  /** The tools of a task with these start tables; with none, those of the whole domain. */
  tools(service: Service, startTables: readonly StartTable[], view?: ToolView): readonly ToolSpec[];
  /** Where a running farm lists the tools of such a task, and how many there are. */
  toolset(service: Service, startTables: readonly StartTable[]): Sample['toolset'];
  answerSchema(service: Service, tool: string): ObjectSchema;
  /** The main table of a tool; null for a tool of any table. */
  subjectOf(service: Service, tool: string): string | null;
  openapi(service: Service): object;
  /**
   * The call that a request makes; null if its URL is not a call of this formulation. Throws the errors of `readBody`.
   */
  readCall(service: Service | undefined, request: CallAddress): ServedCall | null;
}

/** A call of a domain's tool, made within the process. */
export interface DomainCall {
  /** The domain's service. A hybrid call uses its first share. */
  readonly service: Service;
  readonly name: string;
  /** As `readJson` returns them. */
  readonly arguments: unknown;
  /** Query string with `preview`, `offset` and `limit` of SLOT and SEL, or ''. */
  readonly view: string;
}

/** In which state a call is made, and how it may change records. */
export interface CallState {
  /** What the run has changed so far; absent for callers that may not change records. */
  readonly journal?: Journal | undefined;
  /** The header field If-Match. */
  readonly ifMatch?: string | undefined;
  /** What happens to changes that break a rule of the domain. Default: refused. */
  readonly policies?: PolicyMode | undefined;
}

export interface PlacedCall extends DomainCall, Omit<CallState, 'journal'> {
  /** In the state of the run that calls. */
  readonly domain: ServedDomain;
  readonly mayWrite: boolean;
}

/** The answer to a call that is more than a JSON text. */
export interface CallResult {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** The rows that the call changed. */
  readonly step?: JournalStep | undefined;
}

/** Variations in how a list describes tools. */
export interface ToolView {
  readonly variant: ToolVariant;
  /** Whether the description has everything known about the properties. */
  readonly full: boolean;
}

/** A request below a domain's URL. */
export interface CallAddress {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly readBody: () => unknown;
}

/** The call that a POST at `<kind>/<tool>` makes; null for any other path. */
export function postedCall(kind: string, { path, readBody }: CallAddress, view = ''): ServedCall | null {
  const [first, name] = path;
  if (path.length !== 2 || first !== kind || name === undefined) return null;
  return { method: 'POST', name, arguments: readBody, view };
}

/** The toolset of a formulation that has one for a whole domain: its OpenAPI file. */
export function domainToolset({ db }: Pick<Service, 'db'>, kind: Formulation, size: number) {
  return { path: `/openapi/${openapiFile(db, kind)}`, size };
}

/** A call in terms of an agent's list of tools. */
export interface ServedCall {
  /** The method that makes this call. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The tool's name; null for an unknown endpoint. */
  readonly name: string | null;
  /** Lazy, so that a wrong method is reported before a bad body. */
  readonly arguments: () => unknown;
  readonly view: string;
}
