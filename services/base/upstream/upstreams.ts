import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { HttpProblem } from '../http/problem.ts';
import type { Upstream } from './upstream.ts';

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
    const wanted = `${split}/${db}`;
    const known = [...this.#byDomain.keys()].map((name) => `${this.#split}/${name}`);
    const suggestions = nearestNames(wanted, known);
    throw new HttpProblem('UNKNOWN_DOMAIN', `There is no domain ${wanted}${didYouMean(suggestions)}`, {
      errors: [{ field: 'db', code: 'unknown_domain', message: `unknown: ${wanted}`, suggestions }],
    });
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
