import type { FieldError } from '../../../contracts/api.ts';
import type { Catalog } from '../../../contracts/catalog.ts';
import { unknownField } from '../../base/arguments.ts';
import { HttpProblem, invalidFields } from '../../base/http/problem.ts';
import { type JsonRows, jsonSql, jsonValueSql } from '../../base/sqlite/driver.ts';
import { countStatement, rowsStatement, valueStatement } from './compile-plan.ts';
import type { Statement } from './conditions.ts';
import {
  answerKind,
  groupingOf,
  makePlan,
  type Plan,
  type SelectPlan,
  type TablePlan,
  type ValuePlan,
} from './plan.ts';

/** Runs a statement that returns rows as JSON texts, `maxRows` at most. */
export type RunJson = (
  sql: string,
  parameters: Statement['parameters'],
  maxRows: number,
) => Promise<JsonRows>;

export interface Known {
  readonly catalog: Catalog;
  /** Row counts of tables by handle, which saves counting again after steps that keep the number of rows. */
  readonly counts: Pick<RowCounts, 'get' | 'set'>;
}

/** The JSON text of a ToolAnswer. `whole` is false if the preview took too long. */
export interface AnswerText {
  readonly text: string;
  readonly whole: boolean;
}

/**
 * The JSON text of the ToolAnswer of a plan's result. SQLite prints the values, so that an integer keeps its digits and
 * a real its point. Throws the errors of `run`, and ANSWER_TOO_LARGE for a value over the limit.
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
  // Reads one extra row, to know whether there are more.
  const { sql, parameters } = rowsStatement(plan, catalog, { offset, limit: limit + 1 });
  const { text: values, count, truncated } = await run(jsonValueSql(sql), parameters, limit);
  // Continuing at the same offset would never end.
  if (truncated && count === 0) throw tooLarge();
  const column = JSON.stringify(plan.columns[0]?.key);
  const next = truncated ? offset + count : null;
  const more = truncated ? `,"more":${JSON.stringify(goOn(plan, offset + count))}` : '';
  const isEnd = !truncated && (count > 0 || offset === 0);
  const rows = isEnd ? offset + count : await countValues(plan, known, run);
  const text = `{"kind":"column","handle":"${plan.handle}","column":${column},"values":[${values}],"row_count":${rows},"truncated":${truncated},"next_offset":${next}${more}}`;
  return { text, whole: rows !== null };
}

/** Number of values of a column; null if counting takes too long. */
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

/** Hint for getting the values after those shown. It names no argument, since a toolset may rename them. */
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

/** Rows read for a preview. If there are fewer, no second pass is needed to count them. */
const LOOKED_AT = 100;

/** Row count and first rows of a table; null if reading them takes too long. */
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
    // The table can be filtered further, even if reading its rows takes too long.
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

/** The part of a result that a call requests, from its query string. */
export interface View {
  /** Rows of a table to show; 0 for none, which also skips the count. */
  readonly preview: number;
  readonly offset: number;
  readonly limit: number;
}

export const MAX_PREVIEW_ROWS = 100;
const DEFAULT_PREVIEW_ROWS = 3;
/** Default number of values of a column in an answer: more than most agents read. */
export const DEFAULT_VALUES = 100;
const NAMES = ['preview', 'offset', 'limit'] as const;

/**
 * Parses `?preview=3&offset=0&limit=100`, capping the limit at `maxRows`. Throws INVALID_PARAMETERS, one entry per
 * field.
 */
export function readView(query: Readonly<Record<string, unknown>>, maxRows: number): View {
  const most = Number.MAX_SAFE_INTEGER;
  const max = { preview: MAX_PREVIEW_ROWS, offset: most, limit: most };
  const view = { preview: DEFAULT_PREVIEW_ROWS, offset: 0, limit: Math.min(DEFAULT_VALUES, maxRows) };
  const errors: FieldError[] = [];
  for (const name of Object.keys(query)) {
    if (!isName(name)) errors.push(unknown(name));
  }
  for (const name of NAMES) {
    const given = query[name];
    if (given === undefined) continue;
    const min = name === 'limit' ? 1 : 0;
    const value = typeof given === 'string' && /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max[name]) view[name] = value;
    else
      errors.push({
        field: name,
        code: 'wrong_type',
        message: `${name} must be a whole number from ${min} to ${max[name]}`,
      });
  }
  // A limit above the maximum means "as many as possible".
  if (errors.length === 0) return { ...view, limit: Math.min(view.limit, maxRows) };
  throw invalidFields(errors);
}

function isName(name: string): name is (typeof NAMES)[number] {
  return NAMES.some((each) => each === name);
}

function unknown(name: string): FieldError {
  return unknownField(name, NAMES, { what: 'query parameter', hint: '; arguments go into the body' });
}

/** The earliest plan with as many rows: new columns, sorts and aggregates of groups keep their number. */
export function countedPlan(plan: TablePlan): TablePlan {
  if (plan.op !== 'transform' && plan.op !== 'sort' && plan.op !== 'group_aggregate' && plan.op !== 'select')
    return plan;
  return isTable(plan.input) ? countedPlan(plan.input) : plan;
}

function isTable(plan: Plan): plan is TablePlan {
  return plan.op !== 'column' && plan.op !== 'aggregate' && plan.op !== 'calculate' && plan.op !== 'describe';
}

/**
 * Columns of a preview. For groups: the keys and the computed columns; other columns hold the values of one arbitrary
 * row per group, and are slow to find.
 */
export function previewKeys(plan: Plan): string[] {
  const keys = shownKeys(plan);
  if (keys.length <= MAX_KEYS) return keys;
  // Computed columns come last.
  const made = plan.columns.flatMap(({ key, origin }) =>
    origin === null && keys.includes(key) ? [key] : [],
  );
  const kept = new Set([...made.slice(-MAX_KEYS / 2), ...keys].slice(0, MAX_KEYS));
  return keys.filter((key) => kept.has(key));
}

/** Maximum columns of a preview: rows of hundreds would dwarf everything else that the agent reads. */
const MAX_KEYS = 40;

function shownKeys(plan: Plan): string[] {
  const group = groupingOf(plan);
  const shown = plan.columns.filter(
    (column) => !group || group.keys.includes(column.key) || !group.input.columns.includes(column),
  );
  return (shown.length === 0 ? plan.columns : shown).map(({ key }) => key);
}

const MAX_COUNTS = 20_000;

/** Row counts by handle; the older half is evicted at the limit. */
export class RowCounts {
  readonly #counts = new Map<string, number>();

  get(handle: string): number | undefined {
    return this.#counts.get(handle);
  }

  set(handle: string, rows: number): void {
    this.#counts.set(handle, rows);
    if (this.#counts.size <= MAX_COUNTS) return;
    let surplus = MAX_COUNTS / 2;
    for (const old of this.#counts.keys()) {
      if (surplus-- <= 0) break;
      this.#counts.delete(old);
    }
  }
}

/** Row counts as visible to one caller: response times must not reveal the calls of others. */
export function countsOf(counts: RowCounts, caller: string): Pick<RowCounts, 'get' | 'set'> {
  return {
    get: (handle) => counts.get(`${caller} ${handle}`),
    set: (handle, rows) => counts.set(`${caller} ${handle}`, rows),
  };
}

/** The first `n` of a comma-separated list of JSON objects, verbatim. */
export function firstObjects(text: string, n: number): string {
  if (n === 0) return '';
  let depth = 0;
  let left = n;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inText) {
      // Skips an escaped character, which cannot end a string.
      if (character === '\\') at++;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth === 0 && character === '}' && !inText && --left === 0) return text.slice(0, at + 1);
  }
  return text;
}
