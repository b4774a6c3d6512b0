import { optionsText } from './columns.ts';
import type { LeaderboardRow } from './leaderboard.ts';

/** Text that is safe between tags and in attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Colours that differ for most eyes, in order (after Okabe and Ito). */
export const COLOURS = [
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

/** Curves of one option as one drawing. */
export function drawCurves(title: string, option: string, curves: readonly Curve[]): string {
  const [width, height, left, bottom] = [640, 280, 50, 40];
  const xs = curves.flatMap(({ points }) => points.map(({ x }) => x));
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const x = (value: number) => left + ((value - low) / Math.max(1e-9, high - low)) * (width - left - 10);
  const y = (value: number) => height - bottom - value * (height - bottom - 10);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line class="axis" x1="${left}" x2="${width}" y1="${y(share)}" y2="${y(share)}"/><text x="${left - 8}" y="${y(share) + 4}" text-anchor="end">${share * 100} %</text>`,
  );
  const labels = [...new Set(xs)].map(
    (value) => `<text x="${x(value)}" y="${height - bottom + 18}" text-anchor="middle">${value}</text>`,
  );
  const lines = curves.map(({ points }, i) => {
    const path = points.map((point) => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`).join(' ');
    const dots = points.map(
      (point) =>
        `<circle cx="${x(point.x).toFixed(1)}" cy="${y(point.y).toFixed(1)}" r="3" fill="${colour(i)}"/>`,
    );
    return `<polyline points="${path}" fill="none" stroke="${colour(i)}" stroke-width="2"/>${dots.join('')}`;
  });
  const legend = curves.map(
    ({ label }, i) => `<li><i style="background:${colour(i)}"></i>${escapeHtml(label)}</li>`,
  );
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${escapeHtml(title)}">${ticks.join('')}${labels.join('')}${lines.join('')}<text x="${(left + width) / 2}" y="${height - 4}" text-anchor="middle">${escapeHtml(option)}</text></svg><ul class="legend">${legend.join('')}</ul>`;
}

/** `25%` is 25. */
function numberIn(value: string | number | boolean): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+(\.\d+)?%?$/.test(value) ? Number.parseFloat(value) : Number.NaN;
}
