import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../contracts/package-root.ts';
import { formulation } from '../../contracts/sample.ts';
import { colour, drawCurves, escapeHtml, findCurves } from './charts.ts';
import { optionsText, rowLabel, usedColumns } from './columns.ts';
import type { LeaderboardRow } from './leaderboard.ts';

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

/** The leaderboard as one page that asks nothing of any server. */
export function leaderboardPage(rows: readonly LeaderboardRow[]): string {
  const css = readFileSync(join(packageRoot, 'runner', 'leaderboard', 'page', 'leaderboard.css'), 'utf8');
  const splits = [...new Set(rows.filter(({ source }) => source === null).map(({ split }) => split))].join(
    ', ',
  );
  const title = `Leaderboard: ${splits}`;
  const body = [tables(rows), errors(rows), curves(rows), radar(rows), footer(rows)].filter(
    (part) => part !== '',
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${css}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body.join('\n')}
</body>
</html>
`;
}

function tables(rows: readonly LeaderboardRow[]): string {
  return formulation.options
    .map((kind) => {
      const members = rows.filter((row) => row.formulation === kind);
      if (members.length === 0) return '';
      const columns = usedColumns(members);
      const kindOf = (isNumber: boolean) => (isNumber ? ' class="number"' : '');
      const head = columns
        .map(({ name, isNumber }) => `<th${kindOf(isNumber)}>${escapeHtml(name)}</th>`)
        .join('');
      const lines = members.map((row) => {
        const cells = columns.map(
          ({ show, isNumber }) => `<td${kindOf(isNumber)}>${escapeHtml(show(row))}</td>`,
        );
        const about = row.source === null ? '' : ` class="published" title="${escapeHtml(row.source)}"`;
        return `<tr${about}>${cells.join('')}</tr>`;
      });
      return `<h2>${kind.toUpperCase()}</h2><div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
    })
    .join('\n');
}

function errors(rows: readonly LeaderboardRow[]): string {
  const members = rows.filter(({ error_classes }) =>
    Object.values(error_classes ?? {}).some((count) => count > 0),
  );
  if (members.length === 0) return '';
  const classes = [...new Set(members.flatMap(({ error_classes }) => Object.keys(error_classes ?? {})))];
  const used = classes.filter((name) => members.some((row) => countOf(row, name) > 0));
  const lines = members.map((row) => {
    const total = used.reduce((sum, name) => sum + countOf(row, name), 0);
    const parts = used.map((name, i) => {
      const share = (countOf(row, name) / total) * 100;
      return share === 0
        ? ''
        : `<span style="width:${share.toFixed(2)}%;background:${colour(i)}" title="${name} ${share.toFixed(0)} %"></span>`;
    });
    return `<tr><td>${escapeHtml(rowLabel(row))}</td><td><div class="stack">${parts.join('')}</div></td><td class="number">${total}</td></tr>`;
  });
  const legend = used.map((name, i) => `<li><i style="background:${colour(i)}"></i>${name}</li>`);
  return `<h2>Why samples failed</h2><ul class="legend">${legend.join('')}</ul><div class="wide"><table><tbody>${lines.join('')}</tbody></table></div>`;
}

function countOf({ error_classes }: LeaderboardRow, name: string): number {
  return new Map(Object.entries(error_classes ?? {})).get(name) ?? 0;
}

function curves(rows: readonly LeaderboardRow[]): string {
  const all = findCurves(rows);
  return [...new Set(all.map(({ option }) => option))]
    .map((option) => {
      const own = all.filter((curve) => curve.option === option);
      const title = `${own[0]?.figure} by ${option}`;
      return `<h2>${escapeHtml(title)}</h2>${drawCurves(title, option, own)}`;
    })
    .join('\n');
}

function radar(rows: readonly LeaderboardRow[]): string {
  const radars = findRadars(rows);
  return radars.length === 0 ? '' : `<h2>Categories</h2>${drawRadars(radars)}`;
}

function footer(rows: readonly LeaderboardRow[]): string {
  const sources = [...new Set(rows.flatMap(({ source }) => (source === null ? [] : [source])))].sort();
  return sources.length === 0
    ? ''
    : `<footer>Greyed, as published: ${escapeHtml(sources.join('; '))}.</footer>`;
}
