import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { domainPath } from '../../../contracts/domain-path.ts';
import { EXECUTORS, type PlanClass, type PlanStep } from '../../../contracts/plan.ts';
import type { Problem } from '../../../contracts/problem.ts';
import { DEFAULT_TABLE_API_STYLE } from '../../../contracts/table-api.ts';
import { type Caller, callerOfRequest } from '../../base/access/asker.ts';
import { parseArguments } from '../../base/arguments/parse-arguments.ts';
import { argumentProblem } from '../../base/http/argument-problem.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { placeSources } from '../../base/scalars/place-sources.ts';
import type { RunReply } from '../../base/workspace/messages.ts';
import type { RuntimeContext } from '../runtime/runtime-context.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';
import { tableApis } from '../tables/table-apis.ts';
import { planScope, SCALAR_FUNCTIONS } from './plan-scope.ts';

const planArguments = z.strictObject({
  sql: z.string(),
  /** Percent of the tables that are read by API. */
  share: z.number().int().min(0).max(100).optional(),
  seed: z.number().int().min(0).max(999_999_999).optional(),
  executor: z.enum(EXECUTORS).optional(),
});
type SqlArguments = z.infer<typeof planArguments>;

/** A statement's rows and what they took. */
interface Outcome {
  readonly reply: Extract<RunReply, { kind: 'rows' }>;
  readonly steps: readonly PlanStep[];
  readonly class?: PlanClass;
}

/** `POST /v1/:split/:db/sql`: SQL over visible tables, and hidden ones and scalar APIs as if they were tables or functions. */
export function sqlRoutes(app: FastifyInstance, context: RuntimeContext): void {
  app.post('/v1/:split/:db/sql', { config: { kind: 'statements' } }, async (request, reply) => {
    const { split, db } = request.params as { readonly split: string; readonly db: string };
    const domain = context.domains.get(split, db);
    const asked = { app, context, domain, request, asker: callerOfRequest(request, reply) };
    const text = await answerStatement(asked, readPlanArguments(request.body));
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  });
}

/** The JSON text of a statement's rows and of what they took. */
export async function answerStatement(asked: StatementRequest, args: SqlArguments): Promise<string> {
  const { executor = 'http', share = 0, seed = 0 } = args;
  const { hidden } = planScope(asked.domain, { share, seed });
  const run = executor === 'http' ? overHttp : inSqlite;
  const { reply, steps, class: kind } = await run(asked, args);
  const facts = {
    executor,
    ...(kind ? { class: kind } : {}),
    hidden: [...hidden],
    plan: steps,
    calls: steps.reduce((sum, { calls }) => sum + calls, 0),
    rows_moved: steps.reduce((sum, { rows }) => sum + rows, 0),
  };
  const { text, count, truncated } = reply.rows;
  const head = `"columns":${JSON.stringify(reply.columns)},"data":[${text}],"row_count":${count},"truncated":${truncated}`;
  return `{${head},${JSON.stringify(facts).slice(1)}`;
}

/** A statement's domain, and who asks. */
export interface StatementRequest {
  readonly app: FastifyInstance;
  readonly context: RuntimeContext;
  readonly domain: ServedDomain;
  readonly request: FastifyRequest;
  readonly asker: Caller;
}

/** All in SQLite: the tables are there, and the scalar APIs are functions and virtual tables. */
async function inSqlite(
  { context, domain, asker }: StatementRequest,
  { sql, share = 0, seed = 0 }: SqlArguments,
): Promise<Outcome> {
  const reply = await context.workspaces.run(
    {
      database: domain.database,
      statement: { sql, scope: scopeOf(domain, { share, seed }) },
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

/** What is hidden is asked for at this service's own addresses, as an agent would. */
async function overHttp(asked: StatementRequest, { sql, share = 0, seed = 0 }: SqlArguments): Promise<Outcome> {
  const { context, domain, asker } = asked;
  const style = context.tableApi ?? DEFAULT_TABLE_API_STYLE;
  const statement = await context.workspaces.read({ sql, scope: scopeOf(domain, { share, seed }) }, asker);
  // With the printer of SQL, which a farm that runs no statement has no use for.
  const { runPlan } = await import('./run-plan.ts');
  return runPlan(statement, {
    scope: planScope(domain, { share, seed }),
    database: domain.database,
    style,
    apis: tableApis(domain.service, style),
    send: (path, body) => send(asked, path, body),
    run: (request) => context.workspaces.run(request, asker),
    caps: capsOf(context),
    limits: { timeoutMs: context.limits.planMs },
  });
}

function scopeOf(domain: ServedDomain, share: { readonly share: number; readonly seed: number }) {
  const { catalog } = planScope(domain, share);
  return { catalog, referenceTime: domain.service.reference_time, functions: SCALAR_FUNCTIONS };
}

function capsOf({ limits: { maxRows, maxBytes } }: RuntimeContext) {
  return { maxRows, maxBytes };
}

/** Faults of the moment: the same request may succeed. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const ATTEMPTS = 4;

/** Header fields by which a request to this service's own addresses is the asker's. */
const PASSED = [
  'authorization',
  'x-api-key',
  'x-harness-key',
  'x-rookery-caller',
  'x-rookery-internal',
] as const;

async function send({ app, domain, request }: StatementRequest, path: string, payload: string): Promise<string> {
  const { split, db } = domain.service;
  const given = PASSED.flatMap((name) =>
    request.headers[name] === undefined ? [] : [[name, request.headers[name]]],
  );
  const headers = { ...Object.fromEntries(given), 'content-type': 'application/json' };
  const url = `${domainPath(split, db)}/${path}`;
  for (let attempt = 1; ; attempt++) {
    const answer = await app.inject({ method: 'POST', url, headers, payload, remoteAddress: request.ip });
    const { statusCode, body } = answer;
    // A fault may have cut the answer off.
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
    // Only part of an answer.
  }
  return new HttpProblem('API_FAILED', `The API ${path} did not answer${told}`.slice(0, 400));
}

function readPlanArguments(body: unknown): SqlArguments {
  if (body === null || (body !== undefined && (typeof body !== 'object' || Array.isArray(body))))
    throw new HttpProblem('BAD_REQUEST', 'The body must be a JSON object with the arguments of the call.');
  try {
    return parseArguments(planArguments, body ?? {});
  } catch (error) {
    throw argumentProblem(error);
  }
}
