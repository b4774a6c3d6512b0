import type { Catalog } from '../../../../contracts/catalog.ts';
import { HttpProblem } from '../../../base/http/problem.ts';
import { jsonSql, jsonValueSql } from '../../../base/sqlite/json-sql.ts';
import type { JsonRows } from '../../../base/sqlite/rows-as-json.ts';
import { countStatement, rowsStatement, valueStatement } from '../../tools/compile/statements.ts';
import { answerKind } from '../../tools/plan/answer-kind.ts';
import { makePlan } from '../../tools/plan/make-plan.ts';
import type { Plan, SelectPlan, TablePlan, ValuePlan } from '../../tools/plan/plan.ts';
import type { Statement } from '../../tools/sql/sql.ts';
import { previewKeys } from './preview-keys.ts';
import type { View } from './view.ts';

/** Runs one statement whose rows come as JSON texts; `maxRows` of them at most. */
export type RunJson = (
  sql: string,
  parameters: Statement['parameters'],
  maxRows: number,
) => Promise<JsonRows>;

/** The JSON text of a ToolAnswer; `whole` is false when looking into a table took too long. */
export interface AnswerText {
  readonly text: string;
  readonly whole: boolean;
}

/**
 * The answer for a plan's result, as the JSON text of a ToolAnswer: SQLite writes the values, so that an integer keeps
 * its digits and a real its point. Throws the errors of `run`, and ANSWER_TOO_LARGE for a value over the cap.
 */
export async function answerPlan(
  plan: Plan,
  catalog: Catalog,
  view: View,
  run: RunJson,
): Promise<AnswerText> {
  const kind = answerKind(plan);
  if (kind === 'value') return answerValue(plan as ValuePlan, catalog, run);
  return kind === 'column'
    ? answerColumn(plan, catalog, view, run)
    : answerTable(plan as TablePlan, catalog, view, run);
}

async function answerValue(plan: ValuePlan, catalog: Catalog, run: RunJson): Promise<AnswerText> {
  const { sql, parameters } = valueStatement(plan, catalog);
  const { text, truncated } = await run(jsonValueSql(sql), parameters, 1);
  if (truncated) throw tooLarge();
  return { text: `{"kind":"value","handle":"${plan.handle}","value":${text}}`, whole: true };
}

async function answerColumn(plan: Plan, catalog: Catalog, view: View, run: RunJson): Promise<AnswerText> {
  const { offset, limit } = view;
  // Reading one more row than is shown reveals whether there are more.
  const { sql, parameters } = rowsStatement(plan, catalog, { offset, limit: limit + 1 });
  const { text: values, count, truncated } = await run(jsonValueSql(sql), parameters, limit);
  // Going on at the same place would never end.
  if (truncated && count === 0) throw tooLarge();
  const column = JSON.stringify(plan.columns[0]?.key);
  const next = truncated ? offset + count : null;
  const text = `{"kind":"column","handle":"${plan.handle}","column":${column},"values":[${values}],"row_count":${count},"truncated":${truncated},"next_offset":${next}}`;
  return { text, whole: true };
}

async function answerTable(plan: TablePlan, catalog: Catalog, view: View, run: RunJson): Promise<AnswerText> {
  const keys = plan.columns.map(({ key }) => key);
  // A start table costs nothing until its rows are requested.
  const look = view.preview > 0 && plan.op !== 'start';
  const seen = look ? await lookInto(plan, catalog, view.preview, run) : null;
  const text = `{"kind":"table","handle":"${plan.handle}","columns":${JSON.stringify(keys)},"row_count":${seen?.rows ?? null},"preview":[${seen?.preview ?? ''}]}`;
  return { text, whole: !look || seen !== null };
}

/** A table's size and first rows; null when it takes too long. */
async function lookInto(plan: TablePlan, catalog: Catalog, maxRows: number, run: RunJson) {
  const keys = previewKeys(plan);
  const shownPlan = keys.length < plan.columns.length ? selectedColumns(plan, keys) : plan;
  try {
    const shown = rowsStatement(shownPlan, catalog, { offset: 0, limit: maxRows });
    const preview = await run(jsonSql(shown.sql, keys), shown.parameters, maxRows);
    if (preview.count < maxRows && !preview.truncated) return { rows: preview.count, preview: preview.text };
    const counted = countStatement(plan, catalog);
    const { text } = await run(jsonValueSql(counted.sql), counted.parameters, 1);
    return { rows: Number(text), preview: preview.text };
  } catch (error) {
    // The table can be filtered further, even if reading its rows now would take too long.
    if (error instanceof HttpProblem && error.code === 'QUERY_TIMEOUT') return null;
    throw error;
  }
}

function selectedColumns(input: TablePlan, keys: readonly string[]): SelectPlan {
  const columns = input.columns.filter(({ key }) => keys.includes(key));
  return makePlan<SelectPlan>('preview', { op: 'select', columns, input, keys });
}

function tooLarge(): HttpProblem {
  return new HttpProblem('ANSWER_TOO_LARGE', 'A single value is larger than an answer may be.');
}
