import { packRows } from '../../contracts/columns.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import type { Report, WorldsReport } from '../../contracts/report.ts';
import { failureTables } from '../../eval/report/failure-tables.ts';
import { reportHeadline, reportTables } from '../../eval/report/report-tables.ts';
import { reviewSample } from '../../eval/review/review-sample.ts';
import {
  BOARD_FORMAT,
  type Board,
  type BoardReport,
  type BoardRun,
  type BoardSample,
  REVIEWS_PER_FILE,
} from '../../runner/board/board.ts';
import type { LeaderboardRow } from '../../runner/table/leaderboard.ts';
import type { BoardSource } from './board-source.ts';

export interface BoardOptions {
  readonly title: string;
  /** Whether reviews tell the gold. */
  readonly gold: boolean;
  readonly published: readonly LeaderboardRow[];
}

/** The files of a leaderboard with its trajectories, made when they are asked for. */
export class BoardFiles {
  readonly #options: BoardOptions;
  readonly #runs: ReadonlyMap<string, BoardSource>;

  constructor(runs: readonly BoardSource[], options: BoardOptions) {
    this.#options = options;
    this.#runs = nameRuns(runs);
  }

  /** How many runs there are. */
  get runs(): number {
    return this.#runs.size;
  }

  /** The path of every file. */
  *paths(): IterableIterator<string> {
    yield 'board.json';
    for (const [id, { samples }] of this.#runs) {
      yield `samples/${id}.json`;
      yield `reports/${id}.json`;
      const files = Math.ceil(samples.length / REVIEWS_PER_FILE);
      for (let n = 0; n < files; n++) yield `reviews/${id}/${n}.json`;
    }
  }

  /** The text of a file; undefined where there is none of that path. */
  text(path: string): string | undefined {
    const { published, ...rest } = this.#options;
    if (path === 'board.json') {
      const runs = [...this.#runs].map(([id, run]) => boardRun(id, run));
      return printExactJson({ format: BOARD_FORMAT, ...rest, runs, published } satisfies Board);
    }
    const [, kind, id = '', n = ''] =
      /^(samples|reports|reviews)\/([^/]+?)(?:\/(\d+))?\.json$/.exec(path) ?? [];
    const run = this.#runs.get(id);
    if (!run) return undefined;
    if (kind === 'samples' && n === '') return printExactJson(packRows(boardSamples(run)));
    if (kind === 'reports' && n === '') return printExactJson(boardReport(run.report, rest.gold));
    const first = Number(n) * REVIEWS_PER_FILE;
    if (kind !== 'reviews' || n === '' || first >= run.samples.length) return undefined;
    const samples = run.samples.slice(first, first + REVIEWS_PER_FILE);
    return printExactJson(samples.map((sample) => reviewSample(sample, { gold: rest.gold })));
  }
}

/** By an id that is made of name and formulation, and stays when other runs are added. */
function nameRuns(runs: readonly BoardSource[]): Map<string, BoardSource> {
  const named = new Map<string, BoardSource>();
  for (const run of runs) {
    const { name, formulation } = run.row;
    const text = `${name}-${formulation}`.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-+|-+$/g, '');
    let id = text;
    for (let n = 2; named.has(id); n++) id = `${text}-${n}`;
    named.set(id, run);
  }
  return named;
}

function boardRun(id: string, { row, report, samples, figured }: BoardSource): BoardRun {
  const { farm, options, run } = report;
  return {
    id,
    row: { ...row, run: id },
    category: run.category ?? null,
    ...figured,
    resampling: { seed: options.seed, resamples: options.resamples },
    farm: { name: farm.name, hash: farm.hash, world: farm.world?.commitment ?? null },
    formulation: row.formulation,
    samples: samples.length,
  };
}

/** Why models fail is told in names of gold tools and arguments. */
function boardReport(report: Report, gold: boolean): BoardReport {
  const secret = gold ? [] : failureTables(report).map(({ title }) => title);
  return {
    headline: reportHeadline(report),
    tables: reportTables(report).filter(({ title }) => !secret.includes(title)),
    groups: report.groups,
  };
}

function boardSamples({ samples, report: { worlds } }: BoardSource): BoardSample[] {
  const judged = new Map(worlds?.samples.map((each) => [keyOf(each), each]));
  return samples.map(({ confusions: _, argument_faults: __, shown, ...score }) => ({
    ...score,
    question: shown.question,
    call_ms: shown.transcript.flatMap(({ latency_ms }) => latency_ms ?? []),
    lucky: isLucky(judged.get(keyOf(score))),
  }));
}

function keyOf({ sample_id, epoch }: { readonly sample_id: string; readonly epoch: number }): string {
  return `${sample_id} ${epoch}`;
}

/** A pass that no world keeps was not judged. */
function isLucky(pass: WorldsReport['samples'][number] | undefined): boolean | null {
  return pass === undefined || pass.worlds === 0 ? null : pass.right < pass.worlds;
}
