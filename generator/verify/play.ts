import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Row } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import { addressOf, bodyText, type CalledService } from '../../contracts/formulations/contract.ts';
import { FORMULATIONS } from '../../contracts/formulations/registry.ts';
import { startCalls } from '../../contracts/formulations/tool-chain.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { DEFAULT_LIMITS } from '../../services/base/limits.ts';
import { AnswerCache } from '../../services/domain/runtime/runtime.ts';
import { SlowQueries, type SlowQueriesOptions } from '../../services/domain/runtime/slow-queries.ts';
import { buildApp } from '../../services/index.ts';
import { PATIENCE } from '../oracle/oracle.ts';
import type { DatabaseVariant } from '../variants/neighbours.ts';

/** An app that takes requests: fastify's `inject`, or anything else with the same interface. */
export interface InjectableApp {
  inject(request: {
    method: 'GET' | 'POST';
    url: string;
    /** JSON, with all digits of its numbers. */
    payload?: string;
    headers?: Record<string, string>;
  }): Promise<InjectedAnswer>;
}

export type InjectedAnswer = Pick<LightMyRequestResponse, 'statusCode' | 'body'>;

/** What calls came to. */
export interface Played {
  /** The final answer's rows, by position. */
  readonly rows: readonly Row[];
  /** The final answer as the service gave it. */
  readonly body: unknown;
}

/** The calls of a sample or of a candidate for one. */
export interface Playable extends Pick<Sample, 'formulation' | 'initialization_step'> {
  readonly output: readonly Call[];
}

export interface PlayOptions {
  /**
   * Whose answers are as an agent gets them; all by default. Other intermediate results show next to no rows, since
   * rendering them takes most of the time; with `none`, final ones have all rows at once.
   */
  readonly previews?: 'all' | 'none' | readonly Call[];
}

/**
 * Sends calls as an agent would, as their formulation says. Throws QueryError TOO_SLOW for a call
 * that was stopped, CALL_FAILED for any other answer but 200 or when the answers cannot be read as rows, SQL_TOO_LARGE for an answer truncated by a cap.
 */
export async function playCalls(
  app: InjectableApp,
  service: CalledService,
  { formulation, initialization_step, output }: Playable,
  { previews = 'all' }: PlayOptions = {},
): Promise<Played> {
  const contract = FORMULATIONS[formulation];
  const { rows, body, failure, truncated } = await contract.replay(service, output, {
    starts: startCalls(initialization_step),
    view: (onTheWay, call) => {
      if (previews === 'all') return {};
      if (previews === 'none') return onTheWay ? UNSEEN : WHOLE;
      return onTheWay && !previews.includes(call) ? UNSEEN : {};
    },
    async send(request, call) {
      const text = bodyText(request);
      const response = await app.inject({
        method: request.method,
        url: addressOf(request),
        ...(text === undefined ? {} : { payload: text, headers: JSON_HEADERS }),
      });
      if (response.statusCode !== 200) throw callFailed(call.name, response);
      return { body: parseExactJson(response.body) };
    },
  });
  if (rows) return { rows, body };
  throw new QueryError(truncated ? 'SQL_TOO_LARGE' : 'CALL_FAILED', failure ?? 'the calls answer no rows');
}

const JSON_HEADERS = { 'content-type': 'application/json' };

const UNSEEN = { preview: '0', limit: '1' };
const WHOLE = { limit: '100000' };

/** A call was answered with an error. */
export class CallFailedError extends QueryError {
  /** The code of the problem that the service answered with; null when it was none. */
  readonly problem: string | null;

  constructor(reason: string, problem: string | null) {
    super(problem === 'QUERY_TIMEOUT' ? 'TOO_SLOW' : 'CALL_FAILED', reason);
    this.problem = problem;
  }
}

/** The error that an unsuccessful response describes. */
function callFailed(name: string, response: InjectedAnswer): QueryError {
  let said = '';
  let code: string | null = null;
  try {
    const problem = JSON.parse(response.body) as { code?: unknown; detail?: unknown };
    said = ` ${problem.code}: ${problem.detail}`;
    code = typeof problem.code === 'string' ? problem.code : null;
  } catch {
    // Not JSON: only the status is known.
  }
  return new CallFailedError(`${name} was answered with ${response.statusCode}${said}`, code);
}

/**
 * Sends a candidate's calls, as an agent would, to the app that serves a variant. Throws QueryError CALL_FAILED when
 * one is answered with an error, SQL_TOO_LARGE when a cap truncated the answer.
 */
export type Play = (calls: Playable, variant: DatabaseVariant) => Promise<Played>;

/**
 * An app that answers the same request once and says it again: the data never change, and a proof asks the same of them
 * many times, since questions begin alike, and silent faults are looked for in the calls that were verified before. Answers
 * other than 200 are asked for again: a query that was stopped on a busy machine may be answered then.
 */
export function rememberingApp(app: InjectableApp, bytes: number): InjectableApp {
  const known = new AnswerCache(bytes);
  return {
    async inject(request) {
      const key = requestKey(request);
      const before = known.get(key);
      if (before) return { statusCode: 200, body: before.body };
      const { statusCode, body } = await app.inject(request);
      if (statusCode === 200) known.set(key, { body, etag: '' });
      return { statusCode, body };
    },
  };
}

/** The same for requests that are the same. */
export function requestKey({ method, url, payload = '' }: Parameters<InjectableApp['inject']>[0]): string {
  return `${method} ${url} ${payload}`;
}

/** Apps that serve the same domain over each of its variants, called in process. */
export interface VariantApps {
  /** Remembers what it has answered. */
  app(variant: DatabaseVariant): InjectableApp;
  close(): Promise<void>;
}

/** How much longer calls may take on a neighbour: nobody waits for them. */
const ON_NEIGHBOURS = 6;
const CACHE_BYTES = 8 * 1024 * 1024;
/** Of whole answers; one that is larger is asked for again. */
const MEMORY_BYTES = 32 * 1024 * 1024;

/**
 * Builds the apps. Calls have the limits of a running service, so that no sample is kept that a service would truncate
 * or stop; `timeoutMs` can only tighten them. Their endpoints run in child processes that can be stopped, whatever
 * their speed in `service`.
 */
export async function buildVariantApps(
  service: Service,
  variants: readonly DatabaseVariant[],
  {
    timeoutMs,
    children,
    onCost,
  }: { readonly timeoutMs: number; readonly children: number } & Pick<SlowQueriesOptions, 'onCost'>,
): Promise<VariantApps> {
  const stoppable: Service = {
    ...service,
    endpoints: service.endpoints.map((endpoint) => ({ ...endpoint, speed: 'slow' })),
  };
  const apps = new Map<string, { readonly served: FastifyInstance; readonly remembering: InjectableApp }>();
  // Nothing is stopped by the clock: a busy machine must not decide a verdict.
  const limits = {
    timeoutMs: Math.min(timeoutMs, DEFAULT_LIMITS.timeoutMs),
    planMs: Number.POSITIVE_INFINITY,
  };
  const patient = { ...limits, timeoutMs: limits.timeoutMs * ON_NEIGHBOURS };
  const pool = { size: children, maxQueue: 10_000, patience: PATIENCE };
  // One set of children for all variants: starting a process costs more than most domains' queries.
  const slowQueries = new SlowQueries({
    ...pool,
    timeoutMs: limits.timeoutMs,
    ...(onCost ? { onCost } : {}),
  });
  for (const variant of variants) {
    const served = await buildApp({
      domains: [{ service: stoppable, database: variant.served }],
      limits: variant.isNeighbour ? patient : limits,
      slowQueries,
      pool,
      // SLOT and SEL request the same results under the same handles.
      cache: { bytes: CACHE_BYTES },
      // A remembered answer names a handle, which must be known still.
      handles: { bytes: Number.POSITIVE_INFINITY },
      logger: false,
    });
    apps.set(variant.label, { served, remembering: rememberingApp(served, MEMORY_BYTES) });
  }
  return {
    app(variant) {
      const app = apps.get(variant.label);
      if (!app) throw new Error(`no app for ${variant.label}`);
      return app.remembering;
    },
    async close() {
      await Promise.all([...apps.values()].map(({ served }) => served.close()));
      await slowQueries.close();
    },
  };
}
