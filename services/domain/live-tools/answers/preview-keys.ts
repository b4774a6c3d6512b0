import { groupingOf } from '../../tools/plan/grouping.ts';
import type { Plan } from '../../tools/plan/plan.ts';

/**
 * The columns that a preview shows: of groups, their keys and the columns computed for them. The other columns hold the
 * values of one row a group, which mean little and take long to find.
 */
export function previewKeys(plan: Plan): string[] {
  const keys = shownKeys(plan);
  if (keys.length <= MAX_KEYS) return keys;
  // What has been computed stands last.
  const made = plan.columns.flatMap(({ key, origin }) =>
    origin === null && keys.includes(key) ? [key] : [],
  );
  const kept = new Set([...made.slice(-MAX_KEYS / 2), ...keys].slice(0, MAX_KEYS));
  return keys.filter((key) => kept.has(key));
}

/** Columns of a preview: three rows of hundreds would be longer than all else that an agent reads. */
const MAX_KEYS = 40;

function shownKeys(plan: Plan): string[] {
  const group = groupingOf(plan);
  const shown = plan.columns.filter(
    (column) => !group || group.keys.includes(column.key) || !group.input.columns.includes(column),
  );
  return (shown.length === 0 ? plan.columns : shown).map(({ key }) => key);
}
