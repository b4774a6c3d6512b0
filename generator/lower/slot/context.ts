import type { Cte, Query } from '../../sql/index.ts';
import type { Sequence } from './sequence.ts';

/** A subquery lowered to a table: its label, and the column of each of its result columns. */
export interface LoweredTable {
  readonly label: string;
  readonly keys: readonly string[];
}

/** What the lowering of one question shares. */
export interface LowerContext {
  readonly sequence: Sequence;
  /** Common table expressions by name, with their tables once lowered: a second reader finds the same one. */
  readonly ctes: Map<string, { readonly cte: Cte; table: LoweredTable | null }>;
  /** The values of subqueries that are the same for every row: a condition may be asked for more than once. */
  readonly scalars: Map<Query, string>;
}

/** What an expression has become: a column of the frame, or an argument that is the same for every row. */
export type Evaluated =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'argument'; readonly argument: Argument };

/** A literal, or `$label$` of a result. */
export type Argument = string | number | null;

/** The value as an argument of a tool that can take a column in its place. */
export function asOperand(value: Evaluated): Argument | { key_name: string } {
  return value.kind === 'key' ? { key_name: value.key } : value.argument;
}
