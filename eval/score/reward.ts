import type { Prediction } from '../../contracts/prediction.ts';
import type { SampleScore } from '../../contracts/report.ts';
import type { Reward } from '../../contracts/reward.ts';
import { sameRow } from '../../contracts/same-cell.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Row } from '../../contracts/value.ts';
import { rowsOfAnswer } from '../answer/judge-answer.ts';
import type { Json } from '../json/lossless.ts';

/** Of longer answers the first rows are compared: what follows would teach nobody. */
const MOST_ROWS = 2_000;

/** What an attempt that has been scored is worth. Pure. */
export function rewardOf(sample: Sample, prediction: Prediction, score: SampleScore): Reward {
  const completion = score.outcome === 'pass' ? 1 : 0;
  const calls = prediction.calls ?? [];
  return {
    sample_id: sample.sample_id,
    epoch: score.epoch,
    outcome: score.outcome,
    reward: completion,
    components: {
      completion,
      rows: completion === 1 ? 1 : rowsShared(sample, prediction.answer as Json | undefined),
      calls: score.credit?.calls ?? null,
      slots: score.credit?.slots ?? null,
    },
    penalties: {
      errors: calls.filter(isRefused).length,
      redundant_calls: score.redundant_calls ?? 0,
      extra_calls: Math.max(0, (score.calls ?? 0) - score.gold_calls),
    },
  };
}

function isRefused(call: unknown): boolean {
  const status = typeof call === 'object' && call !== null && 'status' in call ? Number(call.status) : 200;
  return status >= 400;
}

/** The best reading counts; null where no answer was given. */
function rowsShared(sample: Sample, answer: Json | undefined): number | null {
  if (answer === undefined || answer === null) return null;
  const { gold_answer: gold } = sample;
  return rowsOfAnswer(sample, answer).reduce((best, rows) => Math.max(best, overlap(gold, rows)), 0);
}

/** Each row pairs with one equal row of the other side. */
function overlap(gold: readonly Row[], rows: readonly Row[]): number {
  if (gold.length + rows.length === 0) return 1;
  const left = rows.slice(0, MOST_ROWS);
  const byText = new Map<string, Row[]>();
  for (const row of left) {
    const key = keyOf(row);
    const same = byText.get(key);
    if (same) same.push(row);
    else byText.set(key, [row]);
  }
  let shared = 0;
  for (const row of gold.slice(0, MOST_ROWS)) {
    const same = byText.get(keyOf(row));
    const at = same?.findIndex((other) => sameRow(row, other)) ?? -1;
    if (same === undefined || at < 0) continue;
    same.splice(at, 1);
    shared++;
  }
  return (2 * shared) / (gold.length + rows.length);
}

/** Equal for equal rows: numbers, which may differ in their last digits, are left to the comparison. */
function keyOf(row: Row): string {
  return JSON.stringify(row.map((cell) => (typeof cell === 'number' || typeof cell === 'bigint' ? 0 : cell)));
}
