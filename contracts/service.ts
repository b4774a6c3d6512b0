import { z } from 'zod';
import { catalog, cell } from './catalog.ts';
import { hiddenShare } from './hybrid.ts';
import { startTable } from './tools.ts';

export const parameterType = z.enum(['integer', 'number', 'string']);
export type ParameterType = z.infer<typeof parameterType>;

/** A parameter of a REST endpoint. */
export const endpointParameter = z.object({
  /** snake_case, unique in the endpoint; also its name in the SQL: `:name`. */
  name: z.string(),
  type: parameterType,
  /** Where it is given: as a segment of the path, or, when absent, in the query string. */
  in: z.literal('path').optional(),
  /** `array`: given by repeating the parameter (`?x=1&x=2`); in the SQL as `listSql` writes it. */
  array: z.boolean().default(false),
  description: z.string(),
  /** The column that it is compared with, where it is compared with one. */
  column: z.object({ table: z.string(), column: z.string() }).optional(),
  /** A value of that column which no gold call uses, where there are many. */
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

/** One REST endpoint: data for the one handler that serves them all. */
export const endpoint = z.object({
  /** Last part of the path, unique in the domain: `^[a-zA-Z0-9_-]{1,64}$`. */
  name: z.string(),
  /** The tool's name for agents, at most 64 characters, unique in the domain. */
  operation_id: z.string(),
  /** `/v1/<split>/<db>/<name>`; with parameters in the path `/v1/<split>/<db>/<nouns>/{parameter}/…/<name>`. */
  path: z.string(),
  summary: z.string(),
  description: z.string(),
  /** One SELECT with named parameters; its result columns are called as in `columns`. */
  sql: z.string(),
  parameters: z.array(endpointParameter),
  columns: z.array(resultColumn),
  /** `slow` endpoints run in the pool of child processes. Decided when the farm is generated. */
  speed: z.enum(['quick', 'slow']),
});
export type Endpoint = z.infer<typeof endpoint>;

/** `services/<db>.json`: everything that a domain's service needs besides its database. */
export const service = z.object({
  format_version: z.literal(1),
  split: z.string(),
  db: z.string(),
  title: z.string(),
  /** Of the domain's data; unknown when absent. */
  data_licence: z.string().optional(),
  reference_time: z.string(),
  endpoints: z.array(endpoint),
  start_tables: z.array(startTable),
  catalog,
  /**
   * The shares of the tables that tools of `hybrid` see by API only; without it there is no such formulation. The tools of
   * the domain as a whole are those of the first, unless another is asked for.
   */
  hidden: z.array(hiddenShare).min(1).optional(),
  /** Whether tools of `hybrid` are also the scalar APIs: where some question calls them. */
  scalars: z.literal(true).optional(),
  /** The tables, and collections of joined ones, whose words have an index in the served copy, see `searchIndex`; none when absent. */
  search_indexes: z.array(z.string()).optional(),
});
export type Service = z.infer<typeof service>;

/** Every answer of a REST endpoint. */
export const restAnswer = z.object({
  data: z.array(z.record(z.string(), cell)),
  row_count: z.number().int(),
  truncated: z.boolean(),
});

/** The full-text index of a collection's words in a served copy. */
export function searchIndex(table: string): string {
  return `rookery_search_${table}`;
}

/** The full-text index of what a collection's texts may be about. */
export function facetIndex(collection: string): string {
  return `rookery_facets_${collection}`;
}

/** How an endpoint's SQL reads a parameter that is a list: `x IN (<this>)`. It is bound as the JSON text of an array. */
export function listSql(parameter: string): string {
  return `SELECT value FROM json_each(:${parameter})`;
}
