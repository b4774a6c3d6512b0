import { originsOf } from '../http/origins-of.ts';
import { Replica, type ReplicaLimits } from './replica.ts';

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
