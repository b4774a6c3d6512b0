import { type Command, Option } from 'commander';
import { type LeaderboardRow, sortRows } from '../../runner/table/leaderboard.ts';
import { leaderboardPage } from '../../runner/table/leaderboard-page.ts';
import { publishedRows } from '../../runner/table/published-rows.ts';
import {
  errorTable,
  leaderboardCsv,
  leaderboardMarkdown,
  leaderboardTables,
} from '../../runner/table/write-text.ts';
import { findRuns } from '../run/find-runs.ts';
import { writeOutput } from '../score/write-output.ts';
import { textTable } from '../text-table.ts';

interface TableFlags {
  readonly format: 'text' | 'markdown' | 'csv' | 'json' | 'html';
  readonly out?: string;
  readonly published: 'fitting' | 'all' | 'none';
}

/** `rookery table <runs>`: many runs, one leaderboard. */
export function register(program: Command): void {
  program
    .command('table')
    .description('make a leaderboard of many runs, beside what was published')
    .argument('<runs...>', 'folders that `rookery run` wrote, or folders of them')
    .addOption(
      new Option('--format <format>', 'how it is written')
        .choices(['text', 'markdown', 'csv', 'json', 'html'])
        .default('text'),
    )
    .option('-o, --out <file>', 'where to (default: standard output)')
    .addOption(
      new Option('--published <rows>', 'rows of papers: those of the runs’ split, all, or none')
        .choices(['fitting', 'all', 'none'])
        .default('fitting'),
    )
    .action((places: string[], flags: TableFlags) => {
      const own = findRuns(places);
      const rows = sortRows([...own, ...choosePublished(own, flags.published)]);
      const text = WRITERS[flags.format](rows);
      if (flags.out === undefined) process.stdout.write(`${text}\n`);
      else writeOutput(flags.out, `${text}\n`);
    });
}

function choosePublished(own: readonly LeaderboardRow[], which: TableFlags['published']): LeaderboardRow[] {
  if (which === 'none') return [];
  const splits = new Set(own.map(({ split }) => split));
  const kinds = new Set(own.map(({ formulation }) => formulation));
  return publishedRows().filter(
    (row) => which === 'all' || (splits.has(row.split) && kinds.has(row.formulation)),
  );
}

const WRITERS: Readonly<Record<TableFlags['format'], (rows: readonly LeaderboardRow[]) => string>> = {
  text: (rows) => {
    const tables = [...leaderboardTables(rows), errorTable(rows)].filter((table) => table !== null);
    return tables.map(({ title, head, rows: lines }) => `${title}\n${textTable(head, lines)}`).join('\n\n');
  },
  markdown: leaderboardMarkdown,
  csv: leaderboardCsv,
  json: (rows) => JSON.stringify({ rows }, null, 2),
  html: leaderboardPage,
};
