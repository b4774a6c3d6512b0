import { groupingOf } from '../../tools/plan/grouping.ts';
import type { Plan } from '../../tools/plan/plan.ts';

/**
 * The columns that a preview shows: of groups, their keys and the columns computed for them. The other columns hold the
 * values of one row a group, which mean little and take long to find.
 */
export function previewKeys(plan: Plan): string[] {
  const group = groupingOf(plan);
  const shown = plan.columns.filter(
    (column) => !group || group.keys.includes(column.key) || !group.input.columns.includes(column),
  );
  return (shown.length === 0 ? plan.columns : shown).map(({ key }) => key);
}
