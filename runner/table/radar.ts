import { colour, escapeHtml } from './html-text.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { optionsText } from './options-text.ts';

/** What a model and agent reached in each category. */
export interface Radar {
  readonly label: string;
  /** By category; from 0 to 1. */
  readonly values: ReadonlyMap<string, number>;
}

/** Models that were run in three categories or more. */
export function findRadars(rows: readonly LeaderboardRow[]): Radar[] {
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

/** One drawing for all. */
export function drawRadars(radars: readonly Radar[]): string {
  const axes = [...new Set(radars.flatMap(({ values }) => [...values.keys()]))].sort();
  const [size, radius] = [380, 130];
  const point = (at: number, share: number): [number, number] => {
    const angle = (at / axes.length) * 2 * Math.PI - Math.PI / 2;
    return [size / 2 + Math.cos(angle) * radius * share, size / 2 + Math.sin(angle) * radius * share];
  };
  const polygon = (shareOf: (axis: string) => number) =>
    axes
      .map((axis, i) =>
        point(i, shareOf(axis))
          .map((n) => n.toFixed(1))
          .join(','),
      )
      .join(' ');
  const rings = [0.25, 0.5, 0.75, 1].map(
    (share) => `<polygon class="axis" points="${polygon(() => share)}" fill="none"/>`,
  );
  const names = axes.map((axis, i) => {
    const [x, y] = point(i, 1.18);
    return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="middle">${escapeHtml(axis)}</text>`;
  });
  const shapes = radars.map(
    ({ values }, i) =>
      `<polygon points="${polygon((axis) => values.get(axis) ?? 0)}" fill="${colour(i)}22" stroke="${colour(i)}" stroke-width="2"/>`,
  );
  const legend = radars.map(
    ({ label }, i) => `<li><i style="background:${colour(i)}"></i>${escapeHtml(label)}</li>`,
  );
  return `<svg viewBox="0 0 ${size} ${size}" width="${size}" role="img" aria-label="categories">${rings.join('')}${names.join('')}${shapes.join('')}</svg><ul class="legend">${legend.join('')}</ul>`;
}
