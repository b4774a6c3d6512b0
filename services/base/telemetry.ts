import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import { UserError } from '../../contracts/errors.ts';
import type { Tracing } from './tracing.ts';

export interface TelemetryOptions {
  readonly accessLog?: AccessLogOptions;
  readonly tracing?: Tracing;
}

export function watchRequests(app: FastifyInstance, { accessLog, tracing }: TelemetryOptions): void {
  app.decorateRequest('traceparent', undefined);
  tracing?.trace(app);
  if (accessLog) logAccess(app, accessLog);
}

export interface AccessLogOptions {
  /** Share of responses to log, from 0 to 1. Those of status 500 and above are always logged. */
  readonly share: number;
  /** Writes a line, including its line break. Default: stdout. */
  readonly write?: (line: string) => void;
}

/**
 * Logs responses as JSON lines, without query strings, bodies and keys. Sampling depends on the request id, so that
 * every process that a request passes through logs it.
 */
export function logAccess(app: FastifyInstance, options: AccessLogOptions): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply.raw;
    if (isChosen({ id: request.id, kind: kindOf(request), status }, options))
      writeLine(options, lineOf(request, reply));
    done();
  });
}

export interface InnerCall {
  readonly id: string;
  readonly kind: string;
  readonly domain: string;
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  /** The W3C traceparent header of the enclosing request. */
  readonly traceparent: string | undefined;
}

export interface InnerAnswer {
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
}

/** Observes a call from its start. The returned function is called with the answer. */
export type CallWatcher = (call: InnerCall) => (answer: InnerAnswer) => void;

export function callWatchers({ accessLog, tracing }: TelemetryOptions): readonly CallWatcher[] {
  const log: CallWatcher = (call) => (answer) => logCall(accessLog as AccessLogOptions, call, answer);
  return [...(tracing ? [tracing.call] : []), ...(accessLog ? [log] : [])];
}

function logCall(options: AccessLogOptions, call: InnerCall, { status, ms, bytes }: InnerAnswer): void {
  const { id, kind, domain, method, path, traceparent } = call;
  if (!isChosen({ id, kind, status }, options)) return;
  const trace_id = traceIdIn(traceparent);
  const address = '127.0.0.1';
  writeLine(options, { request_id: id, trace_id, method, path, domain, kind, status, ms, bytes, address });
}

function writeLine(
  { write = (line) => process.stdout.write(line) }: AccessLogOptions,
  seen: { readonly status: number; readonly ms: number } & Readonly<Record<string, unknown>>,
): void {
  const level = seen.status >= 500 ? 'error' : 'info';
  const ms = Math.round(seen.ms * 10) / 10;
  write(`${JSON.stringify({ time: new Date().toISOString(), level, msg: 'request', ...seen, ms })}\n`);
}

/** Probes are frequent and uninformative. */
const PROBES: ReadonlySet<string> = new Set(['health', 'metrics']);

function isChosen(
  { id, kind, status }: { readonly id: string; readonly kind: string; readonly status: number },
  { share }: AccessLogOptions,
): boolean {
  if (status >= 500) return true;
  if (share <= 0 || PROBES.has(kind)) return false;
  return share >= 1 || createHash('sha1').update(id).digest().readUInt32BE() / 2 ** 32 < share;
}

function kindOf(request: FastifyRequest): string {
  return request.routeOptions.config?.kind ?? 'other';
}

function lineOf(request: FastifyRequest, reply: FastifyReply) {
  const [path = ''] = (request.raw.url ?? '').split('?', 1);
  const { db } = request.params as { db?: string };
  return {
    request_id: request.id,
    run_id: /^\/runs\/([^/]+)/.exec(path)?.[1],
    // Our own, else the caller's.
    trace_id: traceIdIn(request.traceparent ?? request.headers.traceparent),
    method: request.method,
    path,
    domain: db,
    kind: kindOf(request),
    status: reply.raw.statusCode,
    ms: reply.elapsedTime,
    bytes: bytesOf(reply),
    address: request.ip,
    // The index of the key, never the key.
    key: request.apiKey >= 0 ? request.apiKey : undefined,
  };
}

function bytesOf(reply: FastifyReply): number | undefined {
  const length = Number(reply.raw.getHeader('content-length'));
  return Number.isInteger(length) ? length : undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The W3C header that identifies this request's own span, if it is traced. */
    traceparent: string | undefined;
  }
}

function traceIdIn(parent: unknown): string | undefined {
  return typeof parent === 'string' ? /^00-([0-9a-f]{32})-[0-9a-f]{16}-/.exec(parent)?.[1] : undefined;
}

/**
 * Reads the telemetry options from the environment: `ROOKERY_ACCESS_LOG`, the share of responses to log, and
 * OpenTelemetry's variables, of which `OTEL_EXPORTER_OTLP_ENDPOINT` turns on traces. Empty counts as unset. `process`
 * describes the process. Throws OPTION_INVALID.
 */
export async function telemetryEnvironment(env: NodeJS.ProcessEnv, process: 'serve' | 'agents' | 'gateway') {
  return { ...accessLog(env.ROOKERY_ACCESS_LOG ?? ''), ...(await tracing(env, process)) };
}

function accessLog(text: string): TelemetryOptions {
  if (text === '') return {};
  const share = Number(text);
  if (/^[\d.]+$/.test(text) && share >= 0 && share <= 1) return { accessLog: { share } };
  const fix =
    'give the share of answers that are logged, from 0 (those of status 500 and above only) to 1 (all)';
  throw new UserError('OPTION_INVALID', 'ROOKERY_ACCESS_LOG', `${text} cannot be used; ${fix}`);
}

/**
 * Exports the spans that a program creates itself, if OpenTelemetry's variables are set. Resolves to a function that
 * flushes them.
 */
export async function traceProgram(env: NodeJS.ProcessEnv, program: string): Promise<() => Promise<void>> {
  if (!isTraced(env)) return async () => {};
  const [{ tracerProvider }, { trace }] = await Promise.all([
    import('./tracing.ts'),
    import('@opentelemetry/api'),
  ]);
  const provider = tracerProvider(env.OTEL_SERVICE_NAME || `rookery-${program}`);
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
}

function isTraced(env: NodeJS.ProcessEnv): boolean {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return !!endpoint && env.OTEL_SDK_DISABLED !== 'true';
}

async function tracing(env: NodeJS.ProcessEnv, process: string): Promise<TelemetryOptions> {
  if (!isTraced(env)) return {};
  // Loaded on demand: it is a quarter of a megabyte.
  const { startTracing } = await import('./tracing.ts');
  return { tracing: startTracing(env.OTEL_SERVICE_NAME || `rookery-${process}`) };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Kind of the route, for metrics: `rest`, `tools`, `page`, … */
    kind?: string;
  }
}

/** Totals of per-type gauges, whose names look like counters. */
const NO_COUNTERS = ['resources', 'handles', 'requests'].map((what) => `nodejs_active_${what}_total`);

export function watchProcess(register: Registry): void {
  collectDefaultMetrics({ register });
  for (const name of NO_COUNTERS) register.removeSingleMetric(name);
}

/** Counts and times responses. Labels are bounded: known domains, kinds of routes, status codes; never a URL. */
export class RequestMetrics {
  readonly #seconds: Histogram<'kind'>;
  // Counts in a plain map that is exported on scrape: the hot path costs one string and one addition.
  readonly #requests = new Map<string, { domain: string; kind: string; code: number; count: number }>();

  /** `prefix` of the metrics' names, such as `rookery_http`. */
  constructor(registry: Registry, prefix: string) {
    const registers = [registry];
    this.#seconds = new Histogram({
      name: `${prefix}_request_duration_seconds`,
      help: 'Time from request to the end of the answer, by kind of route',
      labelNames: ['kind'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 10],
      registers,
    });
    const requests = this.#requests;
    new Counter({
      name: `${prefix}_requests_total`,
      help: 'Answers given, by domain, kind of route and status code',
      labelNames: ['domain', 'kind', 'code'],
      registers,
      collect() {
        this.reset();
        for (const { count, ...labels } of requests.values()) this.inc(labels, count);
      },
    });
  }

  /** Counts the requests of an app, those of known domains by their names. */
  observe(app: FastifyInstance, isKnown: (db: string) => boolean): void {
    app.addHook('onResponse', (request, { raw, elapsedTime }, done) => {
      const { db = '' } = request.params as { db?: string };
      // fastify does not know the status of a response that bypassed it.
      const code = raw.statusCode;
      this.count({ domain: isKnown(db) ? db : '', kind: kindOf(request), code }, elapsedTime);
      done();
    });
  }

  count({ domain, kind, code }: { domain: string; kind: string; code: number }, ms: number): void {
    const key = `${domain} ${kind} ${code}`;
    const entry = this.#requests.get(key);
    if (entry) entry.count++;
    else this.#requests.set(key, { domain, kind, code, count: 1 });
    this.#seconds.observe({ kind }, ms / 1000);
  }
}

export function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** A counter that is kept elsewhere and read on scrape. */
export function counter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
