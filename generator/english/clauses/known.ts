import { type Aggregate, type Expr, exprsWithin, type Origins } from '../../../sql/index.ts';
import { canonicalExpr } from '../../template/canonical-form.ts';
import { isNotNull, isPadded } from '../../template/is-not-null.ts';
import { bare, isCount } from './patterns.ts';

/** Whether two expressions are the same but for what does not change their meaning. */
export function sameExpr(a: Expr | undefined, b: Expr | undefined, origins: Origins): boolean {
  const written = (expr: Expr) => canonicalExpr(bare(expr), origins, (source) => source);
  return a !== undefined && b !== undefined && written(a) === written(b);
}

/** Whether no row lacks a value: what is read is declared so, asked for, or always there. */
export function isKnown(expr: Expr, origins: Origins): boolean {
  const parts = exprsWithin(expr);
  if (parts.some(({ kind }) => kind === 'case' || kind === 'call' || kind === 'scalar_query')) return false;
  const columns = parts.filter((part) => part.kind === 'column');
  return columns.every((column) => {
    if (isNotNull(column, origins)) return true;
    const base = origins.baseColumn(column);
    return base !== null && base.column.statistics.nulls === 0 && !isPadded(column.source, origins);
  });
}

/** Whether an aggregate counts rows, none left out for a missing value. */
export function countsRows(expr: Expr, origins: Origins): boolean {
  const inner = bare(expr);
  if (!isCount(inner) || inner.kind !== 'aggregate' || inner.distinct || inner.filter !== null) return false;
  const [arg] = inner.args;
  return arg === undefined || isKnown(arg, origins);
}

/** Whether a count counts just the rows that have a value to add up. */
export function countsValues(count: Aggregate, summed: Expr, origins: Origins): boolean {
  const [counted] = count.args;
  if (sameExpr(counted, summed, origins)) return true;
  return isKnown(summed, origins) && (counted === undefined || isKnown(counted, origins));
}
