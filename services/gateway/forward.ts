import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Dispatcher } from 'undici';
import type { Farm } from '../../contracts/farm.ts';
import { CALLER_HEADER } from '../base/http/caller.ts';
import { gauge, RequestMetrics, watchProcess } from '../base/telemetry.ts';
import { type Replica, tryReplicas, type Upstream, type Upstreams } from '../base/upstream.ts';

export interface GatewayContext {
  readonly farm: Farm;
  /** One per routed domain, and the agents' process, if any. */
  readonly upstreams: Upstreams;
  readonly exam: boolean;
  /** The key of metrics, here and in the agents' process. */
  readonly metricsKey: string | undefined;
  readonly metrics: GatewayMetrics;
  readonly cache: ResponseCache;
}

export type GatewayRoutes = (app: FastifyInstance, context: GatewayContext) => void;

/** Limit for the gateway's own requests to a service. */
export const ASK_LIMIT_MS = 2000;

/** The body of a domain's 200 answer to a GET, from the first replica that answers; else undefined. */
export async function ask(
  upstream: Upstream,
  path: string,
  limitMs: number = ASK_LIMIT_MS,
): Promise<string | undefined> {
  if (upstream.replicas.length === 0) await upstream.refresh();
  const replicas = [...upstream.replicas].sort((a, b) => Number(b.usable) - Number(a.usable));
  for (const replica of replicas) {
    const answer = await replica.get(path, limitMs).catch(() => undefined);
    if (answer?.status === 200) return answer.text;
  }
  return undefined;
}

export interface Forwarding {
  readonly metrics: GatewayMetrics;
  /** Whether a request may be sent again when it is unknown whether it was carried out. */
  readonly repeatable: boolean;
  /** Whether the Host header is passed on, so that the upstream knows the gateway's name. */
  readonly keepHost?: boolean;
  readonly keeper?: ResponseKeeper;
}

/**
 * Sends a request to one of an upstream's replicas and streams its answer back; once any part of an answer has
 * arrived, the request is not repeated. Throws as `tryReplicas`, unless something was sent back already.
 */
export async function forward(
  upstream: Upstream,
  request: FastifyRequest,
  reply: FastifyReply,
  { metrics, repeatable, keepHost = false, keeper }: Forwarding,
): Promise<FastifyReply> {
  const options = toUpstream(request, keepHost);
  await tryReplicas(upstream, (replica) => new Exchange(reply, keeper).run(replica, options), {
    repeatable,
    onRetry: () => metrics.retried(upstream.identity.name),
  });
  return reply;
}

/** Header fields of a single connection, or for the gateway alone. */
const NOT_FORWARDED = new Set([
  CALLER_HEADER,
  ...(
    'authorization connection content-length expect host keep-alive proxy-authorization ' +
    'proxy-connection te trailer transfer-encoding upgrade x-api-key x-request-id'
  ).split(' '),
]);

function toUpstream(request: FastifyRequest, keepHost: boolean): Omit<Dispatcher.DispatchOptions, 'origin'> {
  const headers: string[] = ['x-request-id', request.id, CALLER_HEADER, request.ip];
  if (request.traceparent !== undefined) headers.push('traceparent', request.traceparent);
  if (keepHost && request.headers.host !== undefined) headers.push('host', request.headers.host);
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || NOT_FORWARDED.has(name)) continue;
    // Upstreams do not know the gateway's allowed origins.
    if (name === 'origin' && request.server.isAllowedOrigin?.(String(value))) continue;
    if (name === 'traceparent' && request.traceparent !== undefined) continue;
    headers.push(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return {
    path: request.raw.url as string,
    method: request.method as Dispatcher.HttpMethod,
    headers,
    body: Buffer.isBuffer(request.body) ? request.body : null,
  };
}

export interface ResponseKeeper {
  readonly maxBodyBytes: number;
  readonly keep: (answer: CachedResponse) => void;
}

/** One request to one replica: streams its answer to the caller, with backpressure. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #reply: FastifyReply;
  readonly #keeper: ResponseKeeper | undefined;
  readonly #leave = () => this.#controller?.abort(new Error('the caller left'));
  #controller: Dispatcher.DispatchController | undefined;
  #answered = false;
  #copy: { readonly answer: Omit<CachedResponse, 'body'>; readonly chunks: Buffer[] } | undefined;
  #resolve: () => void = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(reply: FastifyReply, keeper?: ResponseKeeper) {
    this.#reply = reply;
    this.#keeper = keeper;
  }

  /** Resolves when the answer was passed on, or the caller has left. Rejects when there was no answer at all. */
  run(replica: Replica, request: Omit<Dispatcher.DispatchOptions, 'origin'>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#reply.raw.once('close', this.#leave);
      replica.dispatch(request, this);
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#reply.raw.destroyed) this.#leave();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#answered = true;
    const answer = this.#keeper && keepable(status, headers, this.#keeper.maxBodyBytes);
    if (answer) this.#copy = { answer, chunks: [] };
    this.#reply.hijack();
    const { raw } = this.#reply;
    raw.writeHead(status, toCaller(headers, this.#reply));
    // The first event of a stream may take long, and its reader waits for the head.
    if (headers['content-type']?.startsWith('text/event-stream')) raw.flushHeaders();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { raw } = this.#reply;
    this.#copy?.chunks.push(chunk);
    if (raw.write(chunk) || raw.destroyed) return;
    controller.pause();
    raw.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.#reply.raw.end();
    // A copy, since the chunks are views of whole socket buffers.
    if (this.#copy) this.#keeper?.keep({ ...this.#copy.answer, body: Buffer.concat(this.#copy.chunks) });
    this.#settle();
    this.#resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { raw } = this.#reply;
    this.#settle();
    if (!this.#answered && !raw.destroyed) return this.#reject(error);
    // So that half an answer does not look whole.
    raw.destroy();
    this.#reply.hijack();
    this.#resolve();
  }

  #settle(): void {
    this.#reply.raw.off('close', this.#leave);
  }
}

/** Header fields of a single answer rather than of the resource. */
const OF_ONE_ANSWER = ['date', 'content-length', 'x-request-id'];

/** The cacheable part of an answer, without its body; undefined when it is large, has no ETag, or forbids caching. */
function keepable(status: number, headers: IncomingHttpHeaders, maxBodyBytes: number) {
  const { etag, vary, 'content-length': length, 'cache-control': control = '' } = headers;
  if (status !== 200 || etag === undefined || vary !== undefined || /no-store|private/.test(control))
    return undefined;
  if (length === undefined || Number(length) > maxBodyBytes) return undefined;
  const kept: OutgoingHttpHeaders = {};
  for (const name in headers) {
    if (!NOT_PASSED_ON.has(name) && !OF_ONE_ANSWER.includes(name)) kept[name] = headers[name];
  }
  return { headers: kept, etag };
}

const NOT_PASSED_ON = new Set(
  'connection keep-alive transfer-encoding proxy-authenticate upgrade'.split(' '),
);

/** The replica's header fields, overridden by the gateway's own. */
function toCaller(headers: IncomingHttpHeaders, reply: FastifyReply): OutgoingHttpHeaders {
  const passed: OutgoingHttpHeaders = {};
  for (const name in headers) {
    if (!NOT_PASSED_ON.has(name)) passed[name] = headers[name];
  }
  return Object.assign(passed, reply.getHeaders());
}

/** A service's whole answer, for sending again. */
export interface CachedResponse {
  readonly headers: OutgoingHttpHeaders;
  readonly etag: string;
  readonly body: Buffer;
}

interface Entry extends CachedResponse {
  /** The upstream's `generation` when it was received. */
  readonly generation: number;
}

const ENTRY_BYTES = 1000;

/**
 * An LRU cache of answers by address, within a byte budget. A farm's data never change, so an answer with an ETag is
 * valid as long as the gateway stays connected to the same replicas. When one goes or comes, all entries of its
 * domains are invalid: so a service that is down shows as down, and one that serves another farm is asked anew.
 */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry> | undefined;
  /** Larger bodies are not cached. */
  readonly maxBodyBytes: number;

  /** A budget of 0 disables the cache. */
  constructor(maxBytes: number) {
    this.maxBodyBytes = Math.min(256 * 1024, Math.floor(maxBytes / 16));
    if (maxBytes > 0) this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf });
  }

  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  get(upstream: Upstream, url: string): CachedResponse | undefined {
    if (!upstream.connected) return undefined;
    const entry = this.#entries?.get(url);
    return entry?.generation === upstream.generation ? entry : undefined;
  }

  /** `generation` is the upstream's from before the request was sent. */
  set(generation: number, url: string, answer: CachedResponse): void {
    this.#entries?.set(url, { ...answer, generation });
  }
}

function sizeOf({ body }: Entry, url: string): number {
  return ENTRY_BYTES + url.length + body.length;
}

/** The gateway's own metrics. Labels are bounded: known domains, kinds of routes, status codes. */
export function gatewayMetrics(upstreams: Upstreams, cache: ResponseCache) {
  const registry = new Registry();
  const registers = [registry];
  const requests = new RequestMetrics(registry, 'rookery_gateway');
  const retries = new Counter({
    name: 'rookery_gateway_retries_total',
    help: 'Requests that one replica did not answer and that were sent once more, by process',
    labelNames: ['upstream'],
    registers,
  });
  new Gauge({
    name: 'rookery_gateway_replicas',
    help: 'Replicas known, by process (a service, or agents) and whether they could be reached last',
    labelNames: ['upstream', 'state'],
    registers,
    collect() {
      for (const { identity, replicas } of upstreams.all) {
        const upstream = identity.name;
        const up = replicas.filter(({ usable }) => usable).length;
        this.set({ upstream, state: 'up' }, up);
        this.set({ upstream, state: 'down' }, replicas.length - up);
      }
    },
  });
  gauge(registry, 'rookery_gateway_response_cache_bytes', 'Bytes of answers kept', () => cache.bytes);
  watchProcess(registry);
  return {
    requests,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    retried: (upstream: string) => retries.inc({ upstream }),
  };
}
export type GatewayMetrics = ReturnType<typeof gatewayMetrics>;

/** Limit of concurrent requests, to spare the services' callers. */
export const AT_ONCE = 4;
/** A replica that was not asked by then counts as missing. */
const DEADLINE_MS = 5000;

/** Sends the same request to every replica of some services, a few at a time. Never rejects; bounded in time. */
export async function askReplicas(
  upstreams: readonly Upstream[],
  path: string,
  headers?: Readonly<Record<string, string>>,
) {
  const deadline = performance.now() + DEADLINE_MS;
  const questions = upstreams.flatMap((upstream) =>
    upstream.replicas.map((replica) => ({ upstream, replica })),
  );
  return pMap(
    questions,
    async ({ upstream, replica }) => {
      const left = Math.min(ASK_LIMIT_MS, deadline - performance.now());
      const answer = left > 0 ? await replica.get(path, left, headers).catch(() => undefined) : undefined;
      return { upstream, replica, text: answer?.status === 200 ? answer.text : undefined };
    },
    { concurrency: AT_ONCE },
  );
}

/** A costly lookup whose result concurrent callers share, and those for a short time after. Failures are not cached. */
export function cachedLookup<T>(find: () => Promise<T>, keepMs: number): () => Promise<T> {
  let known: Promise<T> | undefined;
  const begin = () => {
    const finding = find();
    const forget = () => {
      if (known === finding) known = undefined;
    };
    finding.then(() => setTimeout(forget, keepMs).unref(), forget);
    return finding;
  };
  return () => {
    known ??= begin();
    return known;
  };
}
