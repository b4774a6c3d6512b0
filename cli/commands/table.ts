import { type Command, InvalidArgumentError } from 'commander';
import { OptionError } from '../../contracts/errors.ts';
import { formulation } from '../../contracts/sample.ts';
import { percent } from '../../contracts/wording.ts';
import type { ReportTable } from '../../eval/metrics/figures.ts';
import type { Report } from '../../eval/metrics/report.ts';
import { leaderboardCsv, sortRows } from '../../runner/leaderboard/columns.ts';
import type { LeaderboardRow } from '../../runner/leaderboard/leaderboard.ts';
import { LAYOUTS, type Layout } from '../../runner/leaderboard/paper-tables.ts';
import { weightedTable } from '../../runner/leaderboard/weighted-table.ts';
import {
  errorTable,
  leaderboardMarkdown,
  leaderboardTables,
  markdownTable,
} from '../../runner/leaderboard/write-text.ts';
import { writeOutput } from '../files.ts';
import { choice, list } from '../options.ts';
import {
  choosePublished,
  findRuns,
  findScoredRuns,
  PUBLISHED,
  type Published,
  type ScoredRun,
  tablesLike,
} from '../run/find-runs.ts';
import { titledTable } from '../terminal.ts';

interface TableFlags {
  readonly format: 'text' | 'markdown' | 'csv' | 'json' | 'html';
  readonly out?: string;
  readonly published: Published;
  readonly like?: Layout;
  readonly by?: keyof typeof GROUPS;
  readonly weights?: ReadonlyMap<string, number>;
}

/** Groups of samples whose completion can be shown side by side. */
const GROUPS = {
  difficulty: 'level',
  label: 'difficulty',
  calls: 'gold_calls',
  depth: 'depth',
  width: 'width',
  parameters: 'parameters',
  construct: 'construct',
  domain: 'domain',
} as const satisfies Record<string, keyof Report['groups']>;

/** `rookery table <runs>`: many runs, one leaderboard. */
export function register(program: Command): void {
  program
    .command('table')
    .description('make a leaderboard of many runs, beside what was published')
    .argument('<runs...>', 'folders that `rookery run` wrote, or folders of them')
    .addOption(
      choice('--format <format>', 'how it is written', ['text', 'markdown', 'csv', 'json', 'html'], 'text'),
    )
    .option('-o, --out <file>', 'where to (default: standard output)')
    .addOption(
      choice(
        '--published <rows>',
        'rows of papers: those of the runs’ split, all, or none',
        PUBLISHED,
        'fitting',
      ),
    )
    .addOption(
      choice(
        '--like <paper>',
        'the tables of a paper, in its own shape, or those of interfaces, for text and markdown',
        LAYOUTS,
      ),
    )
    .addOption(
      choice(
        '--by <what>',
        'completion by difficulty, the split’s label, calls, their depth or width, parameters, construct or domain',
        Object.keys(GROUPS),
      ),
    )
    .option(
      '--weights <parts>',
      'a weighted mean of categories, or of formulations: multiple=1,parallel=1,irrelevance=2',
      weights,
    )
    .action(async (places: string[], flags: TableFlags) => {
      const text = await leaderboardText(places, flags);
      if (flags.out === undefined) process.stdout.write(`${text}\n`);
      else writeOutput(flags.out, `${text}\n`);
    });
}

async function leaderboardText(places: readonly string[], flags: TableFlags): Promise<string> {
  const { format, like, published, by, weights } = flags;
  if (weights !== undefined) return weighted(places, published, weights, format);
  if (by !== undefined) return byGroup(places, by, format);
  if (like !== undefined) return likePaper(places, like, flags);
  if (format === 'html') {
    const { boardPage, openBoard } = await import('../board.ts');
    const title = 'Leaderboard';
    return boardPage(title, openBoard(places, { title, gold: false, published })).trimEnd();
  }
  return WRITERS[format](allRows(places, published));
}

/** Parses `multiple=1,irrelevance=2`. */
function weights(text: string): ReadonlyMap<string, number> {
  const read = list(text).map((part) => /^([a-z_]+)=(\d+(?:\.\d+)?)$/.exec(part.trim()));
  const parts = new Map(read.map((match) => [match?.[1] ?? '', Number(match?.[2] ?? 0)]));
  if (parts.size === read.length && read.length > 0 && [...parts.values()].every((weight) => weight > 0))
    return parts;
  throw new InvalidArgumentError('Give each part once, with a weight above 0: multiple=1,irrelevance=2');
}

/** Throws OPTION_INVALID. */
function weighted(
  places: readonly string[],
  published: Published,
  parts: ReadonlyMap<string, number>,
  format: TableFlags['format'],
): string {
  checkFormat('--weights', format);
  const table = weightedTable(allRows(places, published), parts);
  if (table.rows.length > 0) return writeTables([table], format);
  throw new OptionError('--weights', `no run is one of ${[...parts.keys()].join(', ')}`);
}

/** A table for each formulation. Throws OPTION_INVALID. */
function byGroup(places: readonly string[], by: keyof typeof GROUPS, format: TableFlags['format']): string {
  checkFormat('--by', format);
  return writeTables(groupTables(findScoredRuns(places), by), format);
}

/** A line for each run, a column for each group. */
export function groupTables(
  runs: readonly Pick<ScoredRun, 'row' | 'report'>[],
  by: keyof typeof GROUPS,
): ReportTable[] {
  return formulation.options.flatMap((kind): ReportTable[] => {
    const own = runs.filter(({ row }) => row.formulation === kind);
    const groupsOf = ({ report }: Pick<ScoredRun, 'report'>) => report.groups[GROUPS[by]];
    const keys = [...new Set(own.flatMap((run) => groupsOf(run).map(({ key }) => key)))];
    if (keys.length === 0) return [];
    const rows = own.map((run) => [
      run.row.name,
      ...keys.map((key) => {
        const { value = null, n = 0 } = groupsOf(run).find((each) => each.key === key)?.completion ?? {};
        return value === null ? '' : `${percent(value)} of ${n}`;
      }),
    ]);
    return [{ title: kind.toUpperCase(), head: ['completion', ...keys], rows }];
  });
}

function allRows(places: readonly string[], published: Published): LeaderboardRow[] {
  const own = findRuns(places);
  return sortRows([...own, ...choosePublished(own, published)]);
}

/** Throws OPTION_INVALID. */
function likePaper(places: readonly string[], paper: Layout, { published, format }: TableFlags): string {
  checkFormat('--like', format);
  const tables = tablesLike(places, published, paper);
  if (tables.length === 0)
    throw new OptionError('--like', 'there is no run of an experiment that the paper has');
  return writeTables(tables, format);
}

/** Throws OPTION_INVALID. */
function checkFormat(option: string, format: TableFlags['format']): void {
  if (format !== 'text' && format !== 'markdown') {
    throw new OptionError(option, `is for --format text or markdown, not ${format}`);
  }
}

function writeTables(tables: readonly ReportTable[], format: TableFlags['format']): string {
  return format === 'markdown'
    ? tables.map(markdownTable).join('\n\n')
    : tables.map(titledTable).join('\n\n');
}

const WRITERS: Readonly<
  Record<Exclude<TableFlags['format'], 'html'>, (rows: readonly LeaderboardRow[]) => string>
> = {
  text: (rows) =>
    writeTables(
      [...leaderboardTables(rows), errorTable(rows)].filter((table) => table !== null),
      'text',
    ),
  markdown: leaderboardMarkdown,
  csv: leaderboardCsv,
  json: (rows) => JSON.stringify({ rows }, null, 2),
};
