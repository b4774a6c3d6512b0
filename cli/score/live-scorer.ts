import {
  type AnswerVerdict,
  type Reward,
  type SampleReview,
  type ServedGold,
  servedGold,
} from '../../contracts/judgement.ts';
import { judgeAnswer, judgeUnanswerable } from '../../eval/answer/judge-answer.ts';
import { linesOf, parsePredictions, readFarm } from '../../eval/farm/read-farm.ts';
import { parseJson } from '../../eval/json/lossless.ts';
import type { SampleScore } from '../../eval/metrics/report.ts';
import { reviewSample } from '../../eval/report/review.ts';
import { rewardPredictions, robustRewards } from '../../eval/score/rewards.ts';
import { scoreFarm } from '../../eval/score/score-farm.ts';
import { openFarm } from './open-farm.ts';
import { openJudgingWorlds } from './worlds.ts';

export interface LiveScorer {
  /**
   * The scores of a prediction file's text, over its samples. They reveal nothing of the gold: no rows, calls
   * or counts. Rejects with PREDICTIONS_INVALID or PREDICTIONS_FOR_OTHER_FARM.
   */
  score(predictions: string): Promise<object>;
  /** The reward of each run in the text. Rejects like `score`. */
  verify(predictions: string): Promise<readonly Reward[]>;
  /** Each run in the text beside its gold. Rejects like `score`. */
  review(predictions: string): Promise<readonly SampleReview[]>;
  /** undefined for an unknown sample. */
  gold(sampleId: string): ServedGold | undefined;
  /** The verdict on an answer, given as JSON text; undefined for an unknown sample. Throws SyntaxError. */
  judge(sampleId: string, answer: string): AnswerVerdict | undefined;
  close(): Promise<void>;
}

/** Opens a farm for scoring beside the server. Rewards of passes are also judged in the `worlds` (folders). */
export async function openLiveScorer(folder: string, worlds: readonly string[] = []): Promise<LiveScorer> {
  const farm = readFarm(folder);
  const judging = await openJudgingWorlds(folder, worlds);
  const open = await openFarm(folder);
  const scoreText = (text: string) => {
    const predictions = parsePredictions('predictions', linesOf(Buffer.from(text)), farm);
    const { attempts, withheld, composed } = predictions;
    return scoreFarm({
      farm,
      predictions,
      universe: open.universe,
      replay: open.replay,
      // The samples were already selected when the runs were created. Beside dialogues, only attempts are scored anyway.
      options: { selection: 'all' },
      choose: ({ sample_id }) => composed.size > 0 || attempts.has(sample_id) || withheld.has(sample_id),
    });
  };
  return {
    async score(text) {
      const { ledger, metrics, samples } = await scoreText(text);
      const { completion, completion_without_infra_errors, relevance, react, efficiency } = metrics;
      const { gold_calls: _, ...spent } = efficiency;
      return {
        ledger,
        metrics: { completion, completion_without_infra_errors, relevance, react, efficiency: spent },
        samples: samples.filter(({ outcome }) => outcome !== 'not_run').map(withoutGold),
      };
    },
    async verify(text) {
      const predictions = parsePredictions('predictions', linesOf(Buffer.from(text)), farm);
      const rewards = await rewardPredictions(predictions, { farm, ...open });
      if (judging.worlds.length === 0) return rewards;
      return robustRewards(rewards, { farm, predictions, ...open, worlds: judging.worlds });
    },
    async review(text) {
      const { samples } = await scoreText(text);
      return samples
        .filter(({ outcome }) => outcome !== 'not_run')
        .map((sample) => reviewSample(sample, { gold: true }));
    },
    gold(sampleId) {
      const sample = farm.byId.get(sampleId);
      return sample && servedGold.parse(sample);
    },
    judge(sampleId, answer) {
      const sample = farm.byId.get(sampleId);
      if (!sample?.unanswerable) return sample && judgeAnswer(sample, parseJson(answer));
      const right = judgeUnanswerable(sample, sample.unanswerable, parseJson(answer)) === 'right';
      return { strict: right, fair: right };
    },
    close: async () => {
      await Promise.all([open.close(), judging.close()]);
    },
  };
}

/** The parts of a review that the run's agent may see. */
function withoutGold({
  sample_id,
  outcome,
  withheld,
  relevance,
  calls,
  redundant_calls,
  loops,
  latency_s,
}: SampleScore) {
  return { sample_id, outcome, withheld, relevance, calls, redundant_calls, loops, latency_s };
}
