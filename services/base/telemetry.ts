import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import { UserError } from '../../contracts/errors.ts';
import type { Tracing } from './tracing.ts';

/** Observers of requests, for logs and traces; none unless given. */
export interface TelemetryOptions {
  readonly accessLog?: AccessLogOptions;
  readonly tracing?: Tracing;
}

/** Watches all requests of an app. Comes before its other hooks, so that it sees what these refuse. */
export function watchRequests(app: FastifyInstance, { accessLog, tracing }: TelemetryOptions): void {
  app.decorateRequest('traceparent', undefined);
  tracing?.trace(app);
  if (accessLog) logAccess(app, accessLog);
}

export interface AccessLogOptions {
  /** The share of answers that are written, from 0 to 1; those of status 500 and above always are. */
  readonly share: number;
  /** Takes a line, with its end; the process's output unless given. */
  readonly write?: (line: string) => void;
}

/**
 * Writes answers as JSON, a line each: never a query string or a body, which hold what was asked, and never a key.
 * Which are written depends on the id of the request, so that every process that a request passes through writes it.
 */
export function logAccess(app: FastifyInstance, options: AccessLogOptions): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply.raw;
    if (isChosen({ id: request.id, kind: kindOf(request), status }, options))
      writeLine(options, lineOf(request, reply));
    done();
  });
}

/** A call that is carried out within the process, as the request that it would be from outside. */
export interface InnerCall {
  readonly id: string;
  readonly kind: string;
  readonly domain: string;
  readonly method: string;
  /** Without its query string. */
  readonly path: string;
  /** The W3C header field of what it is part of. */
  readonly traceparent: string | undefined;
}

export interface InnerAnswer {
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
}

/** Watches a call from its beginning; what it gives is called with the answer. */
export type CallWatcher = (call: InnerCall) => (answer: InnerAnswer) => void;

/** What watches calls within the process as `watchRequests` does requests. */
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

/** Probes come all the time and say nothing. */
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
    trace_id: traceIdOf(request),
    method: request.method,
    path,
    domain: db,
    kind: kindOf(request),
    status: reply.raw.statusCode,
    ms: reply.elapsedTime,
    bytes: bytesOf(reply),
    address: request.ip,
    // The number of the key, never the key.
    key: request.apiKey >= 0 ? request.apiKey : undefined,
  };
}

function bytesOf(reply: FastifyReply): number | undefined {
  const length = Number(reply.raw.getHeader('content-length'));
  return Number.isInteger(length) ? length : undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The W3C header field that names this request's own span, where requests are traced. */
    traceparent: string | undefined;
  }
}

/** The trace that a request belongs to: our own, else the caller's, if it names one. */
export function traceIdOf(request: FastifyRequest): string | undefined {
  return traceIdIn(request.traceparent ?? request.headers.traceparent);
}

function traceIdIn(parent: unknown): string | undefined {
  return typeof parent === 'string' ? /^00-([0-9a-f]{32})-[0-9a-f]{16}-/.exec(parent)?.[1] : undefined;
}

/**
 * What environment variables say is to be told of requests: `ROOKERY_ACCESS_LOG`, the share of answers that are logged,
 * and those of OpenTelemetry, of which `OTEL_EXPORTER_OTLP_ENDPOINT` turns traces on. Unset and empty mean the same:
 * nothing. `process` is what the process does. Throws OPTION_INVALID.
 */
export async function telemetryEnvironment(
  env: NodeJS.ProcessEnv,
  process: 'serve' | 'agents' | 'gateway',
): Promise<TelemetryOptions> {
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
 * Sends the spans that a program makes by itself where the same variables of OpenTelemetry say, if they do. Resolves to
 * what sends the last of them.
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
  // Loaded only where it is wanted: it is a quarter of a megabyte.
  const { startTracing } = await import('./tracing.ts');
  return { tracing: startTracing(env.OTEL_SERVICE_NAME || `rookery-${process}`) };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route is, for metrics: `rest`, `tools`, `page`, … */
    kind?: string;
  }
}

/** Sums by type of other gauges, whose names are those of counters. */
const NO_COUNTERS = ['resources', 'handles', 'requests'].map((what) => `nodejs_active_${what}_total`);

/** Counts what a process takes of its machine: memory, processor time, open files. */
export function watchProcess(register: Registry): void {
  collectDefaultMetrics({ register });
  for (const name of NO_COUNTERS) register.removeSingleMetric(name);
}

/** Answers given and the time they took. Labels are bounded: known domains, kinds of routes, status codes; never an address. */
export class RequestMetrics {
  readonly #seconds: Histogram<'kind'>;
  // Counted in a plain map and handed over when scraped: the hot path pays one string and one addition.
  readonly #requests = new Map<string, { domain: string; kind: string; code: number; count: number }>();

  /** `prefix` is that of the metrics' names, such as `rookery_http`. */
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

  /** Counts one answer. `domain` is the name of a known one, or ''. */
  observe(request: FastifyRequest, reply: FastifyReply, domain: string): void {
    // Of an answer that was sent past fastify, fastify knows no status.
    this.count({ domain, kind: kindOf(request), code: reply.raw.statusCode }, reply.elapsedTime);
  }

  /** The same of an answer within the process. */
  count({ domain, kind, code }: { domain: string; kind: string; code: number }, ms: number): void {
    const key = `${domain} ${kind} ${code}`;
    const entry = this.#requests.get(key);
    if (entry) entry.count++;
    else this.#requests.set(key, { domain, kind, code, count: 1 });
    this.#seconds.observe({ kind }, ms / 1000);
  }
}

/** A figure that is read when it is asked for. */
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

/** A count that is kept elsewhere, and read when it is asked for. */
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
