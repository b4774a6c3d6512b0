import { z } from 'zod';
import { catalog, cell } from './catalog.ts';
import { hiddenShare } from './hybrid.ts';
import { startTable } from './tools.ts';

export const parameterType = z.enum(['integer', 'number', 'string']);
export type ParameterType = z.infer<typeof parameterType>;

export const endpointParameter = z.object({
  /** snake_case, unique in the endpoint; its name in the SQL is `:name`. */
  name: z.string(),
  type: parameterType,
  /** `path`: a segment of the path; absent: in the query string. */
  in: z.literal('path').optional(),
  /** `array`: given by repeating the parameter (`?x=1&x=2`); in the SQL as `listSql` writes it. */
  array: z.boolean().default(false),
  description: z.string(),
  /** The column that it is compared with, if any. */
  column: z.object({ table: z.string(), column: z.string() }).optional(),
  /** A value of that column that no gold call uses, if it has many. */
  example: z.union([z.string(), z.number()]).optional(),
  /** Always true today: an endpoint's answer depends on every parameter. */
  required: z.literal(true),
});
export type EndpointParameter = z.infer<typeof endpointParameter>;

export const resultColumn = z.object({
  /** Key in each object of `data`; unique in the endpoint. */
  name: z.string(),
  type: z.enum(['integer', 'number', 'string', 'any']),
  nullable: z.boolean(),
  description: z.string(),
});
export type ResultColumn = z.infer<typeof resultColumn>;

/** One REST endpoint, as data for the single handler that serves them all. */
export const endpoint = z.object({
  /** Last segment of the path, unique in the domain: `^[a-zA-Z0-9_-]{1,64}$`. */
  name: z.string(),
  /** The tool's name for agents, at most 64 characters, unique in the domain. */
  operation_id: z.string(),
  /** `/v1/<split>/<db>/<name>`; with path parameters `/v1/<split>/<db>/<nouns>/{parameter}/…/<name>`. */
  path: z.string(),
  summary: z.string(),
  description: z.string(),
  /** One SELECT with named parameters; its result columns have the names in `columns`. */
  sql: z.string(),
  parameters: z.array(endpointParameter),
  columns: z.array(resultColumn),
  /** `slow` endpoints run in the pool of child processes. Decided at generation. */
  speed: z.enum(['quick', 'slow']),
});
export type Endpoint = z.infer<typeof endpoint>;

/** One operation on all records of a table that meet its conditions, as data for the single handler that serves them all. */
export const action = endpoint
  .pick({ name: true, summary: true, description: true, parameters: true })
  .extend({
    table: z.string(),
    /** One UPDATE or DELETE with named parameters. */
    sql: z.string(),
    /** Whether doing it twice changed no more than doing it once, on every test database. */
    idempotent: z.boolean(),
  });
export type Action = z.infer<typeof action>;

/** Search by a model's vectors of texts. */
export const vectorSearch = z.object({
  model: z.string().min(1),
  /** Where a service compatible with OpenAI's is: `http://127.0.0.1:8000/v1`. */
  base_url: z.string().min(1),
  /** The least cosine of the rows that a search finds. */
  similarity: z.number().min(-1).max(1),
});

/** `services/<db>.json`: everything that a domain's service needs, apart from its database. */
export const service = z.object({
  format_version: z.literal(1),
  split: z.string(),
  db: z.string(),
  title: z.string(),
  /** Licence of the domain's data; unknown if absent. */
  data_licence: z.string().optional(),
  reference_time: z.string(),
  endpoints: z.array(endpoint),
  start_tables: z.array(startTable),
  /** By name; absent if there are none. */
  actions: z.array(action).min(1).optional(),
  catalog,
  /**
   * The hidden shares that `hybrid` offers; absent if the domain has no such formulation. The domain-level
   * tools use the first share unless another is requested.
   */
  hidden: z.array(hiddenShare).min(1).optional(),
  /** Whether `hybrid` also offers the scalar APIs: if some question calls them. */
  scalars: z.literal(true).optional(),
  /** Tables, and collections of joined tables, with a full-text index (see `searchIndex`); absent if none. */
  search_indexes: z.array(z.string()).optional(),
  /** By what these are searched instead; absent where search is by words and facets. */
  vectors: vectorSearch.optional(),
});
export type Service = z.infer<typeof service>;

export const restAnswer = z.object({
  data: z.array(z.record(z.string(), cell)),
  row_count: z.number().int(),
  truncated: z.boolean(),
});

export function searchIndex(table: string): string {
  return `rookery_search_${table}`;
}

export function facetIndex(collection: string): string {
  return `rookery_facets_${collection}`;
}

/** The table with the vectors of a collection's rows: `id`, the row id, and `vector`, 32-bit floats of length 1. */
export function vectorTable(collection: string): string {
  return `rookery_vectors_${collection}`;
}

/** Whether rookery added the table or view to a served copy, which may be the database of another split. */
export function isOwnTable(name: string): boolean {
  return [searchIndex(''), facetIndex(''), vectorTable('')].some((prefix) => name.startsWith(prefix));
}

/** The subquery that reads a list parameter in an endpoint's SQL: `x IN (<this>)`. It is bound as a JSON array. */
export function listSql(parameter: string): string {
  return `SELECT value FROM json_each(:${parameter})`;
}
