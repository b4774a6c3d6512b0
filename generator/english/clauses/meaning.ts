import { type Column, type Expr, type Origins, rewriteExprs, textLiteral } from '../../../sql/index.ts';
import { canonicalExpr, isNotNull, isPadded } from '../../template/canonical-form.ts';
import type { Term } from './clause.ts';
import { unchanged } from './patterns.ts';
import type { QueryContext } from './query-context.ts';

/**
 * What a term stands for, so that two are alike where they are the same expression of the same columns: computed columns
 * are followed to what they are made of, references to the key that they refer to; casts and how far something is
 * rounded do not count. Null for what no single expression was read as.
 */
export function meaningOf(term: Term, { exprOf, origins }: QueryContext): Meaning | null {
  const expr = exprOf.get(term);
  if (expr === undefined) return null;
  const told = unrounded(expr, origins, 0);
  const text = canonicalExpr(resolved(told, origins, 0), origins, (id) => id);
  return { text, column: told.kind === 'column' };
}

/** What a term stands for, as text; and whether that is a column as it is. */
export interface Meaning {
  readonly text: string;
  readonly column: boolean;
}

/** How far a value is rounded is told beside it. */
function unrounded(expr: Expr, origins: Origins, depth: number): Expr {
  const [rounded] = expr.kind === 'call' && expr.name === 'round' ? expr.args : [];
  const origin = expr.kind === 'column' ? origins.of(expr) : null;
  const inner = expr.kind === 'cast' ? expr.expr : origin?.kind === 'computed' ? origin.expr : rounded;
  return inner === undefined || depth > 50 ? expr : unrounded(inner, origins, depth + 1);
}

function resolved(tree: Expr, origins: Origins, depth: number): Expr {
  const within = (expr: Expr) => resolved(expr, origins, depth + 1);
  return rewriteExprs(tree, (expr) => {
    switch (expr.kind) {
      case 'cast':
      case 'collate':
        return within(expr.expr);
      case 'binary': {
        const same = unchanged(expr);
        return same === null ? null : within(same);
      }
      case 'aggregate': {
        const [arg] = expr.args;
        const rows = expr.name === 'count' && !expr.distinct && arg !== undefined && isThere(arg, origins);
        return rows ? within({ ...expr, args: [], star: true }) : null;
      }
      case 'and':
      case 'or': {
        const items = new Map(expr.items.map((item) => [canonicalExpr(item, origins, (id) => id), item]));
        const [only, ...others] = items.values();
        return only !== undefined && others.length === 0 ? within(only) : null;
      }
      case 'column': {
        const origin = origins.of(expr);
        // A recursive query is made of itself.
        if (origin.kind === 'computed') return depth > 50 ? null : within(origin.expr);
        const place = placeOf(expr, origins);
        return place === null ? null : textLiteral(place);
      }
      default:
        return null;
    }
  });
}

/** Whether a row that is there has it: to count them is to count rows. */
function isThere(expr: Expr, origins: Origins): boolean {
  const base = origins.baseColumn(expr);
  const key = base !== null && base.column.primary_key > 0 && !isPadded(base.source, origins);
  return key || isNotNull(expr, origins);
}

/** The column that a column is read from, as text: of a reference the key, of a row that its query reads twice which of them. */
function placeOf(column: Column, origins: Origins): string | null {
  const base = origins.baseColumn(column);
  if (base === null) return null;
  let [table, name] = [base.table, base.column.name];
  const seen = new Set<string>();
  for (;;) {
    const key = table.foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === name);
    const parent = key === undefined ? null : origins.tableNamed(key.references_table);
    if (key === undefined || parent === null || seen.has(`${table.name}.${name}`)) break;
    seen.add(`${table.name}.${name}`);
    [table, name] = [parent, key.references_columns[0] ?? name];
  }
  const twins = (origins.selectOf(base.source)?.from ?? []).filter(
    ({ source }) => origins.tableOf(source.id) === base.table,
  );
  const at = twins.findIndex(({ source }) => source.id === base.source);
  return `${table.name}.${name}${at > 0 ? ` of ${at + 1}` : ''}`;
}
