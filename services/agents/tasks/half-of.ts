import type { TaskHead } from '../../../contracts/task-index.ts';
import type { TaskHalf } from '../../../contracts/task-selection.ts';
import { seededNumber } from '../../base/seeded-order.ts';

/**
 * The half that a task's question is in: the same in each formulation. By a number it is the same in each world of a
 * farm, by a world's commitment it is that world's own.
 */
export function halfOf({ split, db, question_id }: TaskHead, seed: number | string): TaskHalf {
  return seededNumber(seed, 'half', split, db, question_id) < 0.5 ? 'train' : 'held_back';
}
