import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_TABLE_API_STYLE, type TableApiStyle } from '../../../contracts/table-api.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { type Caller, callerOfRequest } from '../../base/access/asker.ts';
import { argumentProblem } from '../../base/http/argument-problem.ts';
import { etagOf, isFresh } from '../../base/http/etag.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { jsonSql } from '../../base/sqlite/json-sql.ts';
import { type StatementPace, runStatement } from '../live-tools/answers/run-statement.ts';
import type { RuntimeContext } from '../runtime/runtime-context.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';
import { toStatement } from '../tools/sql/sql.ts';
import { compileTableCall } from './compile-table-call.ts';
import { tablesOpenapi } from './openapi.ts';
import { readTableCall, type TableCall } from './read-table-call.ts';
import { type TableApi, tableApis } from './table-apis.ts';

interface DomainPath {
  readonly split: string;
  readonly db: string;
}

/** The main thread is held up for 15 ms at most by so many steps, as for the other tools. */
const QUICK_STEPS = 150_000;
/** Steps of SQLite for each row that is looked at, and for one that is sorted too. */
const STEPS_PER_ROW = 24;
const STEPS_PER_SORTED_ROW = 120;

/** `GET|POST /v1/:split/:db/tables/:table`: a table as an API; `/v1/:split/:db/tables` describes those of a domain. */
export function tableRoutes(app: FastifyInstance, context: RuntimeContext): void {
  const style = context.tableApi ?? DEFAULT_TABLE_API_STYLE;
  app.get('/v1/:split/:db/tables', { config: { kind: 'openapi' } }, (request, reply) => {
    const { split, db } = request.params as DomainPath;
    const domain = context.domains.get(split, db);
    const etag = etagOf(`${domain.version} ${style}`, request.url);
    reply.headers({ etag, 'cache-control': 'no-cache' });
    if (isFresh(request, etag)) return reply.code(304).send();
    return reply.send(tablesOpenapi(domain.service, style));
  });

  const answer = async (request: FastifyRequest, reply: FastifyReply, given: unknown) => {
    const { split, db, table } = request.params as DomainPath & { readonly table: string };
    const domain = context.domains.get(split, db);
    const api = findApi(domain, style, table);
    const { text, next } = await answerTableCall(
      context,
      domain,
      { api, style, given },
      callerOfRequest(request, reply),
    );
    if (next !== null && request.method === 'GET') reply.header('link', nextLink(request, next));
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  };

  const config = { kind: 'tables' };
  app.get('/v1/:split/:db/tables/:table', { config }, (request, reply) =>
    answer(request, reply, request.query),
  );
  app.post('/v1/:split/:db/tables/:table', { config }, (request, reply) => {
    const { query, body } = request;
    // Arguments in two places would need a rule which of them counts.
    if (Object.keys(query as object).length > 0)
      throw new HttpProblem('BAD_REQUEST', 'The arguments of a POST stand in its body, none in the address.');
    return answer(request, reply, body);
  });
}

const paces = new WeakMap<ServedDomain, StatementPace>();

/** A call of a table's API, whose arguments may be anything. */
export interface GivenTableCall {
  readonly api: TableApi;
  readonly style: TableApiStyle;
  readonly given: unknown;
}

/** The JSON text of a page of a table's rows, and where the next one begins. Throws INVALID_PARAMETERS, BAD_REQUEST. */
export async function answerTableCall(
  context: RuntimeContext,
  domain: ServedDomain,
  { api, style, given }: GivenTableCall,
  asker: Caller,
): Promise<{ readonly text: string; readonly next: number | null }> {
  const call = readCall(api, style, given);
  const pace = paces.get(domain) ?? { quickSteps: QUICK_STEPS };
  paces.set(domain, pace);
  const { rows, count, keys, sorts } = compileTableCall(api, call);
  const { maxRows, maxBytes, timeoutMs, quickMs } = context.limits;
  const steps = api.table.rows * (sorts ? STEPS_PER_SORTED_ROW : STEPS_PER_ROW);
  const runner = { slowQueries: context.slowQueries, quickMs, asker };
  const run = (select: typeof rows, names: readonly string[]) => {
    const { sql, parameters } = toStatement(select);
    const statement = { sql: jsonSql(sql, names), parameters, caps: { maxRows, maxBytes }, timeoutMs };
    return runStatement(statement, steps, domain, pace, runner);
  };
  const [page, counted] = [await run(rows, keys), await run(count, ['total'])];
  const { total } = JSON.parse(counted.text) as { total: number };
  const seen = (call.page?.offset ?? 0) + page.count;
  // Beyond the bytes that an answer may hold there is another page too; the style of the paper has none.
  const next = call.page && page.count > 0 && seen < total ? seen : null;
  const facts = `"row_count":${page.count},"total":${total},"next_offset":${next},"truncated":${page.truncated || next !== null}`;
  return { text: `{"data":[${page.text}],${facts}}`, next };
}

function readCall(api: TableApi, style: TableApiStyle, given: unknown): TableCall {
  if (given !== undefined && given !== null && (typeof given !== 'object' || Array.isArray(given)))
    throw new HttpProblem('BAD_REQUEST', 'The body must be a JSON object with the arguments of the call.');
  try {
    return readTableCall(api, style, (given ?? {}) as Record<string, unknown>);
  } catch (error) {
    throw argumentProblem(error);
  }
}

function findApi(domain: ServedDomain, style: TableApiStyle, wanted: string): TableApi {
  const apis = tableApis(domain.service, style);
  const found = apis.find(({ name }) => name === wanted);
  if (found) return found;
  const suggestions = nearestNames(
    wanted,
    apis.map(({ name }) => name),
  );
  const shown = wanted.slice(0, 80);
  const detail = `${domain.service.db} has no table ${shown}${didYouMean(suggestions)}`;
  throw new HttpProblem('UNKNOWN_ENDPOINT', detail, {
    errors: [{ field: 'table', code: 'unknown_table', message: `unknown: ${shown}`, suggestions }],
  });
}

/** The next page, as RFC 8288 has it. */
function nextLink(request: FastifyRequest, offset: number): string {
  const url = new URL(request.url, 'http://farm');
  url.searchParams.set('offset', String(offset));
  return `<${url.pathname}${url.search}>; rel="next"`;
}
