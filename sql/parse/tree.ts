import { Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../../contracts/errors.ts';

/** The child node of that name, or null. */
export function child(node: Expression, key: string): Expression | null {
  const value = node.args[key];
  return value instanceof Expression ? value : null;
}

/** The child node of that name; throws SQL_NOT_PARSED when sqlglot left it out. */
export function need(node: Expression, key: string): Expression {
  const value = child(node, key);
  if (value === null) throw new QueryError('SQL_NOT_PARSED', `${node.key} without ${key}`);
  return value;
}

/** The list of child nodes of that name, or none. */
export function children(node: Expression, key: string): Expression[] {
  const value = node.args[key];
  if (!Array.isArray(value)) return [];
  return value.filter((item) => item instanceof Expression);
}

/** The text of that name, or ''. */
export function textOf(node: Expression, key: string): string {
  const value = node.args[key];
  return typeof value === 'string' ? value : '';
}

/** Without the parentheses around it. */
export function unwrap(node: Expression): Expression {
  return node.key === 'paren' ? unwrap(need(node, 'this')) : node;
}
