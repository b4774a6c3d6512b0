import type { HybridFailure, HybridScore } from '../../contracts/hybrid-score.ts';
import type { Prediction } from '../../contracts/prediction.ts';
import type { Sample } from '../../contracts/sample.ts';
import { printShare } from '../../contracts/share.ts';
import type { Cell, Row } from '../../contracts/value.ts';
import { scoreExecution } from '../metrics/execution-accuracy.ts';
import type { FinalRows } from './final-rows.ts';
import { isCutOff } from './score-trajectory.ts';

/** How an attempt at a `hybrid` task did; null for other tasks. */
export function scoreHybrid(
  sample: Sample,
  prediction: Prediction,
  { readings, refusals }: Pick<FinalRows, 'readings' | 'refusals'>,
): HybridScore | null {
  const { plan, augmentation } = sample;
  if (plan === undefined) return null;
  const { api_use: use } = prediction;
  const execution = readings.some((rows) => scoreExecution(sample, rows, 'superset'));
  return {
    share: printShare(plan),
    class: plan.class,
    augmented: augmentation ? { class: augmentation.class, depth: augmentation.depth } : null,
    execution,
    exact: readings.some((rows) => scoreExecution(sample, rows, 'exact')),
    failure: execution ? null : failureOf(sample, prediction, readings[0], refusals),
    used: use ? { calls: use.calls, pages: use.pages, rows: use.rows } : null,
    planned: { calls: plan.calls, pages: plan.pages, rows: plan.rows_moved },
    model_s: prediction.model_s ?? null,
    execution_s: prediction.execution_s ?? null,
  };
}

function failureOf(
  { gold_answer: gold }: Sample,
  prediction: Prediction,
  rows: readonly Row[] | undefined,
  refusals: readonly (string | null)[],
): HybridFailure {
  const { api_use: use, calls, sql } = prediction;
  if (rows === undefined) {
    if (use && use.unbound > 0) return 'unbound_input';
    if (use && use.misrouted > 0) return 'routing';
    const wrote = sql != null || (calls ?? []).length > 0 || refusals.some((refusal) => refusal !== null);
    return wrote && !isCutOff(prediction) ? 'not_executed' : 'no_answer';
  }
  if (use && use.invented > 0) return 'invented_value';
  const [mine, theirs] = [countRows(rows), countRows(gold)];
  if (rows.length < gold.length && isWithin(mine, theirs)) return 'lost_rows';
  if (rows.length > gold.length && isWithin(theirs, mine)) return 'extra_rows';
  if (
    rows.length === gold.length &&
    hasNumbers(gold) &&
    isWithin(countRows(rows, true), countRows(gold, true))
  )
    return 'wrong_aggregation';
  return 'wrong_rows';
}

/** How often each row comes; of `textsOnly`, what it has beside numbers. */
function countRows(rows: readonly Row[], textsOnly = false): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = JSON.stringify(
      row.map((cell) => (textsOnly && isNumber(cell) ? 'number' : `${typeof cell} ${cell}`)),
    );
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function isWithin(some: ReadonlyMap<string, number>, all: ReadonlyMap<string, number>): boolean {
  return [...some].every(([key, count]) => count <= (all.get(key) ?? 0));
}

function hasNumbers(rows: readonly Row[]): boolean {
  return rows.some((row) => row.some(isNumber));
}

function isNumber(cell: Cell): boolean {
  return typeof cell === 'number' || typeof cell === 'bigint';
}
