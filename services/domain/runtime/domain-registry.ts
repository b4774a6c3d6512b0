import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { ServedDomain } from './served-domain.ts';

/** The domains of a running service, by split and name. */
export class DomainRegistry implements Iterable<ServedDomain> {
  readonly #splits = new Map<string, Map<string, ServedDomain>>();

  constructor(domains: Iterable<ServedDomain>) {
    for (const domain of domains) {
      const { split, db } = domain.service;
      const inSplit = this.#splits.get(split) ?? new Map<string, ServedDomain>();
      this.#splits.set(split, inSplit);
      if (inSplit.has(db)) throw new Error(`the domain ${split}/${db} is given twice`);
      inSplit.set(db, domain);
    }
  }

  /** Throws UNKNOWN_DOMAIN with the nearest names. */
  get(split: string, db: string): ServedDomain {
    const domain = this.#splits.get(split)?.get(db);
    if (domain) return domain;
    const wanted = `${split}/${db}`;
    const known = [...this].map(({ service }) => `${service.split}/${service.db}`);
    const suggestions = nearestNames(wanted, known);
    throw new HttpProblem('UNKNOWN_DOMAIN', `There is no domain ${wanted}${didYouMean(suggestions)}`, {
      errors: [{ field: 'db', code: 'unknown_domain', message: `unknown: ${wanted}`, suggestions }],
    });
  }

  /** The first domain of this name, whatever its split. */
  byName(db: string): ServedDomain | undefined {
    for (const domains of this.#splits.values()) {
      const domain = domains.get(db);
      if (domain) return domain;
    }
    return undefined;
  }

  *[Symbol.iterator](): IterableIterator<ServedDomain> {
    for (const domains of this.#splits.values()) yield* domains.values();
  }
}
