import {
  type AnswerVerdict,
  type Reward,
  type SampleReview,
  type ServedGold,
  servedGold,
} from '../../contracts/judgement.ts';
import { judgeAnswer } from '../../eval/answer/judge-answer.ts';
import { linesOf, readFarm } from '../../eval/farm/read-farm.ts';
import { parsePredictions } from '../../eval/farm/read-predictions.ts';
import { parseJson } from '../../eval/json/lossless.ts';
import type { SampleScore } from '../../eval/metrics/report.ts';
import { reviewSample } from '../../eval/report/review.ts';
import { rewardPredictions, robustRewards } from '../../eval/score/rewards.ts';
import { scoreFarm } from '../../eval/score/score-farm.ts';
import { openFarm } from './open-farm.ts';
import { openJudgingWorlds } from './worlds.ts';

/** Scores predictions while a farm is served. */
export interface LiveScorer {
  /**
   * The scores of a prediction file's text, over the samples that it has. They reveal nothing of the gold: neither rows
   * nor calls, nor their number. Rejects with PREDICTIONS_INVALID or PREDICTIONS_FOR_OTHER_FARM.
   */
  score(predictions: string): Promise<object>;
  /** What each run of the text is worth. Rejects likewise. */
  verify(predictions: string): Promise<readonly Reward[]>;
  /** Each run of the text beside its gold. Rejects likewise. */
  review(predictions: string): Promise<readonly SampleReview[]>;
  /** undefined where the farm has no such sample. */
  gold(sampleId: string): ServedGold | undefined;
  /** What an answer, as JSON text, is worth; undefined where the farm has no such sample. Throws SyntaxError. */
  judge(sampleId: string, answer: string): AnswerVerdict | undefined;
  close(): Promise<void>;
}

/**
 * Opens a farm for scoring beside the server: replays go through services of their own. Rewards of passes are judged in
 * `worlds` too, the folders of other states of its data.
 */
export async function openLiveScorer(folder: string, worlds: readonly string[] = []): Promise<LiveScorer> {
  const farm = readFarm(folder);
  const judging = await openJudgingWorlds(folder, worlds);
  const open = await openFarm(folder);
  const scoreText = (text: string) => {
    const predictions = parsePredictions('predictions', linesOf(Buffer.from(text)), farm);
    const { attempts, withheld } = predictions;
    return scoreFarm({
      farm,
      predictions,
      universe: open.universe,
      replay: open.replay,
      // The person who ran them has chosen them.
      options: { selection: 'all' },
      choose: ({ sample_id }) => attempts.has(sample_id) || withheld.has(sample_id),
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
      return robustRewards(rewards, { farm, predictions, universe: open.universe, worlds: judging.worlds });
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
      return sample && judgeAnswer(sample, parseJson(answer));
    },
    close: async () => {
      await Promise.all([open.close(), judging.close()]);
    },
  };
}

/** The data of a run that its agent may see. */
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
