import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { printExactJson } from '../contracts/exact-json.ts';
import type { SampleReview } from '../contracts/judgement.ts';
import { FORMULATION_NAMES } from '../contracts/vocabulary.ts';
import type { Report, WorldsReport } from '../eval/metrics/report.ts';
import { failureTables, reportHeadline, reportTables } from '../eval/report/report-tables.ts';
import { reviewSample } from '../eval/report/review.ts';
import type { FarmFile } from '../generator/write/write-folder.ts';
import { attemptKey, RunFolder } from '../runner/files/run-folder.ts';
import type { SampleRecord } from '../runner/files/run-records.ts';
import {
  BOARD_FORMAT,
  type Board,
  type BoardReport,
  type BoardRun,
  type BoardSample,
  packRows,
  REVIEWS_PER_FILE,
} from '../runner/leaderboard/board.ts';
import { defaultName, type FiguredRun, figuresOfSamples, sortRows } from '../runner/leaderboard/columns.ts';
import type { LeaderboardRow } from '../runner/leaderboard/leaderboard.ts';
import { figuredRun } from '../runner/leaderboard/run-row.ts';
import { builtConsole, emitSinglePage, emitSitePage } from '../services/base/http/index-page.ts';
import { choosePublished, findScoredRuns, type Published, type ScoredRun } from './run/find-runs.ts';

/** The folder of the console. Throws CONSOLE_NOT_BUILT. */
export function requireConsole(): string {
  const folder = builtConsole();
  if (folder !== undefined) return folder;
  throw new UserError('CONSOLE_NOT_BUILT', 'dist/console', 'is not there; run `npm run build` first');
}

/** What a board is made of: the samples of one formulation, their row, and the report that they are from. */
export interface BoardSource {
  readonly row: LeaderboardRow;
  readonly report: Report;
  readonly samples: Report['samples'];
  readonly figured: FiguredRun;
  /** The turns of each attempt as its runner recorded them, by `attemptKey`. */
  readonly turns?: (() => ReadonlyMap<string, SampleReview['turns']>) | undefined;
}

/** A run of `rookery run`, which has one formulation. */
export function sourceOfRun({ header, row, report }: ScoredRun): BoardSource {
  const { run: folder } = row;
  const turns = () => {
    const records = folder === null ? [] : new RunFolder(folder).readRecords();
    return new Map([...records].map(([key, record]) => [key, turnsOf(record)]));
  };
  return { row, report, samples: report.samples, figured: figuredRun(header), turns };
}

/** Longer texts of a model are cut, so that a file of reviews stays small. */
const LONGEST_TEXT = 20_000;

/** What a model wrote and called, turn by turn; an agent without a model has one turn per call. */
function turnsOf({ turns, made }: SampleRecord): SampleReview['turns'] {
  const calls = made.map(({ name, arguments: args, status, latency_ms, fault, answer }) => {
    return { name, arguments: args, status, latency_ms, fault, answer };
  });
  if (turns.length === 0) {
    const none = { text: '', reasoning: '', stop: null, latency_ms: 0, waited_ms: 0, requests: 0 };
    const free = { input_tokens: null, output_tokens: null, cost: null };
    return calls.map((call) => ({ ...none, ...free, calls: [call] }));
  }
  // Calls that a model wrote as text are not parts of its turns.
  const isText = turns.every(({ parts }) => parts.every(({ kind }) => kind !== 'call'));
  let next = 0;
  return turns.map(({ parts, stop, latency_ms, waited_ms, attempts, usage, cost }, i) => {
    const written = (kind: 'text' | 'reasoning') =>
      parts
        .flatMap((part) => (part.kind === kind ? part.text : []))
        .join('\n')
        .slice(0, LONGEST_TEXT);
    // The last turn has all calls that are left.
    const count = parts.filter(({ kind }) => kind === 'call').length;
    const end = i === turns.length - 1 ? calls.length : next + (isText ? 1 : count);
    const own = calls.slice(next, end);
    next = end;
    return {
      text: written('text'),
      reasoning: written('reasoning'),
      stop,
      latency_ms,
      waited_ms,
      requests: attempts,
      input_tokens: usage.input,
      output_tokens: usage.output,
      cost,
      calls: own,
    };
  });
}

/** The parts of a report on any predictions, one per formulation. */
function sourcesOfReport(report: Report): BoardSource[] {
  const { farm, run, options } = report;
  const agent = typeof run.settings?.agent === 'string' ? run.settings.agent : null;
  const model = run.model ?? agent ?? 'predictions';
  const category = run.category ?? null;
  const figured = { hasCategory: category !== null, isNested: false };
  return FORMULATION_NAMES.flatMap((formulation): BoardSource[] => {
    const samples = report.samples.filter((sample) => sample.formulation === formulation);
    if (samples.length === 0) return [];
    const shown = { model, agent: agent ?? model, options: {} };
    const row: LeaderboardRow = {
      name: defaultName(shown),
      ...shown,
      formulation,
      split: farm.split,
      ...figuresOfSamples(samples, options, category, figured),
      ceiling: null,
      world_difference: null,
      renamed_difference: null,
      source: null,
      run: null,
    };
    return [{ row, report, samples, figured }];
  });
}

export interface BoardOptions {
  readonly title: string;
  /** Whether reviews include the gold. */
  readonly gold: boolean;
  readonly published: readonly LeaderboardRow[];
}

/** The leaderboard of the scored runs in these folders. Throws RUN_INVALID if there are none, REPORT_INVALID. */
export function openBoard(
  places: readonly string[],
  { published, ...options }: Omit<BoardOptions, 'published'> & { readonly published: Published },
): BoardFiles {
  const runs = findScoredRuns(places);
  const rows = runs.map(({ row }) => row);
  return new BoardFiles(runs.map(sourceOfRun), {
    ...options,
    published: sortRows(choosePublished(rows, published)),
  });
}

/** The files of a leaderboard with its trajectories, made when they are asked for. */
export class BoardFiles {
  readonly #options: BoardOptions;
  readonly #runs: ReadonlyMap<string, BoardSource>;
  readonly #turns = new Map<string, ReadonlyMap<string, SampleReview['turns']>>();

  constructor(runs: readonly BoardSource[], options: BoardOptions) {
    this.#options = options;
    this.#runs = nameRuns(runs);
  }

  get runs(): number {
    return this.#runs.size;
  }

  *paths(): IterableIterator<string> {
    yield 'board.json';
    for (const [id, { samples }] of this.#runs) {
      yield `samples/${id}.json`;
      yield `reports/${id}.json`;
      const files = Math.ceil(samples.length / REVIEWS_PER_FILE);
      for (let n = 0; n < files; n++) yield `reviews/${id}/${n}.json`;
    }
  }

  /** The text of a file; undefined if no file has that path. */
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
    const turns = this.#turnsOf(id, run);
    return printExactJson(
      samples.map((sample) => ({
        ...reviewSample(sample, { gold: rest.gold }),
        turns: turns.get(attemptKey(sample)) ?? [],
      })),
    );
  }

  #turnsOf(id: string, { turns }: BoardSource): ReadonlyMap<string, SampleReview['turns']> {
    const known = this.#turns.get(id) ?? turns?.() ?? new Map();
    this.#turns.set(id, known);
    return known;
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

/** The reasons why models fail name gold tools and arguments. */
function boardReport(report: Report, gold: boolean): BoardReport {
  const secret = gold ? [] : failureTables(report).map(({ title }) => title);
  return {
    headline: reportHeadline(report),
    tables: reportTables(report).filter(({ title }) => !secret.includes(title)),
    groups: report.groups,
  };
}

function boardSamples({ samples, report: { worlds } }: BoardSource): BoardSample[] {
  const judged = new Map(worlds?.samples.map((each) => [attemptKey(each), each]));
  return samples.map(({ confusions: _, argument_faults: __, shown, ...score }) => ({
    ...score,
    question: shown.question,
    call_ms: shown.transcript.flatMap(({ latency_ms }) => latency_ms ?? []),
    lucky: isLucky(judged.get(attemptKey(score))),
  }));
}

/** A pass that no world keeps was not judged. */
function isLucky(pass: WorldsReport['samples'][number] | undefined): boolean | null {
  return pass === undefined || pass.worlds === 0 ? null : pass.right < pass.worlds;
}

/** A score report as one file to open in a browser: the console, with the gold. Throws CONSOLE_NOT_BUILT. */
export function reportPage(report: Report, folder = requireConsole()): string {
  const title = `${report.run.model ?? 'Predictions'} on ${report.farm.name}`;
  const board = new BoardFiles(sourcesOfReport(report), { title, gold: true, published: [] });
  return boardPage(title, board, folder);
}

/** A board as one file to open in a browser: the console, and the board's files in it. Throws CONSOLE_NOT_BUILT. */
export function boardPage(title: string, board: BoardFiles, folder = requireConsole()): string {
  const files = [...board.paths()].map((path) => [path, board.text(path) ?? 'null'] as const);
  const [script, style] = ['console.js', 'console.css'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  return emitSinglePage(title, { script: script ?? '', style: style ?? '', files });
}

/** The files of a site that shows a board: the console, and the board's files below `data/`. Throws CONSOLE_NOT_BUILT. */
export function* siteFiles(
  title: string,
  board: BoardFiles,
  folder = requireConsole(),
): IterableIterator<FarmFile> {
  yield { path: 'index.html', content: emitSitePage(title) };
  for (const file of ['console.js', 'console.css', 'mark.svg'])
    yield { path: `console/${file}`, content: readFileSync(join(folder, file)) };
  for (const path of board.paths()) {
    const text = board.text(path);
    if (text !== undefined) yield { path: `data/${path}`, content: text };
  }
}
