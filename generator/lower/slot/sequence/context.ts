import type { Cte, Expr, Query } from '../../../../sql/index.ts';
import type { Frame } from './frame.ts';
import type { Sequence } from './sequence.ts';

/** A subquery lowered to a table: its label, and the column of each of its result columns. */
export interface LoweredTable {
  readonly label: string;
  readonly keys: readonly string[];
}

/** Shared state of lowering one question. */
export interface LowerContext extends Recursion {
  readonly sequence: Sequence;
  /** Common table expressions by name, with their tables once lowered: a second reader finds the same one. */
  readonly ctes: Map<string, { readonly cte: Cte; table: LoweredTable | null }>;
  /** The values of subqueries that are the same for every row: a condition may be asked for more than once. */
  readonly scalars: Map<Query, string>;
}

/**
 * The recursive parts of the lowering. Rows depend on expressions and conditions, these on subqueries, and subqueries
 * on rows. The folders import each other in one direction only, so calls in the other direction go through this object.
 */
export interface Recursion {
  /**
   * Gives an expression a value: a column of the frame, added if necessary, or an argument when it is the same for
   * every row. Without a frame there are no rows.
   */
  evaluate(expr: Expr, frame: Frame | null): Evaluated;
  /** Keeps the rows of the frame for which a condition is true. */
  filter(condition: Expr, frame: Frame): void;
  /** A query as a table; `ordered`: its ORDER BY matters to the reader. */
  table(query: Query, ordered: boolean): LoweredTable;
}

/** The value of an expression: a column of the frame, or an argument that is the same for every row. */
export type Evaluated =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'argument'; readonly argument: Argument };

/** A literal, or `$label$` of a result. */
export type Argument = string | number | null;

/** The value as an argument of a tool that can take a column in its place. */
export function asOperand(value: Evaluated): Argument | { key_name: string } {
  return value.kind === 'key' ? { key_name: value.key } : value.argument;
}
