import type { Binary, Call, Expr } from '../../../../sql/index.ts';
import { unsupported } from '../sequence/unsupported.ts';

/** What `json_extract` is asked for: the text, the path into it, and which part of what is there. */
export interface JsonOperation {
  readonly input: Expr;
  readonly path: string;
  readonly part: string;
}

/** Functions of a JSON text and perhaps a path, by the part that they answer. */
const PARTS: Readonly<Record<string, string>> = {
  json_extract: 'value',
  json_type: 'type',
  json_array_length: 'length',
  json_valid: 'valid',
};

/** A JSON function as one operation; null for other functions. Throws when its path is computed or it has several. */
export function jsonCall({ name, args }: Call): JsonOperation | null {
  const part = PARTS[name];
  const [input, path, more] = args;
  if (!part || !input) return null;
  if (more || (!path && part === 'value'))
    throw unsupported(`${name}()`, `${name} of ${args.length} arguments`);
  // The second argument of json_valid says what counts as JSON.
  if (path && part === 'valid') throw unsupported(`${name}()`, 'json_valid with flags');
  return { input, path: path ? pathIn(path, name) : '$', part };
}

/** `x -> path` and `x ->> path`. Throws when the path is computed. */
export function jsonArrow({ op, left, right }: Binary): JsonOperation {
  return { input: left, path: arrowPath(right, op), part: op === '->' ? 'json' : 'value' };
}

function pathIn(expr: Expr, clause: string): string {
  if (expr.kind === 'literal' && expr.type === 'text' && expr.value.startsWith('$')) return expr.value;
  throw unsupported(clause, 'a path into JSON that is no text literal beginning with $');
}

/** An arrow also takes the name of a field or the number of an element. */
function arrowPath(expr: Expr, op: string): string {
  if (expr.kind === 'unary' && expr.op === '-' && isWhole(expr.expr)) return `$[#-${expr.expr.value}]`;
  if (isWhole(expr)) return `$[${expr.value}]`;
  const name = expr.kind === 'literal' && expr.type === 'text' ? expr.value : '$';
  if (name.startsWith('$')) return pathIn(expr, op);
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return `$.${name}`;
  if (/^[^"\\[\]]+$/.test(name)) return `$."${name}"`;
  throw unsupported(op, `the name of a field is ${name}`);
}

function isWhole(expr: Expr): expr is Extract<Expr, { type: 'integer' }> {
  return expr.kind === 'literal' && expr.type === 'integer';
}
