import { sameRows } from '../../contracts/same-rows.ts';
import type { Row } from '../../contracts/value.ts';

/** The right answer: rows, and their order where it matters. */
export interface GoldRows {
  readonly gold_answer: readonly Row[];
  readonly order_groups: readonly number[] | null;
}

/**
 * Completion: whether the agent returned the right rows.
 *
 * Source: Live API-Bench (arXiv 2506.11266), the share of all instances for which the model returned the
 * ground-truth response. The rows compare as rookery proves its samples: as a list where the gold SQL orders
 * (tied rows may swap), else as a bag; NULL equals NULL, numbers within 1e-9, all else exactly. An answer that can
 * be read in several ways is right if one reading is.
 */
export function scoreCompletion(gold: GoldRows, readings: readonly (readonly Row[])[]): boolean {
  return readings.some((rows) => sameRows(gold.gold_answer, rows, gold.order_groups));
}
