import { childExprs, type Expr, type Query, type Select } from '../../../sql/index.ts';
import { exprsOf, queriesOf } from '../tree/parts.ts';

/**
 * Whether the rows of an answer may depend on the order in which SQLite meets them: LIMIT, a subquery's
 * first row, columns outside GROUP BY, window functions, GROUP_CONCAT.
 */
export function isOrderSensitive(query: Query): boolean {
  for (const one of queriesOf(query)) {
    if (one.kind !== 'values' && one.limit !== null) return true;
    if (one.kind === 'select' && hasBareColumns(one)) return true;
  }
  for (const expr of exprsOf(query)) {
    if (expr.kind === 'window') return true;
    if (expr.kind === 'aggregate' && !ORDERLESS.has(expr.name)) return true;
    if (expr.kind === 'scalar_query' && !isOneRow(expr.query)) return true;
  }
  return false;
}

const ORDERLESS: ReadonlySet<string> = new Set(['count', 'sum', 'avg', 'min', 'max', 'total']);

function isOneRow(query: Query): boolean {
  return (
    query.kind === 'select' &&
    query.groupBy.length === 0 &&
    query.columns.some(({ expr }) => aggregates(expr))
  );
}

function hasBareColumns(select: Select): boolean {
  const grouped = select.groupBy.length > 0 || select.columns.some(({ expr }) => aggregates(expr));
  if (!grouped) return false;
  const keys = new Set(select.groupBy.map(columnKey));
  // Conditions of WHERE and ON are about rows, not groups.
  const told = [...select.columns, ...select.orderBy].map(({ expr }) => expr);
  return [...told, ...(select.having === null ? [] : [select.having])].some((expr) => bare(expr, keys));
}

function bare(expr: Expr, keys: ReadonlySet<string | null>): boolean {
  if (expr.kind === 'aggregate') return false;
  if (expr.kind === 'column') return !keys.has(columnKey(expr));
  return childExprs(expr).some((child) => bare(child, keys));
}

function columnKey(expr: Expr): string | null {
  return expr.kind === 'column' ? `${expr.source}.${expr.name}` : null;
}

/** Whether an expression holds an aggregate of its own query. */
export function aggregates(expr: Expr): boolean {
  return expr.kind === 'aggregate' || childExprs(expr).some(aggregates);
}
