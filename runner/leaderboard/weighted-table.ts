import type { ReportTable } from '../../eval/metrics/figures.ts';
import { defaultName, percent } from './columns.ts';
import type { LeaderboardRow } from './leaderboard.ts';

/** What a run counts as: its category, else `irrelevance` if the gold tools are withheld, else its formulation. */
function partOf({ options: { category, withhold }, formulation }: LeaderboardRow): string {
  return typeof category === 'string' ? category : withhold === 'gold' ? 'irrelevance' : formulation;
}

/**
 * A line for each model and way of asking, with the completion (or relevance) of each weighted part and their weighted
 * mean. A line that lacks a part has no mean; of several runs of one part, each is a line of its own.
 */
export function weightedTable(
  rows: readonly LeaderboardRow[],
  weights: ReadonlyMap<string, number>,
): ReportTable {
  const lines = new Map<string, Map<string, number | null>[]>();
  for (const row of rows) {
    const part = partOf(row);
    if (!weights.has(part)) continue;
    const { category: _, withhold: __, ...options } = row.options;
    const name = defaultName({ ...row, options });
    const own = lines.get(name) ?? [];
    const line = own.find((each) => !each.has(part)) ?? new Map<string, number | null>();
    if (!own.includes(line)) own.push(line);
    line.set(part, row.relevance ?? row.completion);
    lines.set(name, own);
  }
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const meanOf = (line: ReadonlyMap<string, number | null>) => {
    let sum = 0;
    for (const [part, weight] of weights) {
      const value = line.get(part) ?? null;
      if (value === null) return null;
      sum += weight * value;
    }
    return sum / total;
  };
  return {
    title: `Weighted mean: ${[...weights].map(([part, weight]) => `${part} × ${weight}`).join(', ')}`,
    head: ['', ...weights.keys(), 'weighted mean'],
    rows: [...lines].flatMap(([name, own]) =>
      own.map((line) => [
        name,
        ...[...weights.keys()].map((part) => percent(line.get(part) ?? null)),
        percent(meanOf(line)),
      ]),
    ),
  };
}
