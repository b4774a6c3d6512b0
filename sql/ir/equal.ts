import type { Expr } from './nodes.ts';

/** Expressions are frozen, so each is printed once. */
const keys = new WeakMap<Expr, string>();

/**
 * A text that equal expressions share: those with the same meaning node for node, wherever their literals stand in
 * the gold SQL, and whether a text was written there or put in for the pinned time.
 */
export function exprKey(expr: Expr): string {
  const known = keys.get(expr);
  if (known !== undefined) return known;
  const key = textOf(expr);
  keys.set(expr, key);
  return key;
}

/** Whether two expressions are equal, node for node. */
export function sameExpr(a: Expr, b: Expr): boolean {
  return a === b || exprKey(a) === exprKey(b);
}

function textOf(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  const fields = Object.entries(value).filter(([name]) => name !== 'span' && name !== 'pinned');
  return `{${fields
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => `${name}:${textOf(part)}`)
    .join()}}`;
}
