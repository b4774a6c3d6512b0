import type { AnswerVerdict, Reward, SampleReview, ServedGold } from '../../contracts/judgement.ts';
import type {
  AnswerJudge,
  GoldReader,
  Reviewer,
  Scorer,
  Verifier,
} from '../../services/agents/runs/run-store.ts';
import {
  ChildCrashedError,
  ChildNotStartedError,
  ChildPool,
  TimeoutError,
} from '../../services/base/sqlite/child-pool.ts';

/** What a scoring process is for. */
export interface ScorerInit {
  readonly folder: string;
  /** Folders of other states of its data, in which rewards are judged too. */
  readonly worlds: readonly string[];
}

/** What is asked of predictions: the methods of a LiveScorer that judge. */
export type JudgementKind = 'score' | 'verify' | 'review';

export type ScorerRequest =
  /** Reads the farm, which takes a while the first time. */
  | { readonly what: 'open' }
  | { readonly what: 'gold'; readonly sampleId: string }
  /** `answer` is JSON text. */
  | { readonly what: 'answer'; readonly sampleId: string; readonly answer: string }
  | { readonly what: JudgementKind; readonly predictions: string };

export { requireWorlds } from './worlds.ts';

/** Everything of a served farm that looks at its gold. */
export interface FarmScorer {
  readonly scorer: Scorer;
  readonly verifier: Verifier;
  readonly reviewer: Reviewer;
  readonly gold: GoldReader;
  readonly judge: AnswerJudge;
  /** Ends the process that scores. */
  readonly close: () => Promise<void>;
}

/** To read a farm and open its databases. Generous: they may be large, and machines are busy. */
const OPEN_LIMIT_MS = 600_000;
/** What one run may take. Most take milliseconds, but its calls may be made again, each within the limit of a query. */
const RUN_LIMIT_MS = 60_000;
const MORE_RUNS_MS = 2_000;
const HEAP_MEGABYTES = 2048;

/**
 * What judges runs for a server: on first use it reads the farm's gold and opens its databases again, and those of the
 * `worlds` that rewards are judged in too. All of it happens in a process of its own, within limits of time and memory,
 * since agents write what is read there: a run that breaks them has failed, and the others are judged as ever.
 */
export function farmScorer(
  folder: string,
  worlds: readonly string[] = [],
  module = new URL('./scorer-child.ts', import.meta.url),
): FarmScorer {
  const init: ScorerInit = { folder, worlds };
  const pool = new ChildPool<ScorerRequest, unknown>({
    module,
    size: 1,
    init,
    heapMegabytes: HEAP_MEGABYTES,
  });
  const once = async (request: ScorerRequest, limitMs: number) => {
    await pool.run({ what: 'open' }, OPEN_LIMIT_MS);
    return pool.run(request, limitMs);
  };
  // A process may also die of what else is on the machine.
  const ask = (request: ScorerRequest, limitMs: number) =>
    once(request, limitMs).catch((error: unknown) => {
      if (error instanceof ChildCrashedError || error instanceof ChildNotStartedError)
        return once(request, limitMs);
      throw error;
    });
  const judge = async (what: JudgementKind, predictions: string): Promise<unknown> => {
    const lines = predictions.trimEnd().split('\n');
    try {
      return await ask({ what, predictions }, RUN_LIMIT_MS + MORE_RUNS_MS * lines.length);
    } catch (error) {
      if (!isBeyondLimits(error)) throw error;
    }
    const kept: string[] = [];
    for (const line of lines) kept.push((await isJudged(line)) ? line : withoutAnswer(line));
    return ask({ what, predictions: kept.join('\n') }, RUN_LIMIT_MS * lines.length);
  };
  /** Whether a line of predictions, which may be their header, can be judged by itself. */
  const isJudged = async (line: string): Promise<boolean> => {
    try {
      await ask({ what: 'score', predictions: line }, RUN_LIMIT_MS);
      return true;
    } catch (error) {
      if (!isBeyondLimits(error)) throw error;
      return false;
    }
  };
  return {
    scorer: async (predictions) => (await judge('score', predictions)) as object,
    verifier: async (predictions) => (await judge('verify', predictions)) as readonly Reward[],
    reviewer: async (predictions) => (await judge('review', predictions)) as readonly SampleReview[],
    gold: async (sampleId) => (await ask({ what: 'gold', sampleId }, RUN_LIMIT_MS)) as ServedGold | undefined,
    judge: async (sampleId, answer) => {
      try {
        return (await ask({ what: 'answer', sampleId, answer }, RUN_LIMIT_MS)) as AnswerVerdict | undefined;
      } catch (error) {
        if (!isBeyondLimits(error)) throw error;
        return { strict: false, fair: false };
      }
    },
    close: () => pool.close(),
  };
}

function isBeyondLimits(error: unknown): boolean {
  return error instanceof TimeoutError || error instanceof ChildCrashedError;
}

/** A run that cannot be judged fails like one that was cut off, whatever it was asked. */
function withoutAnswer(line: string): string {
  const { answer: _, raw_output: _text, doubts: _doubts, ...rest } = JSON.parse(line);
  const end_reason = 'It could not be judged within the limits of time and memory.';
  return JSON.stringify({ ...rest, calls: [], out_of_budget: true, end_reason });
}
