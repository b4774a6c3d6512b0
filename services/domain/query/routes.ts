import type { FastifyInstance } from 'fastify';
import {
  collectionTools,
  QUERY_TEXT,
  QUERY_TOOL,
  QueryTextError,
  readQueryText,
} from '../../../contracts/query-tool.ts';
import { fieldError } from '../../base/arguments.ts';
import { type Caller, callerOfRequest } from '../../base/auth/caller.ts';
import { unknownTool } from '../../base/http/problem.ts';
import { readBody } from '../../base/http/typed-routes.ts';
import { jsonSql } from '../../base/sqlite/driver.ts';
import {
  type RuntimeContext,
  runStatement,
  type ServedDomain,
  type StatementPace,
} from '../runtime/runtime.ts';
import { toStatement } from '../tools/sql.ts';
import { type Collection, domainCollections } from './collections.ts';
import { compileQuery, type ReadQuery, readQuery } from './compile-query.ts';

interface ToolPath {
  readonly split: string;
  readonly db: string;
  readonly tool: string;
}

/** Holds up the main thread for at most 15 ms, as for the other tools. */
const QUICK_STEPS = 150_000;
/** SQLite steps per row read, and again per row sorted. */
const STEPS_PER_ROW = 12;
const STEPS_PER_SORTED_ROW = 60;

/**
 * `POST /v1/:split/:db/query/query_database`, or a tool of one collection: the body has the arguments, the response is
 * a `queryAnswer`.
 */
export function queryRoutes(app: FastifyInstance, context: RuntimeContext): void {
  app.post('/v1/:split/:db/query/:tool', { config: { kind: 'query' } }, async (request, reply) => {
    const { split, db, tool } = request.params as ToolPath;
    const domain = context.domains.get(split, db);
    const body = await answerQueryTool(context, domain, tool, request.body, callerOfRequest(request, reply));
    return reply.header('content-type', 'application/json; charset=utf-8').send(body);
  });
}

const paces = new WeakMap<ServedDomain, StatementPace>();

/**
 * The JSON text of a query's rows. Throws UNKNOWN_TOOL, INVALID_PARAMETERS, BAD_REQUEST, and the errors of running it.
 */
export async function answerQueryTool(
  context: RuntimeContext,
  domain: ServedDomain,
  tool: string,
  given: unknown,
  asker: Caller,
): Promise<string> {
  const query = readCall(domain, tool, given);
  const pace = paces.get(domain) ?? { quickSteps: QUICK_STEPS };
  paces.set(domain, pace);
  const { select, columns } = compileQuery(query);
  const { sql, parameters } = toStatement(select);
  const { maxRows, maxBytes, timeoutMs, quickMs } = context.limits;
  const statement = { sql: jsonSql(sql, columns), parameters, caps: { maxRows, maxBytes }, timeoutMs };
  const { slowQueries } = context;
  const rows = await runStatement(statement, stepsOf(query), domain, pace, { slowQueries, quickMs, asker });
  return `{"columns":${JSON.stringify(columns)},"data":[${rows.text}],"row_count":${rows.count},"truncated":${rows.truncated}}`;
}

function readCall(domain: ServedDomain, tool: string, body: unknown): ReadQuery {
  const collections = domainCollections(domain.service);
  const own = tool === QUERY_TOOL ? undefined : toolsOf(collections).get(tool);
  if (tool !== QUERY_TOOL && own === undefined) throw unknownTool(tool, [QUERY_TOOL]);
  return readBody(body ?? {}, (given) => {
    if (own === undefined) return readQuery(collections, queryOf(given));
    if ('collection_name' in given) {
      const message = `collection_name is no argument of ${tool}, which is of one collection`;
      throw fieldError('collection_name', 'unknown_parameter', message);
    }
    return readQuery(collections, { ...given, collection_name: own });
  });
}

/** Tools for a single collection, by name. */
function toolsOf(collections: readonly Collection[]): ReadonlyMap<string, string> {
  return collectionTools(collections.map(({ name }) => name));
}

/** An upper bound of the work, estimated from the number of rows. */
function stepsOf({ collection, aggregations, group }: ReadQuery): number {
  const sorts =
    group !== null ||
    aggregations.some(({ metric }) => ['MEDIAN', 'MODE', 'TOP_OCCURRENCES'].includes(metric));
  return collection.table.rows * (sorts ? STEPS_PER_SORTED_ROW : STEPS_PER_ROW);
}

/**
 * The arguments in a body: those of its query text if it has one, else its own. Throws ArgumentError with the position
 * of a syntax error.
 */
export function queryOf(body: object): object {
  if (!(QUERY_TEXT in body)) return body;
  const { [QUERY_TEXT]: text, ...others } = body;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    const message = `${QUERY_TEXT} holds the whole query: ${other} cannot stand beside it`;
    throw fieldError(other, 'unknown_parameter', message);
  }
  if (typeof text !== 'string') throw fieldError(QUERY_TEXT, 'wrong_type', `${QUERY_TEXT} must be a text`);
  try {
    return readQueryText(text);
  } catch (error) {
    if (error instanceof QueryTextError) throw fieldError(QUERY_TEXT, 'wrong_type', error.message);
    throw error;
  }
}
