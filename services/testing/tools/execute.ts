import type { Catalog } from '../../../contracts/catalog.ts';
import type { ColumnAnswer, TableAnswer, ToolAnswer, ValueAnswer } from '../../../contracts/tools.ts';
import type { Cell } from '../../../contracts/value.ts';
import { parseArguments } from '../../base/arguments/parse-arguments.ts';
import type { Scope } from '../../domain/tools/arguments/scope.ts';
import type { ToolDefinition } from '../../domain/tools/arguments/tool-definition.ts';
import {
  countStatement,
  type RowWindow,
  rowsStatement,
  valueStatement,
} from '../../domain/tools/compile/statements.ts';
import { answerKind } from '../../domain/tools/plan/answer-kind.ts';
import type { ColumnPlan, Plan, TablePlan, ValuePlan } from '../../domain/tools/plan/plan.ts';
import type { Statement } from '../../domain/tools/sql/sql.ts';
import type { HandleStore } from './handle-store.ts';

/** Where tools run: one domain's catalog, its handles, and whatever runs SQL on its database. */
export interface ToolContext {
  readonly catalog: Catalog;
  readonly store: HandleStore;
  /**
   * Runs one SELECT whose result columns are called `columns`. It may give fewer rows than there are, for a
   * row or byte cap, and then says so.
   */
  readonly run: (statement: Statement, columns: readonly string[]) => Promise<RowsAnswer>;
  /** Rows shown of a table; 0 asks for no rows at all: then nothing is run and nothing is counted. */
  readonly previewRows: number;
  /** Which values of a column result are shown. */
  readonly page: RowWindow;
}

export interface RowsAnswer {
  readonly rows: readonly Readonly<Record<string, Cell>>[];
  readonly truncated: boolean;
}

/** Carries out one call. Throws ArgumentError for invalid arguments, and the errors of `context.run`. */
export async function execute(
  tool: ToolDefinition,
  args: unknown,
  context: ToolContext,
): Promise<ToolAnswer> {
  const plan = tool.plan(parseArguments(tool.args, args), scopeOf(context));
  context.store.put(plan);
  return answer(plan, context);
}

/** What a call can refer to in a domain: the handles of its store. */
export function scopeOf(context: Pick<ToolContext, 'catalog' | 'store'>): Scope {
  return {
    catalog: context.catalog,
    find: context.store.get,
  };
}

/** An agent's view of a result: a table's size and first rows, a column's values, a value. */
export async function answer(plan: Plan, context: ToolContext): Promise<ToolAnswer> {
  if (plan.op === 'aggregate' || plan.op === 'calculate') return valueAnswer(plan, context);
  if (answerKind(plan) === 'table') return tableAnswer(plan as TablePlan, context);
  return columnAnswer(plan as ColumnPlan | TablePlan, context);
}

async function valueAnswer(plan: ValuePlan, context: ToolContext): Promise<ValueAnswer> {
  const { rows } = await context.run(valueStatement(plan, context.catalog), ['value']);
  return { kind: 'value', handle: plan.handle, value: rows[0]?.value ?? null };
}

async function columnAnswer(plan: ColumnPlan | TablePlan, context: ToolContext): Promise<ColumnAnswer> {
  const { offset, limit } = context.page;
  const column = plan.columns[0]?.key as string;
  // Reading one more row than is shown reveals whether there are more.
  const statement = rowsStatement(plan, context.catalog, { offset, limit: limit + 1 });
  const { rows, truncated } = await context.run(statement, [column]);
  const values = rows.slice(0, limit).map((row) => row[column] ?? null);
  const more = truncated || rows.length > limit;
  return {
    kind: 'column',
    handle: plan.handle,
    column,
    values,
    row_count: values.length,
    truncated: more,
    next_offset: more ? offset + values.length : null,
  };
}

async function tableAnswer(plan: TablePlan, context: ToolContext): Promise<TableAnswer> {
  const columns = plan.columns.map(({ key }) => key);
  const told = { kind: 'table', handle: plan.handle, columns } as const;
  // A start table costs nothing until its rows are requested.
  if (context.previewRows === 0 || plan.op === 'start') return { ...told, row_count: null, preview: [] };
  const page = { offset: 0, limit: context.previewRows };
  const [count, preview] = await Promise.all([
    context.run(countStatement(plan, context.catalog), ['count']),
    context.run(rowsStatement(plan, context.catalog, page), columns),
  ]);
  return { ...told, row_count: Number(count.rows[0]?.count ?? 0), preview: [...preview.rows] };
}
