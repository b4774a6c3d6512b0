/**
 * The query IR: the only form in which the rest of rookery sees SQL.
 *
 * A query arrives here bound: every column names its source, every `*` is spelled out, aliases of result
 * columns are replaced by what they stand for, `"text"` that names no column is a literal, and `'now'` is
 * the farm's reference time. All nodes are frozen; passes build new trees.
 */

/** A source's identity, unique in the whole query (subqueries included): `T1`, `T2`, … in order of appearance. */
export type SourceId = string;

// ---------------------------------------------------------------------------------------------- queries

export type Query = Select | SetOperation | Values;

export interface Select {
  readonly kind: 'select';
  readonly with: readonly Cte[];
  readonly distinct: boolean;
  /** The result columns, in order; `SELECT *` is already spelled out. */
  readonly columns: readonly OutputColumn[];
  /** Empty when there is no FROM. The first item has join `from`. */
  readonly from: readonly FromItem[];
  readonly where: Expr | null;
  readonly groupBy: readonly Expr[];
  readonly having: Expr | null;
  /** Terms are expressions over the sources; never an `output` reference. */
  readonly orderBy: readonly OrderTerm[];
  readonly limit: Limit | null;
}

/** `left op right`; nests to the left as SQLite does. */
export interface SetOperation {
  readonly kind: 'set_operation';
  readonly with: readonly Cte[];
  readonly op: 'union' | 'union_all' | 'intersect' | 'except';
  readonly left: Query;
  readonly right: Query;
  /** Terms are `output` references (or a collation of one). */
  readonly orderBy: readonly OrderTerm[];
  readonly limit: Limit | null;
}

/** `VALUES (…), (…)`; its columns are called `column1`, `column2`, … */
export interface Values {
  readonly kind: 'values';
  readonly with: readonly Cte[];
  readonly rows: readonly (readonly Expr[])[];
}

export interface OutputColumn {
  readonly expr: Expr;
  /** Unique among the columns of its query: the alias, the column's name, or `c<n>`. Derived tables are read by it. */
  readonly name: string;
  /** The alias as written in the query, if there was one. */
  readonly alias: string | null;
}

/** A common table expression, read through `CteSource`s; the name is unique in the whole query. */
export interface Cte {
  readonly name: string;
  readonly recursive: boolean;
  /** Names of its columns; the same as those of `query` unless a column list renames them. */
  readonly columns: readonly string[];
  readonly query: Query;
}

export interface OrderTerm {
  readonly expr: Expr;
  readonly direction: 'asc' | 'desc';
  /** null: SQLite's own (NULLs first when ascending, last when descending). */
  readonly nulls: 'first' | 'last' | null;
}

export interface Limit {
  readonly count: Expr;
  readonly offset: Expr | null;
}

// ---------------------------------------------------------------------------------------------- sources

export interface FromItem {
  /** `from` for the first; `inner` also for JOIN without ON (then `on` is null); `cross` for commas and CROSS JOIN. */
  readonly join: 'from' | 'inner' | 'cross' | 'left' | 'right' | 'full';
  readonly source: Source;
  /** USING and NATURAL are spelled out as equalities. */
  readonly on: Expr | null;
}

export type Source = TableSource | DerivedSource | CteSource;

export interface TableSource {
  readonly kind: 'table';
  readonly id: SourceId;
  /** The table's name as the catalog spells it. */
  readonly table: string;
  /** The alias as written, or the table's name. */
  readonly alias: string;
}

export interface DerivedSource {
  readonly kind: 'derived';
  readonly id: SourceId;
  readonly query: Query;
  /** As written, or ''. */
  readonly alias: string;
}

export interface CteSource {
  readonly kind: 'cte';
  readonly id: SourceId;
  readonly name: string;
  readonly alias: string;
}

// ------------------------------------------------------------------------------------------ expressions

export type Expr =
  | Literal
  | Column
  | Output
  | Row
  | Unary
  | Binary
  | Compare
  | And
  | Or
  | Not
  | IsNull
  | Between
  | Like
  | InList
  | InQuery
  | Exists
  | ScalarQuery
  | Case
  | Cast
  | Collate
  | Call
  | Aggregate
  | Window;

export type ExprKind = Expr['kind'];

export type Literal = {
  readonly kind: 'literal';
  /** True for what the binder put in place of `'now'`, CURRENT_DATE, … : the pinned reference time. */
  readonly pinned: boolean;
  /** Where the literal stands in the gold SQL as given (UTF-16 offsets, end exclusive); null if it is not there as such. */
  readonly span: { readonly start: number; readonly end: number } | null;
} & (
  | { readonly type: 'integer'; readonly value: bigint }
  /** `text` is the number as written: `1.0`, `1e3`. */
  | { readonly type: 'real'; readonly value: number; readonly text: string }
  | { readonly type: 'text'; readonly value: string }
  /** `value` is the hex digits, upper case. */
  | { readonly type: 'blob'; readonly value: string }
  | { readonly type: 'null'; readonly value: null }
);

/** A column of a source in this query or, in a correlated subquery, of an enclosing one. */
export interface Column {
  readonly kind: 'column';
  readonly source: SourceId;
  /** As the catalog (or the derived table's output) spells it; `rowid` for SQLite's row id. */
  readonly name: string;
}

/** The n-th result column (0-based) of a set operation; only in its ORDER BY. */
export interface Output {
  readonly kind: 'output';
  readonly index: number;
}

/** A row value: `(a, b)`. */
export interface Row {
  readonly kind: 'row';
  readonly items: readonly Expr[];
}

export interface Unary {
  readonly kind: 'unary';
  readonly op: '-' | '+' | '~';
  readonly expr: Expr;
}

export type BinaryOp = '+' | '-' | '*' | '/' | '%' | '||' | '&' | '|' | '<<' | '>>' | '->' | '->>';

export interface Binary {
  readonly kind: 'binary';
  readonly op: BinaryOp;
  readonly left: Expr;
  readonly right: Expr;
}

export type CompareOp = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'is' | 'is_not';

export interface Compare {
  readonly kind: 'compare';
  readonly op: CompareOp;
  readonly left: Expr;
  readonly right: Expr;
}

/** Flattened: an item is never itself an `and`. At least two items, in the order written. */
export interface And {
  readonly kind: 'and';
  readonly items: readonly Expr[];
}

/** Flattened: an item is never itself an `or`. At least two items, in the order written. */
export interface Or {
  readonly kind: 'or';
  readonly items: readonly Expr[];
}

/** Only where no node has its own `negated`. */
export interface Not {
  readonly kind: 'not';
  readonly expr: Expr;
}

export interface IsNull {
  readonly kind: 'is_null';
  readonly expr: Expr;
  readonly negated: boolean;
}

export interface Between {
  readonly kind: 'between';
  readonly expr: Expr;
  readonly low: Expr;
  readonly high: Expr;
  readonly negated: boolean;
}

export interface Like {
  readonly kind: 'like';
  readonly op: 'like' | 'glob' | 'regexp' | 'match';
  readonly expr: Expr;
  readonly pattern: Expr;
  readonly escape: Expr | null;
  readonly negated: boolean;
}

export interface InList {
  readonly kind: 'in_list';
  readonly expr: Expr;
  readonly items: readonly Expr[];
  readonly negated: boolean;
}

export interface InQuery {
  readonly kind: 'in_query';
  readonly expr: Expr;
  readonly query: Query;
  readonly negated: boolean;
}

export interface Exists {
  readonly kind: 'exists';
  readonly query: Query;
  readonly negated: boolean;
}

/** A subquery used as a value: its first row, or NULL. */
export interface ScalarQuery {
  readonly kind: 'scalar_query';
  readonly query: Query;
}

/** CASE, and IIF which is the same. */
export interface Case {
  readonly kind: 'case';
  readonly operand: Expr | null;
  readonly whens: readonly { readonly when: Expr; readonly result: Expr }[];
  readonly else: Expr | null;
}

export interface Cast {
  readonly kind: 'cast';
  readonly expr: Expr;
  /** The type name as written, upper case: `REAL`, `DECIMAL(10,2)`. */
  readonly type: string;
}

export interface Collate {
  readonly kind: 'collate';
  readonly expr: Expr;
  readonly collation: string;
}

/** A scalar function; the name is lower case (`max` of two or more arguments is one). */
export interface Call {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly Expr[];
}

/** An aggregate function; the name is lower case. COUNT(*) has no args and `star`. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly name: string;
  readonly args: readonly Expr[];
  readonly star: boolean;
  readonly distinct: boolean;
  readonly filter: Expr | null;
  /** In which order the values are taken: `group_concat(x ORDER BY y)`. */
  readonly orderBy: readonly OrderTerm[];
}

export interface Window {
  readonly kind: 'window';
  readonly name: string;
  readonly args: readonly Expr[];
  readonly star: boolean;
  readonly filter: Expr | null;
  readonly partitionBy: readonly Expr[];
  readonly orderBy: readonly OrderTerm[];
  readonly frame: Frame | null;
}

export interface Frame {
  readonly mode: 'rows' | 'range' | 'groups';
  readonly start: FrameBound;
  readonly end: FrameBound;
  readonly exclude: 'current_row' | 'group' | 'ties' | null;
}

export type FrameBound =
  | { readonly at: 'unbounded_preceding' | 'current_row' | 'unbounded_following' }
  | { readonly at: 'preceding' | 'following'; readonly offset: Expr };
