import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { getOrInsert } from './concurrency.ts';
import { originsOf } from './http/listen.ts';
import { HttpProblem, lateAnswer, unknownDomain } from './http/problem.ts';

export interface UpstreamOptions extends ReplicaLimits {
  /** Its URLs, such as `http://vet-clinics:8080`. Each host name may resolve to several addresses. */
  readonly urls: readonly URL[];
}

/** Identity of a process, for messages and metrics. */
export interface UpstreamIdentity {
  readonly dbs: readonly string[];
  readonly name: string;
  /** For example `The service of zoo`. */
  readonly title: string;
  readonly goneCode: 'DOMAIN_UNAVAILABLE' | 'AGENTS_UNAVAILABLE';
}

/** One lookup serves all requests within this time. */
const LOOKUP_EVERY_MS = 250;

export class Upstream {
  readonly identity: UpstreamIdentity;
  /** Changes whenever a replica appears, disappears or closes a connection, since it may have been replaced. */
  generation = 0;
  readonly #options: UpstreamOptions;
  #replicas: readonly Replica[] = [];
  #turn = 0;
  #lookup: Promise<void> | undefined;
  #lookedUp = Number.NEGATIVE_INFINITY;

  constructor(identity: UpstreamIdentity, options: UpstreamOptions) {
    this.identity = identity;
    this.#options = options;
  }

  get dbs(): readonly string[] {
    return this.identity.dbs;
  }

  get replicas(): readonly Replica[] {
    return this.#replicas;
  }

  get connected(): boolean {
    return this.#replicas.some(({ connections }) => connections > 0);
  }

  /** The usable replica with the fewest requests in progress, round-robin among equals, excluding `except`. */
  pick(except: ReadonlySet<Replica>): Replica | undefined {
    const count = this.#replicas.length;
    let best: Replica | undefined;
    this.#turn = (this.#turn + 1) % Math.max(1, count);
    for (let i = 0; i < count; i++) {
      const replica = this.#replicas[(this.#turn + i) % count] as Replica;
      if (!replica.usable || except.has(replica)) continue;
      if (!best || replica.inFlight < best.inFlight) best = replica;
    }
    return best;
  }

  /** Resolves the name again, rate-limited. Never rejects. */
  refresh(): Promise<void> {
    if (this.#lookup) return this.#lookup;
    if (performance.now() - this.#lookedUp < LOOKUP_EVERY_MS) return Promise.resolve();
    this.#lookup = this.#resolve().finally(() => {
      this.#lookup = undefined;
      this.#lookedUp = performance.now();
    });
    return this.#lookup;
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }

  async #resolve(): Promise<void> {
    const origins = await originsOf(this.#options.urls);
    // A failing name server does not mean that the replicas are gone.
    if (origins.length === 0) return;
    const known = new Map(this.#replicas.map((replica) => [replica.origin, replica]));
    if (origins.length === known.size && origins.every((origin) => known.has(origin))) return;
    this.generation++;
    const changed = () => {
      this.generation++;
    };
    this.#replicas = origins.map(
      (origin) => known.get(origin) ?? new Replica(origin, this.#options, changed),
    );
    for (const [origin, replica] of known) {
      if (!origins.includes(origin)) replica.close().catch(() => {});
    }
  }
}

export interface ReplicaLimits {
  readonly connectMs: number;
  /** Time from the request to the first byte of the response. */
  readonly answerMs: number;
  /** Time between two chunks of a response; 0 for no limit. Default: `answerMs`. */
  readonly silenceMs?: number;
}

export const DEFAULT_REPLICA_LIMITS: ReplicaLimits = { connectMs: 1000, answerMs: 60_000 };

export interface WholeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface WholeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** More than a service queues for slow queries, so that these cannot take all connections from quick ones. */
const MAX_CONNECTIONS = 256;
/** How long an unreachable replica is avoided. */
const PAUSE_MS = 1000;

/** One running copy of a service: its address and the connections to it. */
export class Replica {
  readonly origin: string;
  inFlight = 0;
  connections = 0;
  readonly #pool: Pool;
  #pausedUntil = 0;
  #closed: Promise<void> | undefined;

  /** `onLost` is called for every connection that ends. */
  constructor(
    origin: string,
    { connectMs, answerMs, silenceMs = answerMs }: ReplicaLimits,
    onLost: () => void,
  ) {
    this.origin = origin;
    this.#pool = new Pool(origin, {
      connections: MAX_CONNECTIONS,
      pipelining: 1,
      connect: { timeout: connectMs },
      headersTimeout: answerMs,
      bodyTimeout: silenceMs,
    });
    this.#pool.on('connect', () => {
      this.connections++;
    });
    this.#pool.on('disconnect', () => {
      this.connections--;
      onLost();
    });
  }

  get usable(): boolean {
    return this.#pausedUntil === 0 || performance.now() >= this.#pausedUntil;
  }

  /** Marks it unreachable, so that others are tried first for a while. */
  pause(): void {
    this.#pausedUntil = performance.now() + PAUSE_MS;
  }

  resume(): void {
    this.#pausedUntil = 0;
  }

  dispatch(request: Omit<Dispatcher.DispatchOptions, 'origin'>, handler: Dispatcher.DispatchHandler): void {
    this.#pool.dispatch(request, handler);
  }

  /**
   * Rejects if there is no response, if it takes longer than `limitMs` from the request to its last byte, or if `gone`
   * is aborted.
   */
  async ask(
    { method, path, headers, body }: WholeRequest,
    limitMs: number,
    gone?: AbortSignal,
  ): Promise<WholeAnswer> {
    // undici's own limits restart with every chunk of a response.
    const late = AbortSignal.timeout(limitMs);
    const signal = gone ? AbortSignal.any([late, gone]) : late;
    const answer = await this.#pool.request({ method, path, headers, body: body ?? null, signal });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }

  get(
    path: string,
    limitMs: number,
    headers: Readonly<Record<string, string>> = { accept: 'application/json' },
  ): Promise<WholeAnswer> {
    return this.ask({ method: 'GET', path, headers }, limitMs);
  }

  /** Resolves when all requests in progress have ended. Can be called twice. */
  close(): Promise<void> {
    this.#closed ??= this.#pool.close();
    return this.#closed;
  }
}

/** Interval for resolving names, to find new replicas and drop old ones. */
const REFRESH_MS = 1000;

export class Upstreams {
  readonly #splitOf: (db: string) => string | undefined;
  readonly #byDomain: ReadonlyMap<string, Upstream>;
  readonly services: readonly Upstream[];
  readonly agents: Upstream | undefined;
  /** The same process as `agents`, at the harness port. */
  readonly agentsHarness: Upstream | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    splitOf: (db: string) => string | undefined,
    services: readonly Upstream[],
    agents?: Upstream,
    agentsHarness?: Upstream,
  ) {
    this.#splitOf = splitOf;
    this.agents = agents;
    this.agentsHarness = agentsHarness;
    this.services = services;
    this.#byDomain = new Map(services.flatMap((service) => service.dbs.map((db) => [db, service])));
  }

  /** Throws UNKNOWN_DOMAIN with the nearest names. */
  get(split: string, db: string): Upstream {
    const upstream = split === this.#splitOf(db) ? this.#byDomain.get(db) : undefined;
    if (upstream) return upstream;
    const known = [...this.#byDomain.keys()].map((name) => `${this.#splitOf(name)}/${name}`);
    throw unknownDomain(`${split}/${db}`, known, Number.POSITIVE_INFINITY);
  }

  get all(): readonly Upstream[] {
    return [...this.services, ...(this.agents ? [this.agents] : [])];
  }

  byName(db: string): Upstream | undefined {
    return this.#byDomain.get(db);
  }

  /** Resolves all names now and regularly, until `close`. */
  watch(): void {
    const refresh = () => Promise.all(this.#places.map((upstream) => upstream.refresh()));
    this.#timer = setInterval(refresh, REFRESH_MS).unref();
    refresh();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#places.map((upstream) => upstream.close()));
  }

  get #places(): readonly Upstream[] {
    return [...this.all, ...(this.agentsHarness ? [this.agentsHarness] : [])];
  }

  get domains(): readonly string[] {
    return [...this.#byDomain.keys()];
  }
}

export function domainsUpstream(dbs: readonly string[], options: UpstreamOptions): Upstream {
  // A service of several domains is identified by the name in its URL.
  const [db = '', ...others] = dbs;
  const name = others.length === 0 ? db : (options.urls[0]?.hostname ?? db);
  return new Upstream(
    { dbs, name, title: `The service of ${name}`, goneCode: 'DOMAIN_UNAVAILABLE' },
    options,
  );
}

export function upstreamsOf(
  places: ReadonlyMap<string, readonly URL[]>,
  limits: Omit<UpstreamOptions, 'urls'>,
): Upstream[] {
  const services = new Map<string, { readonly urls: readonly URL[]; dbs: string[] }>();
  for (const [db, urls] of places) {
    getOrInsert(services, urls.join(' '), () => ({ urls, dbs: [] as string[] })).dbs.push(db);
  }
  return [...services.values()].map(({ urls, dbs }) => domainsUpstream(dbs, { ...limits, urls }));
}

export function agentsUpstream(options: UpstreamOptions): Upstream {
  const title = 'The process that keeps tasks, tool lists, MCP and runs';
  return new Upstream({ dbs: [], name: 'agents', title, goneCode: 'AGENTS_UNAVAILABLE' }, options);
}

export interface Attempts {
  /** Whether a request may be repeated when it is unknown if it was carried out. */
  readonly repeatable: boolean;
  readonly onRetry?: () => void;
}

/** How long a request waits for a name lookup when no replica is left. */
const LOOKUP_WAIT_MS = 300;

/**
 * Sends a request to one of an upstream's replicas. If one is unreachable, the next is tried; if the request is
 * repeatable, also when one closes the connection before it responds. `send` rejects only if there was no response at
 * all. Throws DOMAIN_UNAVAILABLE or AGENTS_UNAVAILABLE, BAD_GATEWAY, GATEWAY_TIMEOUT.
 */
export async function tryReplicas<Answer>(
  upstream: Upstream,
  send: (replica: Replica) => Promise<Answer>,
  { repeatable, onRetry }: Attempts,
): Promise<Answer> {
  const passedOver = new Set<Replica>();
  const reconnected = new Set<Replica>();
  for (;;) {
    const replica = upstream.pick(passedOver) ?? (await lookAgain(upstream, passedOver));
    if (!replica) throw unavailable(upstream);
    replica.inFlight++;
    try {
      const answer = await send(replica);
      replica.resume();
      return answer;
    } catch (error) {
      const kind = kindOfFailure(error);
      const { title } = upstream.identity;
      if (kind === 'late') throw lateAnswer(title, error);
      if (kind === 'broken') throw badGateway(`${title} gave an answer that is not HTTP.`, error);
      if (kind === 'unreachable') {
        replica.pause();
        passedOver.add(replica);
      } else if (!repeatable) {
        throw badGateway(`${title} broke off before it answered. ${MAYBE_DONE}`, error);
      } else if (reconnected.has(replica)) {
        passedOver.add(replica);
      }
      // The other side may close an idle connection just when it is reused, which is no fault.
      reconnected.add(replica);
      onRetry?.();
    } finally {
      replica.inFlight--;
    }
  }
}

async function lookAgain(upstream: Upstream, except: ReadonlySet<Replica>): Promise<Replica | undefined> {
  await Promise.race([upstream.refresh(), setTimeout(LOOKUP_WAIT_MS, undefined, { ref: false })]);
  return upstream.pick(except);
}

/**
 * Why a replica did not respond.
 *
 * - `unreachable`: there was no connection.
 * - `closed`: the connection ended before any response.
 * - `late`: it took too long.
 * - `broken`: the response is not HTTP, or anything else.
 */
export type Failure = 'unreachable' | 'closed' | 'late' | 'broken';

const FAILURES: ReadonlyMap<string, Failure> = new Map(
  [
    ['unreachable', 'ECONNREFUSED EHOSTUNREACH ENETUNREACH EHOSTDOWN ETIMEDOUT'] as const,
    ['unreachable', 'UND_ERR_CONNECT_TIMEOUT UND_ERR_DESTROYED UND_ERR_CLOSED'] as const,
    ['closed', 'ECONNRESET EPIPE UND_ERR_SOCKET'] as const,
    ['late', 'UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT'] as const,
  ].flatMap(([failure, codes]) => codes.split(' ').map((code) => [code, failure] as const)),
);

/** Classifies undici's error before any response. `unreachable` guarantees that nothing was sent. */
export function kindOfFailure(error: unknown): Failure {
  const { code = '', name, syscall = 'connect' } = error as Partial<NodeJS.ErrnoException>;
  if (name === 'TimeoutError') return 'late';
  const kind = FAILURES.get(code) ?? 'broken';
  // On an established connection, the request may have arrived.
  return kind === 'unreachable' && syscall !== 'connect' ? 'closed' : kind;
}

/** No replica is reachable; nothing was sent. */
function unavailable({ identity: { goneCode, title } }: Upstream): HttpProblem {
  const headers = { 'retry-after': '1' };
  return new HttpProblem(goneCode, `${title} cannot be reached; try again in a moment.`, { headers });
}

const MAYBE_DONE = 'The request may have been carried out: look before you send it again.';

function badGateway(detail: string, cause: unknown): HttpProblem {
  return new HttpProblem('BAD_GATEWAY', detail, { cause });
}
