import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { originsOf } from './http/listen.ts';
import { HttpProblem, lateAnswer, unknownDomain } from './http/problem.ts';

export interface UpstreamOptions extends ReplicaLimits {
  /** Where it is: `http://vet-clinics:8080`. Each name may stand for several addresses. */
  readonly urls: readonly URL[];
}

/** Which process it is, and how messages and metrics tell of it. */
export interface UpstreamIdentity {
  /** The domains whose service it is; none for a process that has no domains. */
  readonly dbs: readonly string[];
  readonly name: string;
  /** `The service of zoo` */
  readonly title: string;
  readonly goneCode: 'DOMAIN_UNAVAILABLE' | 'AGENTS_UNAVAILABLE';
}

/** One lookup answers everybody who asks within this time. */
const LOOKUP_EVERY_MS = 250;

/** The replicas of one process behind ours, such as a domain's service, as its name is resolved from time to time. */
export class Upstream {
  readonly identity: UpstreamIdentity;
  /** Another number whenever a replica came, went, or closed a connection: it may not be the same any more. */
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

  /** The domains whose service it is. */
  get dbs(): readonly string[] {
    return this.identity.dbs;
  }

  get replicas(): readonly Replica[] {
    return this.#replicas;
  }

  /** Whether there is a connection to any replica. */
  get connected(): boolean {
    return this.#replicas.some(({ connections }) => connections > 0);
  }

  /** The usable replica with the fewest requests under way, in turn among equals; none of `except`. */
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

  /** Resolves the name again, at most every now and then. Never rejects. */
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
    const origins = await this.#origins();
    // A name server that fails says nothing about replicas that may well be running.
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

  async #origins(): Promise<string[]> {
    const found = await Promise.all(this.#options.urls.map(originsOf));
    return [...new Set(found.flat())];
  }
}

export interface ReplicaLimits {
  /** A connection that is not there by then is given up. */
  readonly connectMs: number;
  /** From the request to the first byte of the answer. */
  readonly answerMs: number;
  /** Between two pieces of an answer; 0: as long as it likes. Default: as `answerMs`. */
  readonly silenceMs?: number;
}

export const DEFAULT_REPLICA_LIMITS: ReplicaLimits = { connectMs: 1000, answerMs: 60_000 };

/** A request of our own, to be answered whole. */
export interface WholeRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface WholeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Above what a service lets wait for slow queries, so that these cannot use up the connections of quick ones. */
const MAX_CONNECTIONS = 256;
/** How long a replica that could not be reached is left alone. */
const PAUSE_MS = 1000;

/** One running copy of a domain's service: its address and the connections kept to it. */
export class Replica {
  /** `http://172.18.0.3:8080` */
  readonly origin: string;
  /** Requests under way. */
  inFlight = 0;
  /** Open connections. */
  connections = 0;
  readonly #pool: Pool;
  #pausedUntil = 0;
  #closed: Promise<void> | undefined;

  /** `onLost` hears of every connection that ends. */
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

  /** Whether a request may be tried here. */
  get usable(): boolean {
    return this.#pausedUntil === 0 || performance.now() >= this.#pausedUntil;
  }

  /** It could not be reached: others are tried first for a while. */
  pause(): void {
    this.#pausedUntil = performance.now() + PAUSE_MS;
  }

  /** It answered. */
  resume(): void {
    this.#pausedUntil = 0;
  }

  dispatch(request: Omit<Dispatcher.DispatchOptions, 'origin'>, handler: Dispatcher.DispatchHandler): void {
    this.#pool.dispatch(request, handler);
  }

  /** Rejects when there is no answer, it takes longer than `limitMs` from the request to its last byte, or `gone` is aborted. */
  async ask(
    { method, path, headers, body }: WholeRequest,
    limitMs: number,
    gone?: AbortSignal,
  ): Promise<WholeAnswer> {
    // Not undici's own limits: those begin anew with every piece of an answer.
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

  /** Ends when what is under way is answered. Safe to call twice. */
  close(): Promise<void> {
    this.#closed ??= this.#pool.close();
    return this.#closed;
  }
}

/** How often names are resolved again, so that new replicas are found and old ones left. */
const REFRESH_MS = 1000;

/** The upstreams of a farm's services, by split and domain; and, where there is one, that of the process for agents. */
export class Upstreams {
  readonly #split: string;
  readonly #byDomain: ReadonlyMap<string, Upstream>;
  readonly services: readonly Upstream[];
  readonly agents: Upstream | undefined;
  /** The same process as `agents`, at the port that is the harness's own. */
  readonly agentsHarness: Upstream | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(split: string, services: readonly Upstream[], agents?: Upstream, agentsHarness?: Upstream) {
    this.#split = split;
    this.agents = agents;
    this.agentsHarness = agentsHarness;
    this.services = services;
    this.#byDomain = new Map(services.flatMap((service) => service.dbs.map((db) => [db, service])));
  }

  /** Throws UNKNOWN_DOMAIN with the nearest names. */
  get(split: string, db: string): Upstream {
    const upstream = split === this.#split ? this.#byDomain.get(db) : undefined;
    if (upstream) return upstream;
    const known = [...this.#byDomain.keys()].map((name) => `${this.#split}/${name}`);
    throw unknownDomain(`${split}/${db}`, known, Number.POSITIVE_INFINITY);
  }

  /** Of all processes: the domains', and that for agents. */
  get all(): readonly Upstream[] {
    return [...this.services, ...(this.agents ? [this.agents] : [])];
  }

  byName(db: string): Upstream | undefined {
    return this.#byDomain.get(db);
  }

  /** Resolves all names, now and from time to time, until `close`. */
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

  /** Of all services, in the order in which these were given. */
  get domains(): readonly string[] {
    return [...this.#byDomain.keys()];
  }
}

/** The upstream of the service of some domains. */
export function domainsUpstream(dbs: readonly string[], options: UpstreamOptions): Upstream {
  // A service of several domains is known by the name that it has in its address.
  const [db = '', ...others] = dbs;
  const name = others.length === 0 ? db : (options.urls[0]?.hostname ?? db);
  return new Upstream(
    { dbs, name, title: `The service of ${name}`, goneCode: 'DOMAIN_UNAVAILABLE' },
    options,
  );
}

/** The upstreams of domains by where these are: those at the same place are served by one service. */
export function upstreamsOf(
  places: ReadonlyMap<string, readonly URL[]>,
  limits: Omit<UpstreamOptions, 'urls'>,
): Upstream[] {
  const services = new Map<string, { readonly urls: readonly URL[]; readonly dbs: string[] }>();
  for (const [db, urls] of places) {
    const place = urls.join(' ');
    const service = services.get(place) ?? { urls, dbs: [] };
    services.set(place, service);
    service.dbs.push(db);
  }
  return [...services.values()].map(({ urls, dbs }) => domainsUpstream(dbs, { ...limits, urls }));
}

/** The upstream of the one process that keeps what agents need beside the domains. */
export function agentsUpstream(options: UpstreamOptions): Upstream {
  const title = 'The process that keeps tasks, tool lists, MCP and runs';
  return new Upstream({ dbs: [], name: 'agents', title, goneCode: 'AGENTS_UNAVAILABLE' }, options);
}

export interface Attempts {
  /** Whether a request may be sent again when it is unknown whether it was carried out. */
  readonly repeatable: boolean;
  readonly onRetry?: () => void;
}

/** How long a request waits for a name to be resolved again when no replica is left. */
const LOOKUP_WAIT_MS = 300;

/**
 * Sends a request to one of an upstream's replicas. One that cannot be reached is passed over for the next; so is,
 * if that is allowed, one that closes the connection before it says anything. `send` rejects only when there was no
 * answer at all. Throws DOMAIN_UNAVAILABLE or AGENTS_UNAVAILABLE, BAD_GATEWAY, GATEWAY_TIMEOUT.
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
      if (kind === 'late') throw late(upstream, error);
      if (kind === 'broken') throw notHttp(upstream, error);
      if (kind === 'unreachable') {
        replica.pause();
        passedOver.add(replica);
      } else if (!repeatable) {
        throw brokenOff(upstream, error);
      } else if (reconnected.has(replica)) {
        passedOver.add(replica);
      }
      // A kept connection may be closed by the other side at the very moment it is used: that is no sign of a fault.
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
 * Why a replica gave no answer.
 *
 * - `unreachable`: there was no connection.
 * - `closed`: the connection ended before a word of the answer.
 * - `late`: it took too long.
 * - `broken`: what came is not HTTP, or anything else.
 */
export type Failure = 'unreachable' | 'closed' | 'late' | 'broken';

const FAILURES: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ETIMEDOUT: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  UND_ERR_DESTROYED: 'unreachable',
  UND_ERR_CLOSED: 'unreachable',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
  UND_ERR_HEADERS_TIMEOUT: 'late',
  UND_ERR_BODY_TIMEOUT: 'late',
};

/** The kind of what undici threw before any answer. Of `unreachable` it is certain that nothing was sent. */
export function kindOfFailure(error: unknown): Failure {
  const {
    code = '',
    name,
    syscall = 'connect',
  } = error as { code?: string; name?: string; syscall?: string };
  if (name === 'TimeoutError') return 'late';
  const kind = FAILURES[code] ?? 'broken';
  // On a connection that stood already, the request may have arrived.
  return kind === 'unreachable' && syscall !== 'connect' ? 'closed' : kind;
}

/** No replica can be reached: nothing was sent. */
export function unavailable(upstream: Upstream): HttpProblem {
  return new HttpProblem(
    upstream.identity.goneCode,
    `${upstream.identity.title} cannot be reached; try again in a moment.`,
    { headers: { 'retry-after': '1' } },
  );
}

/** The connection ended before a word of the answer, and the request must not be sent again. */
export function brokenOff(upstream: Upstream, cause: unknown): HttpProblem {
  const detail = `${upstream.identity.title} broke off before it answered. The request may have been carried out: look before you send it again.`;
  return new HttpProblem('BAD_GATEWAY', detail, { cause });
}

export function late(upstream: Upstream, cause: unknown): HttpProblem {
  return lateAnswer(upstream.identity.title, cause);
}

export function notHttp(upstream: Upstream, cause: unknown): HttpProblem {
  return new HttpProblem('BAD_GATEWAY', `${upstream.identity.title} gave an answer that is not HTTP.`, {
    cause,
  });
}
