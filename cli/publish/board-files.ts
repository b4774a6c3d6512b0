import { packRows } from '../../contracts/columns.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import type { Report, WorldsReport } from '../../contracts/report.ts';
import { reviewSample } from '../../eval/review/review-sample.ts';
import {
  BOARD_FORMAT,
  type Board,
  type BoardRun,
  type BoardSample,
  REVIEWS_PER_FILE,
} from '../../runner/board/board.ts';
import type { LeaderboardRow } from '../../runner/table/leaderboard.ts';
import { optionsText } from '../../runner/table/options-text.ts';
import { figuredRun } from '../../runner/table/run-row.ts';
import type { ScoredRun } from '../run/find-runs.ts';

export interface BoardOptions {
  readonly title: string;
  /** Whether reviews tell the gold. */
  readonly gold: boolean;
  readonly published: readonly LeaderboardRow[];
}

/** The files of a leaderboard with its trajectories, made when they are asked for. */
export class BoardFiles {
  readonly #options: BoardOptions;
  readonly #runs: ReadonlyMap<string, ScoredRun>;

  constructor(runs: readonly ScoredRun[], options: BoardOptions) {
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
    for (const [id, { report }] of this.#runs) {
      yield `samples/${id}.json`;
      const files = Math.ceil(report.samples.length / REVIEWS_PER_FILE);
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
    const [, kind, id = '', n = ''] = /^(samples|reviews)\/([^/]+?)(?:\/(\d+))?\.json$/.exec(path) ?? [];
    const run = this.#runs.get(id);
    if (!run) return undefined;
    if (kind === 'samples' && n === '') return printExactJson(packRows(boardSamples(run.report)));
    const first = Number(n) * REVIEWS_PER_FILE;
    if (kind !== 'reviews' || n === '' || first >= run.report.samples.length) return undefined;
    const samples = run.report.samples.slice(first, first + REVIEWS_PER_FILE);
    return printExactJson(samples.map((sample) => reviewSample(sample, { gold: rest.gold })));
  }
}

/** By an id that is made of what tells them apart, and stays when other runs are added. */
function nameRuns(runs: readonly ScoredRun[]): Map<string, ScoredRun> {
  const named = new Map<string, ScoredRun>();
  for (const run of runs) {
    const { model, agent, formulation, options } = run.row;
    const parts = [model, agent === model ? '' : agent, formulation, optionsText(options)];
    const text = parts
      .filter((part) => part !== '')
      .join('-')
      .replace(/[^A-Za-z0-9.]+/g, '-')
      .replace(/^-+|-+$/g, '');
    let id = text;
    for (let n = 2; named.has(id); n++) id = `${text}-${n}`;
    named.set(id, run);
  }
  return named;
}

function boardRun(id: string, { header, row, report }: ScoredRun): BoardRun {
  const { farm, options, samples } = report;
  return {
    id,
    row: { ...row, run: id },
    category: header.config.category,
    ...figuredRun(header),
    resampling: { seed: options.seed, resamples: options.resamples },
    farm: { name: farm.name, hash: farm.hash, world: farm.world?.commitment ?? null },
    formulation: row.formulation,
    samples: samples.length,
  };
}

function boardSamples({ samples, worlds }: Report): BoardSample[] {
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
