import { type GoldPlan, planAnswer } from '../../../contracts/plan.ts';
import type { HiddenShare } from '../../../contracts/share.ts';

/** What a gold call took, as it was answered at a share, and whether it asked for a place of several that have the name. */
export function planOf(
  answer: unknown,
  { share, seed }: HiddenShare,
): { readonly plan: GoldPlan; readonly choosesPlaces: boolean } {
  const { class: kind = 'none', plan, calls, rows_moved } = planAnswer.parse(answer);
  const pages = plan.reduce((sum, step) => sum + step.pages, 0);
  const choosesPlaces = plan.some(({ ambiguous = 0 }) => ambiguous > 0);
  return { plan: { share, seed, class: kind, calls, pages, rows_moved }, choosesPlaces };
}
