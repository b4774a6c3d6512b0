import { type Expr, isAggregated, isCorrelated, type Query, sameExpr } from '../../../../sql/index.ts';
import { constantColumn } from '../sequence/columns.ts';
import type { LowerContext } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';
import { keepExisting, keepIncluded } from '../subqueries/correlated-conditions.ts';
import { decorrelate } from '../subqueries/decorrelate.ts';
import { existsAsCount } from '../subqueries/exists-value.ts';
import { conditionOf } from './condition-of.ts';
import { asTests } from './truth.ts';

/** Keeps the rows for which a condition is true. */
export function filterRows(condition: Expr, frame: Frame, context: LowerContext): void {
  keep(asTests(condition), frame, context);
}

function keep(expr: Expr, frame: Frame, context: LowerContext): void {
  switch (expr.kind) {
    case 'and':
      for (const item of expr.items) keep(item, frame, context);
      return;
    case 'or':
      keepAny(expr.items, frame, context);
      return;
    case 'exists':
      if (isCorrelated(expr.query) || isSelectOfRows(expr.query)) keepExisting(expr, frame, context);
      else keepTest(existsAsCount(expr), frame, context);
      return;
    case 'in_query':
      if (expr.expr.kind === 'row' || isCorrelated(expr.query)) keepIncluded(expr, frame, context);
      else keepTest(expr, frame, context);
      return;
    default:
      keepTest(expr, frame, context);
  }
}

/** Whether a query is a SELECT of rows rather than of groups, or a set operation. */
function isSelectOfRows(query: Query): boolean {
  return query.kind === 'select' && !isAggregated(query);
}

function keepTest(expr: Expr, frame: Frame, context: LowerContext): void {
  const { subject, condition, value } = conditionOf(expr, frame, context);
  const key = subject.kind === 'key' ? subject.key : constantColumn(subject.argument, frame, context);
  frame.label = context.sequence.call('filter_data', {
    data_source: `$${frame.label}$`,
    key_name: key,
    ...(value === undefined ? {} : { value }),
    condition,
  });
}

/** OR: the same table filtered in two ways, combined row by row. */
function keepAny(items: readonly Expr[], frame: Frame, context: LowerContext): void {
  const branches = asLists(items.map(withoutOwnColumns));
  const [only] = branches;
  if (only && branches.length === 1) {
    keep(only, frame, context);
    return;
  }
  // Columns that the tests need are added first, so that both branches start from one table.
  for (const branch of branches) prepare(branch, frame, context);
  const start = frame.label;
  const labels = branches.map((branch) => {
    frame.label = start;
    keep(branch, frame, context);
    return frame.label;
  });
  frame.label = labels.reduce((first, second) =>
    context.sequence.call('combine_rows', {
      data_source: `$${first}$`,
      other_data_source: `$${second}$`,
      combination: 'or',
    }),
  );
}

/** An EXISTS that would number the rows of one branch only compares a count of partners, added before the branches. */
function withoutOwnColumns(expr: Expr): Expr {
  if (expr.kind === 'and' || expr.kind === 'or') return { ...expr, items: expr.items.map(withoutOwnColumns) };
  if (expr.kind !== 'exists') return expr;
  const joins = isCorrelated(expr.query)
    ? decorrelate(expr.query, 'exists').conditions.length === 0
    : isSelectOfRows(expr.query);
  return joins ? expr : existsAsCount(expr);
}

function prepare(expr: Expr, frame: Frame, context: LowerContext): void {
  if (expr.kind === 'and' || expr.kind === 'or') for (const item of expr.items) prepare(item, frame, context);
  else if (expr.kind !== 'exists') {
    const { subject } = conditionOf(expr, frame, context);
    if (subject.kind === 'argument') constantColumn(subject.argument, frame, context);
  }
}

/** `a = 1 OR a = 2` as `a IN (1, 2)`. */
function asLists(items: readonly Expr[]): Expr[] {
  const result: Expr[] = [];
  for (const item of items) {
    const choice = choiceOf(item);
    const at = choice
      ? result.findIndex((other) => sameExpr(choiceOf(other)?.expr ?? other, choice.expr) && choiceOf(other))
      : -1;
    const known = at < 0 ? null : choiceOf(result[at] as Expr);
    if (choice && known) result[at] = { ...known, items: [...known.items, ...choice.items] };
    else result.push(item);
  }
  return result;
}

function choiceOf(expr: Expr): Extract<Expr, { kind: 'in_list' }> | null {
  if (expr.kind === 'in_list') return expr.negated ? null : expr;
  if (expr.kind !== 'compare' || expr.op !== '=' || expr.right.kind !== 'literal') return null;
  return { kind: 'in_list', expr: expr.left, items: [expr.right], negated: false };
}
