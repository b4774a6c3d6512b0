import { type GoldPlan, planAnswer } from '../../../contracts/plan.ts';
import type { HiddenShare } from '../../../contracts/share.ts';

/** What a gold call took, as it was answered at a share. */
export function planOf(answer: unknown, { share, seed }: HiddenShare): GoldPlan {
  const { class: kind = 'none', plan, calls, rows_moved } = planAnswer.parse(answer);
  const pages = plan.reduce((sum, step) => sum + step.pages, 0);
  return { share, seed, class: kind, calls, pages, rows_moved };
}
