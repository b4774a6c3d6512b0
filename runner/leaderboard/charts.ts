import { optionsText } from './columns.ts';
import type { LeaderboardRow } from './leaderboard.ts';

/** Colours that differ for most eyes, in order (after Okabe and Ito). */
const COLOURS = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#d55e00',
  '#f0e442',
  '#999999',
  '#000000',
];

export function colour(at: number): string {
  return COLOURS[at % COLOURS.length] ?? '#000000';
}

/** Completion of one model and agent over an option that was varied; of `hybrid`, execution accuracy over the share. */
export interface Curve {
  /** What is drawn. */
  readonly figure: 'Completion' | 'Execution accuracy';
  readonly option: string;
  readonly label: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** The curves in a leaderboard: rows that differ in one numeric option alone. A share of tools that is not said is all of them. */
export function findCurves(rows: readonly LeaderboardRow[]): Curve[] {
  const numeric = [
    ...new Set(
      rows.flatMap(({ options }) =>
        Object.entries(options)
          .filter(([, v]) => Number.isFinite(numberIn(v)))
          .map(([name]) => name),
      ),
    ),
  ];
  const varied = numeric.sort().flatMap((option) => {
    const groups = new Map<string, { x: number; y: number }[]>();
    for (const row of rows) {
      const { [option]: value = option === 'tools' ? '100%' : undefined, ...others } = row.options;
      if (value === undefined || row.completion === null) continue;
      const label = [
        row.model,
        row.agent,
        row.formulation,
        optionsText(others),
        row.source === null ? '' : 'published',
      ]
        .filter((part) => part !== '')
        .join(', ');
      groups.set(label, [...(groups.get(label) ?? []), { x: numberIn(value), y: row.completion }]);
    }
    return [...groups]
      .filter(([, points]) => new Set(points.map(({ x }) => x)).size > 1)
      .map(([label, points]) => ({
        figure: 'Completion' as const,
        option,
        label,
        points: points.sort((a, b) => a.x - b.x),
      }));
  });
  return [...varied, ...rows.flatMap(curveOfShares)];
}

/** One run has tasks at several shares of the tables behind APIs; execution accuracy, as the paper draws it. */
function curveOfShares({ model, agent, options, hybrid, source }: LeaderboardRow): Curve[] {
  const points = Object.entries(hybrid?.by_share ?? {}).flatMap(([share, y]) =>
    y === null ? [] : [{ x: Number.parseInt(share, 10), y }],
  );
  if (new Set(points.map(({ x }) => x)).size < 2) return [];
  const label = [model, agent, optionsText(options), source === null ? '' : 'published']
    .filter((part) => part !== '')
    .join(', ');
  return [
    {
      figure: 'Execution accuracy',
      option: SHARE_BEHIND_APIS,
      label,
      points: points.sort((a, b) => a.x - b.x),
    },
  ];
}

/** Percent of the tables. */
const SHARE_BEHIND_APIS = 'share of tables behind APIs';

/** `25%` is 25. */
function numberIn(value: string | number | boolean): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+(\.\d+)?%?$/.test(value) ? Number.parseFloat(value) : Number.NaN;
}

/** Models that were run in three categories or more. */
export function findRadars(rows: readonly LeaderboardRow[]) {
  const groups = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const { category, ...others } = row.options;
    const value = row.relevance ?? row.completion;
    if (typeof category !== 'string' || value === null) continue;
    const label = [row.model, row.agent, optionsText(others)].filter((part) => part !== '').join(', ');
    const values = groups.get(label) ?? new Map<string, number>();
    values.set(category, value);
    groups.set(label, values);
  }
  return [...groups].filter(([, values]) => values.size >= 3).map(([label, values]) => ({ label, values }));
}
