import type { AnswerVerdict, Reward, SampleReview, ServedGold } from '../../contracts/judgement.ts';
import type { AgentOptions } from '../../services/agents/agent-context.ts';
import {
  ChildCrashedError,
  ChildNotStartedError,
  ChildPool,
  TimeoutError,
} from '../../services/base/sqlite/child-pool.ts';

export interface ScorerInit {
  readonly folder: string;
  /** Folders of worlds in which rewards are judged as well. */
  readonly worlds: readonly string[];
}

/** The judging methods of a LiveScorer. */
export type JudgementKind = 'score' | 'verify' | 'review';

export type ScorerRequest =
  /** Reads the farm, which is slow the first time. */
  | { readonly what: 'open' }
  | { readonly what: 'gold'; readonly sampleId: string }
  /** `answer` is JSON text. */
  | { readonly what: 'answer'; readonly sampleId: string; readonly answer: string }
  | { readonly what: JudgementKind; readonly predictions: string };

export { requireWorlds } from './worlds.ts';

/** All functions of a served farm that access its gold. */
export type FarmScorer = Required<
  Pick<AgentOptions, 'scorer' | 'verifier' | 'reviewer' | 'gold' | 'judge' | 'close'>
>;

/** Time limit for reading a farm and opening its databases; generous, since they may be large. */
const OPEN_LIMIT_MS = 600_000;
/** Time limit for one run. Most take milliseconds, but calls may be replayed, each within the query limit. */
const RUN_LIMIT_MS = 60_000;
const MORE_RUNS_MS = 2_000;
const HEAP_MEGABYTES = 2048;

/**
 * Judges runs for a server. On first use, it reads the farm's gold and opens its databases, and those of the
 * `worlds` in which rewards are judged. This happens in a child process with limits on time and memory, since
 * the input is written by agents: a run that exceeds them has failed, and others are unaffected.
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
  // A process may also be killed for external reasons.
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
  /** Whether a line of predictions, possibly the header, can be judged on its own. */
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

/** Turns a run that cannot be judged into one that was cut off. */
function withoutAnswer(line: string): string {
  const { answer: _, raw_output: _text, doubts: _doubts, ...rest } = JSON.parse(line);
  const end_reason = 'It could not be judged within the limits of time and memory.';
  return JSON.stringify({ ...rest, calls: [], out_of_budget: true, end_reason });
}
