import type { ParameterType } from '../../../contracts/service.ts';
import type { Expr, InList, Literal, Query } from '../../../sql/index.ts';

/** How a literal is used: what a user chooses with it. */
export type Role =
  | 'equal'
  | 'not_equal'
  /** `>=` and `>` */
  | 'at_least'
  | 'above'
  /** `<=` and `<` */
  | 'at_most'
  | 'below'
  /** The two ends of BETWEEN. */
  | 'low'
  | 'high'
  /** LIKE with the wildcards kept in the SQL. */
  | 'contains'
  | 'starts_with'
  | 'ends_with'
  /** LIKE without wildcards: equal but for the case of letters. */
  | 'like'
  /** A pattern that is the user's as a whole. */
  | 'pattern'
  /** The same in the writing of GLOB: `*` and `?`. */
  | 'glob'
  | 'among'
  | 'not_among'
  /** A number in arithmetic that the question names. */
  | 'factor'
  | 'limit';

/** Where in its query a choice stands. */
export type Clause = 'filter' | 'having' | 'value' | 'limit';

/** One place in the gold SQL where a choice is written. */
export interface Occurrence {
  /** One literal; for an array one an item. */
  readonly literals: readonly Literal[];
  /** The IN list that an array stands in. */
  readonly list: InList | null;
}

/** A literal of a query that is a user's choice, or several that necessarily mean the same. */
export interface Choice {
  readonly role: Role;
  readonly clause: Clause;
  /** True under an odd number of NOTs of its own query. */
  readonly negated: boolean;
  /** True in what EXCEPT, NOT IN or NOT EXISTS takes away. */
  readonly removed: boolean;
  /** What the literal is compared with; null for a limit. */
  readonly subject: Expr | null;
  /** The base column that the subject is, when it is nothing more. */
  readonly column: { readonly table: string; readonly column: string } | null;
  /** The query (of the outermost and all subqueries) it stands in. */
  readonly scope: Query;
  readonly type: ParameterType;
  readonly array: boolean;
  /** True where an integer and the real of the same value have the same effect: a plain comparison. */
  readonly anyNumber: boolean;
  /** Wildcards of LIKE that stay in the SQL. */
  readonly prefix: string;
  readonly suffix: string;
  readonly occurrences: readonly Occurrence[];
  /** The argument that stands for the literals of the gold SQL. */
  readonly value: string | number | readonly (string | number)[];
}
