import type { Catalog } from '../../../../contracts/catalog.ts';
import { HttpProblem } from '../../../base/http/problem.ts';
import { jsonSql, jsonValueSql } from '../../../base/sqlite/json-sql.ts';
import type { JsonRows } from '../../../base/sqlite/rows-as-json.ts';
import { countStatement, rowsStatement, valueStatement } from '../../tools/compile/statements.ts';
import { answerKind } from '../../tools/plan/answer-kind.ts';
import { makePlan } from '../../tools/plan/make-plan.ts';
import type { Plan, SelectPlan, TablePlan, ValuePlan } from '../../tools/plan/plan.ts';
import type { Statement } from '../../tools/sql/sql.ts';
import { countedPlan } from './counted-plan.ts';
import { firstObjects } from './first-objects.ts';
import { previewKeys } from './preview-keys.ts';
import type { RowCounts } from './row-counts.ts';
import type { View } from './view.ts';

/** Runs one statement whose rows come as JSON texts; `maxRows` of them at most. */
export type RunJson = (
  sql: string,
  parameters: Statement['parameters'],
  maxRows: number,
) => Promise<JsonRows>;

/** What is known of a domain. */
export interface Known {
  readonly catalog: Catalog;
  /** How many rows tables have, by handle: steps that neither add nor drop rows need not count them again. */
  readonly counts: Pick<RowCounts, 'get' | 'set'>;
}

/** The JSON text of a ToolAnswer; `whole` is false when looking into a result took too long. */
export interface AnswerText {
  readonly text: string;
  readonly whole: boolean;
}

/**
 * The answer for a plan's result, as the JSON text of a ToolAnswer: SQLite writes the values, so that an integer keeps
 * its digits and a real its point. Throws the errors of `run`, and ANSWER_TOO_LARGE for a value over the cap.
 */
export async function answerPlan(plan: Plan, known: Known, view: View, run: RunJson): Promise<AnswerText> {
  const kind = answerKind(plan);
  const { catalog } = known;
  if (kind === 'value') return answerValue(plan as ValuePlan, catalog, run);
  return kind === 'column'
    ? answerColumn(plan, known, view, run)
    : answerTable(plan as TablePlan, known, view, run);
}

async function answerValue(plan: ValuePlan, catalog: Catalog, run: RunJson): Promise<AnswerText> {
  const { sql, parameters } = valueStatement(plan, catalog);
  const { text, truncated } = await run(jsonValueSql(sql), parameters, 1);
  if (truncated) throw tooLarge();
  return { text: `{"kind":"value","handle":"${plan.handle}","value":${text}}`, whole: true };
}

async function answerColumn(plan: Plan, known: Known, view: View, run: RunJson): Promise<AnswerText> {
  const { catalog } = known;
  const { offset, limit } = view;
  // Reading one more row than is shown reveals whether there are more.
  const { sql, parameters } = rowsStatement(plan, catalog, { offset, limit: limit + 1 });
  const { text: values, count, truncated } = await run(jsonValueSql(sql), parameters, limit);
  // Going on at the same place would never end.
  if (truncated && count === 0) throw tooLarge();
  const column = JSON.stringify(plan.columns[0]?.key);
  const next = truncated ? offset + count : null;
  const more = truncated ? `,"more":${JSON.stringify(goOn(plan, offset + count))}` : '';
  const isEnd = !truncated && (count > 0 || offset === 0);
  const rows = isEnd ? offset + count : await countValues(plan, known, run);
  const text = `{"kind":"column","handle":"${plan.handle}","column":${column},"values":[${values}],"row_count":${rows},"truncated":${truncated},"next_offset":${next}${more}}`;
  return { text, whole: rows !== null };
}

/** How many values a column has; null when counting them takes too long. */
async function countValues(plan: Plan, { catalog, counts }: Known, run: RunJson): Promise<number | null> {
  const counted = counts.get(plan.handle);
  if (counted !== undefined) return counted;
  try {
    const rows = await countRows(plan, catalog, run);
    counts.set(plan.handle, rows);
    return rows;
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 'QUERY_TIMEOUT') return null;
    throw error;
  }
}

/** How to ask for the values after those shown. It names no argument, since a list may call them otherwise. */
function goOn(plan: Plan, shown: number): string {
  const there = 'There are more values than these: to go on,';
  if (plan.op === 'describe') return `${there} leave out ${shown} more at the start than now.`;
  if (plan.op !== 'column') return `${there} leave out the first ${shown}.`;
  const left = plan.limit < 0 ? '' : ` and ask for ${plan.limit - shown} at most`;
  return `${there} leave out the first ${plan.offset + shown}${left}.`;
}

async function answerTable(plan: TablePlan, known: Known, view: View, run: RunJson): Promise<AnswerText> {
  const keys = plan.columns.map(({ key }) => key);
  // A start table costs nothing until its rows are requested.
  const look = view.preview > 0 && plan.op !== 'start';
  const seen = look ? await lookInto(plan, known, view.preview, run) : null;
  const text = `{"kind":"table","handle":"${plan.handle}","columns":${JSON.stringify(keys)},"row_count":${seen?.rows ?? null},"preview":[${seen?.preview ?? ''}]}`;
  return { text, whole: !look || seen !== null };
}

/** Rows read for a preview: where there are fewer, they need not be counted in a second pass. */
const LOOKED_AT = 100;

/** A table's size and first rows; null when it takes too long. */
async function lookInto(plan: TablePlan, { catalog, counts }: Known, maxRows: number, run: RunJson) {
  const keys = previewKeys(plan);
  const shownPlan = keys.length < plan.columns.length ? selectedColumns(plan, keys) : plan;
  const counted = countedPlan(plan);
  try {
    const known = counts.get(counted.handle);
    const limit = known === undefined ? Math.max(maxRows, LOOKED_AT) : maxRows;
    const shown = rowsStatement(shownPlan, catalog, { offset: 0, limit });
    const seen = await run(jsonSql(shown.sql, keys), shown.parameters, limit);
    const preview = firstObjects(seen.text, maxRows);
    if (known !== undefined) return { rows: known, preview };
    const rows = seen.count < limit && !seen.truncated ? seen.count : await countRows(counted, catalog, run);
    counts.set(counted.handle, rows);
    return { rows, preview };
  } catch (error) {
    // The table can be filtered further, even if reading its rows now would take too long.
    if (error instanceof HttpProblem && error.code === 'QUERY_TIMEOUT') return null;
    throw error;
  }
}

async function countRows(plan: Plan, catalog: Catalog, run: RunJson): Promise<number> {
  const { sql, parameters } = countStatement(plan, catalog);
  return Number((await run(jsonValueSql(sql), parameters, 1)).text);
}

function selectedColumns(input: TablePlan, keys: readonly string[]): SelectPlan {
  const columns = input.columns.filter(({ key }) => keys.includes(key));
  return makePlan<SelectPlan>('preview', { op: 'select', columns, input, keys });
}

function tooLarge(): HttpProblem {
  return new HttpProblem('ANSWER_TOO_LARGE', 'A single value is larger than an answer may be.');
}
