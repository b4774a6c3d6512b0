import { parseExactJson } from '../contracts/exact-json.ts';
import { planAnswer } from '../contracts/plan.ts';
import { counted } from '../contracts/wording.ts';
import { textTable } from './text-table.ts';

/** Rows that are shown; the rest is counted. */
const MOST_ROWS = 50;

/** The answer to a statement for people: its rows, and what was asked of which API to get them. */
export function planReport(text: string): string {
  const { columns, data, row_count, truncated, executor, hidden, plan, calls, rows_moved } = planAnswer.parse(
    parseExactJson(text),
  );
  const rows = data.slice(0, MOST_ROWS).map((row) => columns.map((name) => shown(row[name] ?? null)));
  const left = row_count - rows.length;
  const parts = [textTable(columns, rows)];
  if (left > 0 || truncated)
    parts.push(`… and ${left}${truncated ? ' or more' : ''} rows more; --json shows them`);
  parts.push(
    `\n${counted(row_count, 'row')}; executor ${executor}; read by API: ${hidden.join(', ') || 'no table'}`,
  );
  if (executor === 'http') {
    const steps = plan.map((step, i) => [
      i + 1,
      step.api,
      step.alias ?? '',
      step.by,
      step.keys,
      step.calls,
      step.pages,
      step.rows,
    ]);
    if (plan.length > 0)
      parts.push(textTable(['step', 'API', 'as', 'by', 'keys', 'calls', 'pages', 'rows'], steps));
    parts.push(`${counted(calls, 'call')}, ${counted(rows_moved, 'row')} moved`);
  }
  return `${parts.join('\n')}\n`;
}

function shown(value: string | number | bigint | null): string | number {
  return value === null ? 'NULL' : typeof value === 'bigint' ? String(value) : value;
}
