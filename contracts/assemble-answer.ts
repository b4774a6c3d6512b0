import type { Call } from './sample.ts';
import type { ToolAnswer } from './tools.ts';
import type { Cell, Row } from './value.ts';

/**
 * The rows that a sequence of calls answers: the results that no later call refers to, side by side in call
 * order; a column gives its values, a single value one row. Tables show no rows, so they take no part. null
 * when there is no such result, or when the columns are not equally long.
 */
export function assembleAnswer(calls: readonly Call[], answers: readonly ToolAnswer[]): Row[] | null {
  const used = usedLabels(calls);
  const columns: (readonly Cell[])[] = [];
  calls.forEach((call, i) => {
    const answer = answers[i];
    if (!answer || answer.kind === 'table' || (call.label !== undefined && used.has(call.label))) return;
    columns.push(answer.kind === 'column' ? answer.values : [answer.value]);
  });
  const rows = columns[0]?.length;
  if (rows === undefined || columns.some((column) => column.length !== rows)) return null;
  return Array.from({ length: rows }, (_, i) => columns.map((column) => column[i] ?? null));
}

/** The labels that some argument refers to as `$label$`. */
export function usedLabels(calls: readonly Call[]): Set<string> {
  const labels = new Set(calls.flatMap((call) => (call.label === undefined ? [] : [call.label])));
  const used = new Set<string>();
  for (const call of calls) {
    mapReferences(call.arguments, (label) => {
      if (labels.has(label)) used.add(label);
      return undefined;
    });
  }
  return used;
}

/**
 * A copy of an argument with every string that is exactly `$label$` replaced by what `replace` gives for the
 * label, or left alone where that is undefined.
 */
export function mapReferences(value: unknown, replace: (label: string) => string | undefined): unknown {
  if (typeof value === 'string') {
    const label =
      value.length > 2 && value.startsWith('$') && value.endsWith('$') ? value.slice(1, -1) : null;
    return (label === null ? undefined : replace(label)) ?? value;
  }
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, replace));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, mapReferences(item, replace)]),
    );
  }
  return value;
}
