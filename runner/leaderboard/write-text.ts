import { FORMULATION_NAMES } from '../../contracts/vocabulary.ts';
import type { ReportTable } from '../../eval/metrics/figures.ts';
import { rowLabel, usedColumns } from './columns.ts';
import type { LeaderboardRow } from './leaderboard.ts';

/** The leaderboard for a terminal. */
export function leaderboardTables(rows: readonly LeaderboardRow[]): ReportTable[] {
  return FORMULATION_NAMES.flatMap((kind) => {
    const members = rows.filter((row) => row.formulation === kind);
    if (members.length === 0) return [];
    const columns = usedColumns(members);
    const widths = columns.map(({ name, show }) =>
      Math.max(name.length, ...members.map((row) => show(row).length)),
    );
    const align = (cell: string, at: number) =>
      columns[at]?.isNumber ? cell.padStart(widths[at] ?? 0) : cell;
    return [
      {
        title: kind.toUpperCase(),
        head: [...columns.map(({ name }, at) => align(name, at)), ''],
        rows: members.map((row) => [
          ...columns.map(({ show }, at) => align(show(row), at)),
          row.source === null ? '' : 'published',
        ]),
      },
    ];
  });
}

/** Failure reasons, one column per class, as shares of the failures. Rows without failures are omitted. */
export function errorTable(rows: readonly LeaderboardRow[]): ReportTable | null {
  const members = rows.filter(({ error_classes }) => error_classes !== null && sum(error_classes) > 0);
  const classes = [
    ...new Set(
      members.flatMap(({ error_classes }) =>
        Object.entries(error_classes ?? {})
          .filter(([, n]) => n > 0)
          .map(([name]) => name),
      ),
    ),
  ];
  if (members.length === 0) return null;
  return {
    title: 'Why samples failed, in shares of the failures',
    head: ['', ...classes],
    rows: members.map((row) => [
      rowLabel(row),
      ...classes.map((name) => {
        const counts = new Map(Object.entries(row.error_classes ?? {}));
        const share = (counts.get(name) ?? 0) / sum(row.error_classes ?? {});
        return share === 0 ? '' : `${(share * 100).toFixed(0)} %`;
      }),
    ]),
  };
}

/** The leaderboard as Markdown; published rows in italics. */
export function leaderboardMarkdown(rows: readonly LeaderboardRow[]): string {
  return FORMULATION_NAMES.flatMap((kind) => {
    const members = rows.filter((row) => row.formulation === kind);
    if (members.length === 0) return [];
    const columns = usedColumns(members);
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
    const lines = members.map((row) => {
      const cells = columns.map(({ show }) => show(row).replaceAll('|', '\\|'));
      return line(row.source === null ? cells : cells.map((cell) => (cell === '' ? '' : `*${cell}*`)));
    });
    const rule = columns.map(({ isNumber }) => (isNumber ? '---:' : '---'));
    return [
      `### ${kind.toUpperCase()}\n\n${[line(columns.map(({ name }) => name)), line(rule), ...lines].join('\n')}`,
    ];
  })
    .concat(sources(rows))
    .join('\n\n');
}

export function markdownTable({ title, head, rows }: ReportTable): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [`### ${title}\n`, line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function sources(rows: readonly LeaderboardRow[]): string[] {
  const all = [...new Set(rows.flatMap(({ source }) => (source === null ? [] : [source])))].sort();
  return all.length === 0 ? [] : [`In italics, as published: ${all.join('; ')}.`];
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
