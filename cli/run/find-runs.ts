import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import type { ReportTable } from '../../eval/metrics/figures.ts';
import { type Report, report } from '../../eval/metrics/report.ts';
import { comparePair } from '../../eval/report/compare.ts';
import { rankingTable, rankTasks } from '../../eval/report/rank.ts';
import { readReport } from '../../eval/report/report-tables.ts';
import { RunFolder } from '../../runner/files/run-folder.ts';
import type { RunHeader } from '../../runner/files/run-records.ts';
import { sortRows } from '../../runner/leaderboard/columns.ts';
import type { Difference, LeaderboardRow } from '../../runner/leaderboard/leaderboard.ts';
import { FIRST, type Layout, paperTables, wayOf } from '../../runner/leaderboard/paper-tables.ts';
import { publishedRows, runRow } from '../../runner/leaderboard/run-row.ts';
import { interfaceTables } from './interface-tables.ts';

/**
 * Which published rows to show beside own runs: those of the same split and formulations, all, or none.
 * Published `hybrid` questions exist on no farm, so those rows match every split.
 */
export const PUBLISHED = ['fitting', 'all', 'none'] as const;
export type Published = (typeof PUBLISHED)[number];

export function choosePublished(own: readonly LeaderboardRow[], which: Published): LeaderboardRow[] {
  if (which === 'none') return [];
  const splits = new Set(own.map(({ split }) => split));
  const kinds = new Set(own.map(({ formulation }) => formulation));
  return publishedRows().filter(
    (row) =>
      which === 'all' || (kinds.has(row.formulation) && (splits.has(row.split) || row.hybrid !== null)),
  );
}

/** The rows of the scored runs in these folders and their subfolders. Throws RUN_INVALID if there are none. */
export function findRuns(places: readonly string[]): LeaderboardRow[] {
  return findScoredRuns(places).map(({ row }) => row);
}

/** The scored runs in these folders and their subfolders. Throws RUN_INVALID if there are none. */
export function findScoredRuns(places: readonly string[]): ScoredRun[] {
  const folders = places.flatMap(foldersIn);
  if (folders.length === 0) {
    throw new UserError(
      'RUN_INVALID',
      places.join(', '),
      'contains no run; give folders that `rookery run` wrote',
    );
  }
  return withDifferences(folders.flatMap(readRun));
}

export interface ScoredRun {
  readonly header: RunHeader;
  readonly row: LeaderboardRow;
  readonly report: Report;
}

function readRun(folder: string): ScoredRun[] {
  const header = new RunFolder(folder).readHeader();
  const file = join(folder, 'report.json');
  if (header === null || !existsSync(file)) {
    process.stderr.write(`${folder}: left out, it has not been scored\n`);
    return [];
  }
  const read = report.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!read.success)
    throw new UserError('REPORT_INVALID', file, 'was made by another version; score it again with --replay');
  return [{ header, row: runRow(folder, header, read.data), report: read.data }];
}

/**
 * The runs in these folders in a layout: of a paper with published lines, for DBGorilla also with a ranking, task by task;
 * or of interfaces.
 */
export function tablesLike(places: readonly string[], published: Published, paper: Layout): ReportTable[] {
  const runs = findScoredRuns(places);
  if (paper === 'interfaces') return interfaceTables(runs);
  const own = runs.map(({ row }) => row);
  const tables = paperTables(sortRows([...own, ...choosePublished(own, published)]), paper);
  return paper === 'dbgorilla' ? [...tables, ...rankings(runs)] : tables;
}

/** Models by the paper's first experiment; of one model, its ways to be offered the tool. */
function rankings(runs: readonly ScoredRun[]): ReportTable[] {
  const known = runs.filter(
    ({ row, report }) => row.formulation === 'query' && report.farm.hash === runs[0]?.report.farm.hash,
  );
  const first = known.filter(({ row }) => wayOf(row) === FIRST);
  const ranked = first.length > 1 ? first : known;
  if (ranked.length < 2) return [];
  const names = ranked.map(({ row }) => (ranked === first ? row.model : `${row.model}, ${wayOf(row)}`));
  const table = rankingTable(names, rankTasks(ranked.map(({ report }) => report)));
  return table === null ? [] : [{ ...table, title: `Ranking by execution (§4.3): ${table.note}` }];
}

/** Adds to each run on a farm the differences to its runs in worlds of that farm, and under new names. */
function withDifferences(runs: readonly ScoredRun[]): ScoredRun[] {
  return runs.map((run) => {
    const { row, report } = run;
    const { world, renamed, hash, content_hash } = report.farm;
    if (world !== null || renamed !== null) return run;
    const alike = runs.filter((other) => kindOf(other.row) === kindOf(row)).map((other) => other.report);
    const world_difference = difference(
      report,
      alike.filter(({ farm }) => farm.world?.origin === hash),
    );
    const renamed_difference = difference(
      report,
      alike.filter(({ farm }) => content_hash !== null && farm.renamed?.origin === content_hash),
    );
    return { ...run, row: { ...row, world_difference, renamed_difference } };
  });
}

/** The difference in completion to other runs, which count as several attempts at a sample; null without any. */
function difference({ samples, options }: Report, others: readonly Report[]): Difference | null {
  const [completion] = comparePair(
    samples,
    others.flatMap((other) => other.samples),
    options,
  ).figures;
  if (completion === undefined || completion.difference === null) return null;
  const { difference: value, ci } = completion;
  return { value, interval: ci === null ? null : [ci[0], ci[1]] };
}

/** A key shared by runs that differ only in the world or the names. */
function kindOf(row: LeaderboardRow): string {
  const { model, agent, formulation } = row;
  const { world: _, names: __, ...options } = row.options;
  return JSON.stringify([model, agent, formulation, options]);
}

function foldersIn(place: string): string[] {
  if (!existsSync(place) || !statSync(place).isDirectory()) return [];
  if (existsSync(join(place, 'run.json'))) return [place];
  return readdirSync(place)
    .sort()
    .flatMap((name) => foldersIn(join(place, name)));
}

/**
 * The pass rate by sample id over all given reports: files of `rookery score`, or folders of `rookery run`.
 * Broken and missing attempts are excluded. Throws REPORT_INVALID.
 */
export function readPassRates(places: readonly string[]): ReadonlyMap<string, number> {
  return passRatesOf(places.map((place) => readReport(reportIn(place))));
}

export function passRatesOf(reports: readonly Pick<Report, 'samples'>[]): ReadonlyMap<string, number> {
  const attempts = new Map<string, { passed: number; all: number }>();
  for (const { sample_id, outcome } of reports.flatMap(({ samples }) => samples)) {
    if (outcome === 'not_run' || outcome === 'infra_error') continue;
    const seen = attempts.get(sample_id) ?? { passed: 0, all: 0 };
    attempts.set(sample_id, { passed: seen.passed + Number(outcome === 'pass'), all: seen.all + 1 });
  }
  return new Map([...attempts].map(([id, { passed, all }]) => [id, passed / all]));
}

/** The report of a run's folder, or the file itself. */
export function reportIn(place: string): string {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ? join(place, 'report.json') : place;
}
