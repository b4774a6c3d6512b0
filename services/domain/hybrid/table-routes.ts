import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../../../contracts/api.ts';
import {
  DEFAULT_TABLE_API_STYLE,
  PAGE_ROWS,
  TABLE_AGGREGATES,
  TABLE_OPERATORS,
  type TableApiStyle,
  type TableOperator,
} from '../../../contracts/hybrid.ts';
import { domainPath } from '../../../contracts/paths.ts';
import type { Service } from '../../../contracts/service.ts';
import { namesOf } from '../../../contracts/wording.ts';
import { domainDocument, errorCodes, json, problemAnswers, schemaOf } from '../../base/http/api-document.ts';
import { type Caller, callerOfRequest } from '../../base/http/caller.ts';
import { etagOf, sendTagged } from '../../base/http/json.ts';
import { HttpProblem, unknownName } from '../../base/http/problem.ts';
import { readBody } from '../../base/http/typed-routes.ts';
import { jsonSql } from '../../base/sqlite/driver.ts';
import { type RuntimeContext, runStatement, type ServedDomain } from '../runtime.ts';
import { toStatement } from '../tools/conditions.ts';
import { answerOf, type JsonSchema, type ObjectSchema, queryParameters } from '../tools/tool-spec.ts';
import { type ApiColumn, compileTableCall, readTableCall, type TableApi, tableApis } from './table-call.ts';

/** SQLite steps per row read, and again per row sorted. */
const STEPS_PER_ROW = 24;
const STEPS_PER_SORTED_ROW = 120;

/** `GET|POST /v1/:split/:db/tables/:table`: a table as an API; `/v1/:split/:db/tables` describes those of a domain. */
export function tableRoutes(app: FastifyInstance, context: RuntimeContext): void {
  const style = context.tableApi ?? DEFAULT_TABLE_API_STYLE;
  app.get('/v1/:split/:db/tables', { config: { kind: 'openapi' } }, (request, reply) => {
    const domain = context.domains.of(request);
    const etag = etagOf(`${domain.version} ${style}`, request.url);
    return sendTagged(request, reply, etag, () => JSON.stringify(tablesOpenapi(domain.service, style)));
  });

  const answer = async (request: FastifyRequest, reply: FastifyReply, given: unknown) => {
    const domain = context.domains.of(request);
    const { table } = request.params as { readonly table: string };
    const api = findApi(domain, style, table);
    const asker = callerOfRequest(request, reply);
    const { text, next } = await answerTableCall(context, domain, { api, style, given }, asker);
    if (next !== null && request.method === 'GET') reply.header('link', nextLink(request, next));
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  };

  const config = { kind: 'tables' };
  app.get('/v1/:split/:db/tables/:table', { config }, (request, reply) =>
    answer(request, reply, request.query),
  );
  app.post('/v1/:split/:db/tables/:table', { config }, (request, reply) => {
    const { query, body } = request;
    // With arguments in two places, precedence would be ambiguous.
    if (Object.keys(query as object).length > 0)
      throw new HttpProblem('BAD_REQUEST', 'The arguments of a POST stand in its body, none in the address.');
    return answer(request, reply, body ?? {});
  });
}

export interface GivenTableCall {
  readonly api: TableApi;
  readonly style: TableApiStyle;
  readonly given: unknown;
}

/**
 * The JSON text of a page of a table's rows, and the offset of the next page. Throws INVALID_PARAMETERS, BAD_REQUEST.
 */
export async function answerTableCall(
  context: RuntimeContext,
  domain: ServedDomain,
  { api, style, given }: GivenTableCall,
  asker: Caller,
): Promise<{ readonly text: string; readonly next: number | null }> {
  const call = readBody(given, (args) => readTableCall(api, style, args));
  const { rows, count, keys, sorts } = compileTableCall(api, call);
  const steps = api.table.rows * (sorts ? STEPS_PER_SORTED_ROW : STEPS_PER_ROW);
  const run = (select: typeof rows, names: readonly string[]) => {
    const { sql, parameters } = toStatement(select);
    const statement = { sql: jsonSql(sql, names), parameters, steps, kind: 'tables' } as const;
    return runStatement(context, domain, statement, asker);
  };
  const page = await run(rows, keys);
  const seen = (call.page?.offset ?? 0) + page.count;
  // A page that is not full is the last one.
  const isLast = !page.truncated && page.count > 0 && page.count < (call.page?.limit ?? 0);
  const { total } = isLast
    ? { total: seen }
    : (JSON.parse((await run(count, ['total'])).text) as { total: number });
  // A page cut short by the byte limit has a next page too. The style of the paper has no pages.
  const next = call.page && page.count > 0 && seen < total ? seen : null;
  const facts = `"row_count":${page.count},"total":${total},"next_offset":${next},"truncated":${page.truncated || next !== null}`;
  return { text: `{"data":[${page.text}],${facts}}`, next };
}

function findApi(domain: ServedDomain, style: TableApiStyle, wanted: string): TableApi {
  const apis = tableApis(domain.service, style);
  const found = apis.find(({ name }) => name === wanted);
  if (found) return found;
  const missing = `${domain.service.db} has no table`;
  throw unknownName('UNKNOWN_ENDPOINT', { missing, name: wanted, known: namesOf(apis), field: 'table' });
}

function nextLink(request: FastifyRequest, offset: number): string {
  const url = new URL(request.url, 'http://farm');
  url.searchParams.set('offset', String(offset));
  return `<${url.pathname}${url.search}>; rel="next"`;
}

const CODES = errorCodes(
  'INVALID_PARAMETERS BAD_REQUEST UNKNOWN_ENDPOINT UNKNOWN_DOMAIN QUERY_FAILED OVERLOADED',
  'QUERY_TIMEOUT INTERNAL',
);

/** The APIs of a domain's tables as an OpenAPI 3.1 document: same service and style, same document. */
export function tablesOpenapi(service: Service, style: TableApiStyle) {
  const { split, db, title } = service;
  const apis = tableApis(service, style);
  const info = {
    title: `${title}: tables`,
    summary: `The tables of ${title} as APIs`,
    description: 'Every parameter is optional; rows must match all that are given.',
  };
  const schemas = Object.fromEntries(apis.map((api) => [`${api.name}_row`, rowSchema(api, style)]));
  return domainDocument(service, info, {
    'x-rookery-table-api': style,
    paths: Object.fromEntries(
      apis.map((api) => [`${domainPath(split, db)}/tables/${api.name}`, pathItem(api, service, style)]),
    ),
    components: { schemas: { ...schemas, Problem: schemaOf(problem) } },
  });
}

function pathItem(api: TableApi, { db, title }: Service, style: TableApiStyle) {
  const schemas = parameterSchemas(api, style);
  const body = { type: 'object', properties: schemas, additionalProperties: false };
  const columns = api.columns.map(({ name }) => name).join(', ');
  const described = {
    summary: `Rows of ${api.table.friendly_name ?? api.table.name}`,
    description: `Handles requests regarding ${columns} in the context of ${title || db}.`,
    responses: responses(api),
  };
  return {
    get: { operationId: `get_${api.name}`, ...described, parameters: queryParameters(schemas) },
    post: {
      operationId: `post_${api.name}`,
      ...described,
      requestBody: { required: false, content: json(body) },
    },
  };
}

function responses(api: TableApi) {
  const answer = answerOf({
    data: { type: 'array', items: { $ref: `#/components/schemas/${api.name}_row` } },
    row_count: { type: 'integer', description: 'Number of rows in data.' },
    total: { type: 'integer', description: 'Number of rows on all pages.' },
    next_offset: { type: ['integer', 'null'], description: 'The offset of the next page.' },
    truncated: { type: 'boolean', description: 'Whether there are more rows than data holds.' },
  });
  return { 200: { description: 'Data returned.', content: json(answer) }, ...problemAnswers(CODES) };
}

/** The schema of a row. A rich API may return only some columns, or aggregates. */
function rowSchema({ columns }: TableApi, style: TableApiStyle): JsonSchema {
  const row = rowOf(columns);
  if (style !== 'rich') return row;
  const { required: _all, ...some } = row;
  return some;
}

/** The schema of a row with all its columns. The data may have other types than the columns. */
export function rowOf(columns: readonly ApiColumn[]): ObjectSchema {
  const properties = columns.map(({ name, column }) => {
    const types = new Set<string>([column.type, 'null']);
    const { text, blob, integer, real } = column.statistics.storage;
    if (text + blob > 0) types.add('string');
    if (integer + real > 0) types.add('number');
    if (types.has('number')) types.delete('integer');
    return [name, { type: [...types] }] as const;
  });
  return answerOf(Object.fromEntries(properties));
}

export function parameterSchemas(api: TableApi, style: TableApiStyle): Readonly<Record<string, JsonSchema>> {
  const equal = api.columns.map((column) => [column.name, equality(column)] as const);
  if (style === 'paper') return Object.fromEntries(equal);
  if (style === 'plain') return Object.fromEntries([...equal, ...Object.entries(PAGES)]);
  const compared = api.columns.flatMap((column) =>
    TABLE_OPERATORS.map((operator) => [`${column.name}__${operator}`, comparison(column, operator)] as const),
  );
  return Object.fromEntries([...equal, ...compared, ...Object.entries(shape(api)), ...Object.entries(PAGES)]);
}

function equality({ column }: ApiColumn): JsonSchema {
  const { name, friendly_name, description } = column;
  const what = [friendly_name, description].filter((text) => text !== null && text !== '');
  return { type: column.type, description: `Exact match on ${name}.${what.map((t) => ` ${t}.`).join('')}` };
}

const WORDS: Readonly<Record<TableOperator, string>> = {
  gt: 'is greater than this value',
  ge: 'is at least this value',
  lt: 'is less than this value',
  le: 'is at most this value',
  ne: 'differs from this value',
  like: 'matches this LIKE pattern (% and _)',
  in: 'is one of these values',
  is_null: 'is NULL (true) or is not NULL (false)',
};

function comparison({ column }: ApiColumn, operator: TableOperator): JsonSchema {
  const description = `Only rows where ${column.name} ${WORDS[operator]}.`;
  if (operator === 'is_null') return { type: 'boolean', description };
  if (operator === 'like') return { type: 'string', description };
  if (operator === 'in') return { type: 'array', items: { type: column.type }, description };
  return { type: column.type, description };
}

function shape({ columns }: TableApi): Readonly<Record<string, JsonSchema>> {
  const names = { type: 'string', enum: columns.map(({ name }) => name) };
  return {
    select: { type: 'array', items: names, description: 'The columns to return; all by default.' },
    distinct: { type: 'boolean', description: 'true to return equal rows once.' },
    order_by: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Columns to sort by, the most important first. A minus sign before a column sorts it in descending order.',
    },
    aggregate: {
      type: 'string',
      enum: TABLE_AGGREGATES,
      description: 'The figure to compute over the rows.',
    },
    aggregate_column: { ...names, description: 'The column to aggregate; count also works without one.' },
    group_by: {
      type: 'array',
      items: names,
      description:
        'Columns to group by: one row for each combination of their values, with the aggregate if one is given.',
    },
  };
}

export const PAGES: Readonly<Record<string, JsonSchema>> = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: PAGE_ROWS.most,
    description: `Maximum number of rows per page; ${PAGE_ROWS.default} by default.`,
  },
  offset: {
    type: 'integer',
    minimum: 0,
    description: 'How many rows to skip: the next_offset of the previous page.',
  },
};
