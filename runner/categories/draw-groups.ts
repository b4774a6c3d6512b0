import { Seeded } from '../seeded.ts';
import type { Candidate } from './composer.ts';
import { startOf, takeCompatible } from './take.ts';

export interface DrawOptions {
  readonly seed: number;
  /** Names the draw, so that categories do not all draw the same groups. */
  readonly scope: string;
  /** Of a group; the least and the most. */
  readonly sizes: readonly [number, number];
  readonly fits: (a: Candidate, b: Candidate) => boolean;
}

/**
 * Candidates of one domain and start table in groups, each in one group at most; domains take turns, in an order drawn
 * by the seed.
 */
export function* drawGroups(
  candidates: readonly Candidate[],
  { seed, scope, sizes: [least, most], fits }: DrawOptions,
): Generator<readonly [Candidate, ...Candidate[]]> {
  const chance = new Seeded(seed, scope);
  const domains = new Map<string, Candidate[]>();
  for (const candidate of chance.shuffle(candidates)) {
    const key = `${candidate.task.db} ${startOf(candidate)}`;
    domains.set(key, [...(domains.get(key) ?? []), candidate]);
  }
  let queue = chance.shuffle([...domains.values()]);
  while (queue.length > 0) {
    const next: Candidate[][] = [];
    for (const members of queue) {
      const { taken, others } = takeCompatible(members, least + chance.integer(most - least + 1), fits);
      const [first, ...more] = taken;
      if (first === undefined || more.length + 1 < least) continue;
      yield [first, ...more];
      next.push(others);
    }
    queue = next;
  }
}
