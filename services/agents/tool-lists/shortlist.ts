import { countTools, type ListOptions } from '../../../contracts/list-options.ts';
import { seededOrder } from '../../base/seeded-order.ts';

/** Besides the options, what a shortlist depends on. */
export interface Draw {
  readonly scope: string;
  /** Of what a share is one; by default the toolset. */
  readonly size?: number;
  /** In an exam: draws too. */
  readonly key?: string | null;
}

/**
 * Which tools of a toolset are offered, by name. With a share, a number or a provider's limit: that many, rounded down, all gold ones
 * among them even when they are more, the rest drawn without replacement, in an order that tells nothing; a larger
 * list of the same seed has all of a smaller one. The whole toolset keeps its own order. In an exam its key draws too.
 */
export function shortlist(
  names: readonly string[],
  gold: ReadonlySet<string>,
  { tools, withhold, seed }: Pick<ListOptions, 'tools' | 'withhold' | 'seed'>,
  { scope, size = names.length, key = null }: Draw,
): readonly string[] {
  const offered = withhold === 'gold' ? names.filter((name) => !gold.has(name)) : names;
  const wanted = countTools(tools, size);
  if (wanted >= offered.length) return offered;
  const kept = offered.filter((name) => gold.has(name));
  const others = seededOrder(
    offered.filter((name) => !gold.has(name)),
    seed,
    `draw ${scope}`,
    (name) => name,
    key,
  );
  const drawn = others.slice(0, Math.max(0, wanted - kept.length));
  return seededOrder([...kept, ...drawn], seed, `order ${scope}`, (name) => name, key);
}
