import type { FastifyInstance, FastifyRequest, InjectOptions, LightMyRequestResponse } from 'fastify';
import { z } from 'zod';
import type { Problem } from '../../../contracts/api.ts';
import { printExactJson } from '../../../contracts/exact-json.ts';
import { EXECUTE_SQL, NOTHING_HIDDEN, RUN_SQL } from '../../../contracts/formulations.ts';
import {
  atShare,
  DEFAULT_TABLE_API_STYLE,
  EXECUTORS,
  type HiddenShare,
  PAGE_ROWS,
  type PlanClass,
  type PlanStep,
  readShare,
} from '../../../contracts/hybrid.ts';
import { domainPath } from '../../../contracts/paths.ts';
import { namesOf } from '../../../contracts/wording.ts';
import { parseArguments } from '../../base/arguments.ts';
import { CALLER_HEADER, type Caller, callerOfRequest, OWN_HEADER } from '../../base/http/caller.ts';
import { exactValue } from '../../base/http/json.ts';
import { HttpProblem, unknownTool } from '../../base/http/problem.ts';
import { readBody } from '../../base/http/typed-routes.ts';
import { placeSources } from '../../base/scalars/gazetteer.ts';
import type { RunReply } from '../../base/scalars/messages.ts';
import { SCALARS_BY_NAME } from '../../base/scalars/scalars.ts';
import type { RuntimeContext, ServedDomain } from '../runtime.ts';
import type { PlacedCall } from '../tools/tool-spec.ts';
import {
  HYBRID_STYLE,
  hiddenTables,
  hiddenTools,
  hybridToolSpecs,
  type PlanScope,
  planScope,
  SCALAR_FUNCTIONS,
  scalarArguments,
  scalarRows,
  visibleCatalog,
} from './hybrid-tools.ts';
import { tableApis } from './table-call.ts';
import { answerTableCall } from './table-routes.ts';

const runArguments = z.strictObject({ sql: z.string() });

const checked = <Schema extends z.ZodObject>(schema: Schema, body: unknown) =>
  readBody(body, (given) => parseArguments(schema, given));

/** `POST /v1/:split/:db/hybrid/:share/:tool`: the tools of a domain with a share of its tables behind APIs. */
export function hybridRoutes(app: FastifyInstance, context: RuntimeContext): void {
  app.post('/v1/:split/:db/hybrid/:share/:tool', { config: { kind: 'hybrid' } }, async (request, reply) => {
    const domain = context.domains.of(request);
    const { share, tool } = request.params as { readonly share: string; readonly tool: string };
    const hidden = requireShare(share);
    const asker = callerOfRequest(request, reply);
    const asked = { context, domain, asker, send: sendAsAsker(app, request) };
    const text = await answerHybridTool(asked, { hidden, tool, given: request.body });
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  });
}

export function answerHybridCall(
  context: RuntimeContext,
  { domain, service, name: tool, arguments: args }: PlacedCall,
  asker: Caller,
): Promise<string> {
  const hidden = service.hidden?.[0] ?? NOTHING_HIDDEN;
  const headers = { [CALLER_HEADER]: asker.caller };
  const send: SendRequest = (request) =>
    context.own.send({ ...request, headers: { ...request.headers, ...headers } }, asker.signal);
  return answerHybridTool({ context, domain, asker, send }, { hidden, tool, given: exactValue(args ?? {}) });
}

interface HybridCall {
  readonly hidden: HiddenShare;
  readonly tool: string;
  readonly given: unknown;
}

/** The JSON text of a tool's answer. Throws UNKNOWN_TOOL, INVALID_PARAMETERS, and the errors of running it. */
async function answerHybridTool(asked: StatementRequest, { hidden, tool, given }: HybridCall) {
  const { context, domain, asker } = asked;
  const service = atShare(domain.service, hidden);
  if (tool === RUN_SQL) {
    const { sql } = checked(runArguments, given);
    return answerStatement(asked, { sql, ...hidden });
  }
  if (tool === EXECUTE_SQL) return executeSql(context, domain, hidden, given, asker);
  const scalar = SCALARS_BY_NAME.get(tool);
  if (scalar) {
    return printExactJson(scalarRows(scalar, checked(scalarArguments, given), domain));
  }
  const found = hiddenTools(service).find(({ name }) => name === tool);
  if (!found) throw unknownTool(tool, namesOf(hybridToolSpecs(service)));
  const call = { api: found.api, style: HYBRID_STYLE, given: given ?? {} };
  return (await answerTableCall(context, domain, call, asker)).text;
}

const planArguments = z.strictObject({
  sql: z.string(),
  /** Percentage of the tables that are read by API. */
  share: z.number().int().min(0).max(100).optional(),
  seed: z.number().int().min(0).max(999_999_999).optional(),
  executor: z.enum(EXECUTORS).optional(),
});
type SqlArguments = z.infer<typeof planArguments>;

interface Outcome {
  readonly reply: Extract<RunReply, { kind: 'rows' }>;
  readonly steps: readonly PlanStep[];
  readonly class?: PlanClass;
}

export function sqlRoutes(app: FastifyInstance, context: RuntimeContext): void {
  app.post('/v1/:split/:db/sql', { config: { kind: 'statements' } }, async (request, reply) => {
    const domain = context.domains.of(request);
    const asker = callerOfRequest(request, reply);
    const asked = { context, domain, asker, send: sendAsAsker(app, request) };
    const text = await answerStatement(asked, checked(planArguments, request.body));
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  });
}

export async function answerStatement(asked: StatementRequest, args: SqlArguments): Promise<string> {
  const { sql, executor = 'http', share = 0, seed = 0 } = args;
  const scope = planScope(asked.domain, { share, seed });
  const run = executor === 'http' ? overHttp : inSqlite;
  const { reply, steps, class: kind } = await run(asked, sql, scope);
  const facts = {
    executor,
    ...(kind ? { class: kind } : {}),
    hidden: [...scope.hidden],
    plan: steps,
    calls: steps.reduce((sum, { calls }) => sum + calls, 0),
    rows_moved: steps.reduce((sum, { rows }) => sum + rows, 0),
  };
  const { text, count, truncated } = reply.rows;
  const head = `"columns":${JSON.stringify(reply.columns)},"data":[${text}],"row_count":${count},"truncated":${truncated}`;
  return `{${head},${JSON.stringify(facts).slice(1)}`;
}

export interface StatementRequest {
  readonly context: RuntimeContext;
  readonly domain: ServedDomain;
  readonly asker: Caller;
  /** Sends a request to this service's own address, on behalf of the caller. */
  readonly send: SendRequest;
}

type SendRequest = (request: InjectOptions) => Promise<LightMyRequestResponse>;

/** Runs entirely in SQLite: all tables are present, and scalar APIs are functions and virtual tables. */
async function inSqlite(asked: StatementRequest, sql: string, scope: PlanScope): Promise<Outcome> {
  const { context, domain, asker } = asked;
  const reply = await context.workspaces.run(
    {
      database: domain.database,
      statement: { sql, scope: scopeOf(domain, scope) },
      tables: [],
      scalars: { places: placeSources(domain.service.catalog) },
      caps: capsOf(context),
      raw: false,
    },
    asker,
  );
  if (reply.kind !== 'rows') throw new Error(`a statement answered ${reply.kind}`);
  return { reply, steps: [] };
}

/** Fetches hidden tables over HTTP from this service, as an agent would. */
async function overHttp(asked: StatementRequest, sql: string, scope: PlanScope) {
  const { context, domain, asker } = asked;
  const style = context.tableApi ?? DEFAULT_TABLE_API_STYLE;
  const statement = await context.workspaces.read({ sql, scope: scopeOf(domain, scope) }, asker);
  // Loaded on demand: it brings the SQL printer, which farms without statements do not need.
  const { runPlan } = await import('./run-plan.ts');
  return runPlan(statement, {
    scope,
    database: domain.database,
    style,
    apis: tableApis(domain.service, style),
    send: (path, body) => send(asked, path, body),
    run: (request) => context.workspaces.run(request, asker),
    caps: capsOf(context),
    limits: { timeoutMs: context.limits.planMs },
  });
}

function scopeOf(domain: ServedDomain, { catalog }: PlanScope) {
  return { catalog, referenceTime: domain.service.reference_time, functions: SCALAR_FUNCTIONS };
}

function capsOf({ limits: { maxRows, maxBytes } }: RuntimeContext) {
  return { maxRows, maxBytes };
}

/** Transient failures: the same request may succeed. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const ATTEMPTS = 4;

/** Header fields that identify the caller, copied to requests to this service. */
const PASSED = ['authorization', 'x-api-key', 'x-harness-key', CALLER_HEADER, OWN_HEADER] as const;

function sendAsAsker(
  app: FastifyInstance,
  { headers: given, ip: remoteAddress }: FastifyRequest,
): SendRequest {
  const passed = PASSED.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return async (request) => {
    const headers = { ...Object.fromEntries(passed), ...request.headers };
    return await app.inject({ ...request, headers, remoteAddress });
  };
}

async function send({ domain, send }: StatementRequest, path: string, payload: string): Promise<string> {
  const { split, db } = domain.service;
  const headers = { 'content-type': 'application/json' };
  const url = `${domainPath(split, db)}/${path}`;
  for (let attempt = 1; ; attempt++) {
    const { statusCode, body } = await send({ method: 'POST', url, headers, payload });
    // A fault may have truncated the answer.
    const isWhole = /[\]}]$/.test(body);
    if (statusCode === 200 && isWhole) return body;
    const isPassing = statusCode === 200 || PASSING.has(statusCode);
    if (!isPassing || attempt === ATTEMPTS) throw failed(path, body);
  }
}

function failed(path: string, body: string): HttpProblem {
  let told = '';
  try {
    const { code, detail } = JSON.parse(body) as Problem;
    told = `: ${code}: ${detail}`;
  } catch {
    // The body was truncated.
  }
  return new HttpProblem('API_FAILED', `The API ${path} did not answer${told}`.slice(0, 400));
}

const pageArguments = z.strictObject({
  sql: z.string(),
  limit: z.number().int().min(1).max(PAGE_ROWS.most).optional(),
  offset: z.number().int().min(0).optional(),
});

/**
 * The JSON text of a page of a SELECT's rows, which sees visible tables only. Throws INVALID_PARAMETERS, and the errors
 * of running it.
 */
export async function executeSql(
  context: RuntimeContext,
  domain: ServedDomain,
  share: HiddenShare,
  body: unknown,
  asker: Caller,
): Promise<string> {
  const { sql, limit = PAGE_ROWS.default, offset = 0 } = checked(pageArguments, body);
  const { catalog: whole, reference_time: referenceTime } = domain.service;
  const catalog = visibleCatalog(whole, hiddenTables(whole, share));
  const reply = await context.workspaces.run(
    {
      database: domain.database,
      statement: { sql, scope: { catalog, referenceTime, functions: NONE } },
      tables: [],
      scalars: { known: {} },
      caps: { offset, maxRows: limit, maxBytes: context.limits.maxBytes },
      raw: false,
    },
    asker,
  );
  if (reply.kind !== 'rows') throw new Error(`a statement without APIs answered ${reply.kind}`);
  const { text, count, truncated } = reply.rows;
  const next = truncated && count > 0 ? offset + count : null;
  const columns = JSON.stringify(reply.columns);
  return `{"columns":${columns},"data":[${text}],"row_count":${count},"next_offset":${next},"truncated":${truncated}}`;
}

const NONE: ReadonlySet<string> = new Set();

/** Parses the share in a URL. Throws UNKNOWN_ROUTE. */
export function requireShare(text: string): HiddenShare {
  const share = readShare(text);
  if (share) return share;
  const detail = `There is nothing here: ${text.slice(0, 20)} is no share from 0 to 100, such as 40, or 40-7 of seed 7`;
  throw new HttpProblem('UNKNOWN_ROUTE', detail);
}
