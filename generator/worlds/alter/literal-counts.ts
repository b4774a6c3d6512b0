import { quoteIdentifier } from '../../../sql/index.ts';
import type { Draft } from '../../search/draft.ts';
import type { Target } from '../../search/target.ts';

/** For each literal of the questions and the column that it is compared with: how many rows hold it. */
export function literalCounts(draft: Draft, targets: readonly Target[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tables, literals } of targets.flatMap(({ parts }) => parts)) {
    for (const { place, value } of literals) {
      const table = tables[place.source]?.name ?? '';
      const key = [table, place.column, typeof value, String(value)].join('\0');
      if (counts.has(key)) continue;
      const [t, c] = [quoteIdentifier(table), quoteIdentifier(place.column)];
      counts.set(key, Number(draft.value(`SELECT count(*) FROM ${t} WHERE ${c} = ?`, value)));
    }
  }
  return counts;
}
