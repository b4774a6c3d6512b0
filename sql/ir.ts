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
  /** In order, with `*` expanded. */
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
  /** As written, if there was one. */
  readonly alias: string | null;
}

/** Read through `CteSource`s; the name is unique in the whole query. */
export interface Cte {
  readonly name: string;
  readonly recursive: boolean;
  /** As in `query` unless a column list renames them. */
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
  /** With USING and NATURAL as equalities. */
  readonly on: Expr | null;
}

export type Source = TableSource | DerivedSource | CteSource;

export interface TableSource {
  readonly kind: 'table';
  readonly id: SourceId;
  /** As in the catalog. */
  readonly table: string;
  /** As written, or the table's name. */
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
  | RowValue
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
  /** Whether the binder put the reference time in place of `'now'`, CURRENT_DATE, … */
  readonly pinned: boolean;
  /** UTF-16 offsets in the gold SQL, end exclusive; null if it is not written there as such. */
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

/** A column of this query or, in a correlated subquery, of an enclosing one. */
export interface Column {
  readonly kind: 'column';
  readonly source: SourceId;
  /** As in the catalog (or the derived table's output); `rowid` for SQLite's row id. */
  readonly name: string;
}

/** The n-th result column (0-based) of a set operation; only in its ORDER BY. */
export interface Output {
  readonly kind: 'output';
  readonly index: number;
}

interface OfOne<Kind> {
  readonly kind: Kind;
  readonly expr: Expr;
}

interface OfTwo<Kind, Op> {
  readonly kind: Kind;
  readonly op: Op;
  readonly left: Expr;
  readonly right: Expr;
}

/** In the order written. */
interface OfSeveral<Kind> {
  readonly kind: Kind;
  readonly items: readonly Expr[];
}

interface Test<Kind> extends OfOne<Kind> {
  readonly negated: boolean;
}

/** A row value: `(a, b)`. */
export type RowValue = OfSeveral<'row'>;

export interface Unary extends OfOne<'unary'> {
  readonly op: '-' | '+' | '~';
}

export type BinaryOp = '+' | '-' | '*' | '/' | '%' | '||' | '&' | '|' | '<<' | '>>' | '->' | '->>';

export type Binary = OfTwo<'binary', BinaryOp>;

export type CompareOp = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'is' | 'is_not';

export type Compare = OfTwo<'compare', CompareOp>;

/** At least two items, none an `and`. */
export type And = OfSeveral<'and'>;

/** At least two items, none an `or`. */
export type Or = OfSeveral<'or'>;

/** Only for nodes without a `negated` of their own. */
export type Not = OfOne<'not'>;

export type IsNull = Test<'is_null'>;

export interface Between extends Test<'between'> {
  readonly low: Expr;
  readonly high: Expr;
}

export interface Like extends Test<'like'> {
  readonly op: 'like' | 'glob' | 'regexp' | 'match';
  readonly pattern: Expr;
  readonly escape: Expr | null;
}

export interface InList extends Test<'in_list'> {
  readonly items: readonly Expr[];
}

export interface InQuery extends Test<'in_query'> {
  readonly query: Query;
}

export interface Exists {
  readonly kind: 'exists';
  readonly query: Query;
  readonly negated: boolean;
}

/** The first row of a subquery, or NULL. */
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

export interface Cast extends OfOne<'cast'> {
  /** As written, upper case: `REAL`, `DECIMAL(10,2)`. */
  readonly type: string;
}

export interface Collate extends OfOne<'collate'> {
  readonly collation: string;
}

/** The name is lower case (`max` of two or more arguments is scalar). */
export interface Call {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly Expr[];
}

/** The name is lower case. COUNT(*) has no args and `star`. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly name: string;
  readonly args: readonly Expr[];
  readonly star: boolean;
  readonly distinct: boolean;
  readonly filter: Expr | null;
  /** As in `group_concat(x ORDER BY y)`. */
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

export function node<T extends Expr | Query | object>(fields: T): T {
  return Object.freeze(fields);
}

type Span = Literal['span'];

export function integerLiteral(value: bigint, span: Span = null): Literal {
  return node({ kind: 'literal', pinned: false, span, type: 'integer', value });
}

export function realLiteral(text: string, span: Span = null): Literal {
  return node({ kind: 'literal', pinned: false, span, type: 'real', value: Number(text), text });
}

export function textLiteral(value: string, span: Span = null, pinned = false): Literal {
  return node({ kind: 'literal', pinned, span, type: 'text', value });
}

export function pinnedLiteral(value: string): Literal {
  return textLiteral(value, null, true);
}

export function blobLiteral(hex: string, span: Span = null): Literal {
  return node({ kind: 'literal', pinned: false, span, type: 'blob', value: hex });
}

export const NULL_LITERAL: Literal = node({
  kind: 'literal',
  pinned: false,
  span: null,
  type: 'null',
  value: null,
});

/** An aggregate without DISTINCT, FILTER and ORDER BY. */
export function plainAggregate(name: string, args: readonly Expr[]): Aggregate {
  return node({ kind: 'aggregate', name, args, star: false, distinct: false, filter: null, orderBy: [] });
}

/** A SELECT with these clauses alone. */
export function plainSelect(clauses: Pick<Select, 'columns' | 'from'> & Partial<Select>): Select {
  return node({
    kind: 'select',
    with: [],
    distinct: false,
    where: null,
    groupBy: [],
    having: null,
    orderBy: [],
    limit: null,
    ...clauses,
  });
}

/** A sort key with NULLs where SQLite has them. */
export function orderTerm(expr: Expr, direction: OrderTerm['direction'] = 'asc'): OrderTerm {
  return node({ expr, direction, nulls: null });
}

/** AND of the items, flattened; a single item is returned as is. */
export function conjunction(items: readonly Expr[]): Expr {
  return connect('and', items);
}

/** OR of the items, flattened; a single item is returned as is. */
export function disjunction(items: readonly Expr[]): Expr {
  return connect('or', items);
}

function connect(kind: 'and' | 'or', items: readonly Expr[]): Expr {
  const flat = items.flatMap((item) => (item.kind === kind ? item.items : [item]));
  const [first] = flat;
  if (first !== undefined && flat.length === 1) return first;
  return node({ kind, items: Object.freeze(flat) });
}

/** NOT of an expression; flips `negated` on nodes that have it. */
export function negate(expr: Expr): Expr {
  return node('negated' in expr ? { ...expr, negated: !expr.negated } : { kind: 'not', expr });
}

/** Direct parts in the order written, without subqueries. */
export function childExprs(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'column':
    case 'output':
    case 'exists':
    case 'scalar_query':
      return [];
    case 'row':
    case 'and':
    case 'or':
      return expr.items;
    case 'unary':
    case 'not':
    case 'is_null':
    case 'cast':
    case 'collate':
    case 'in_query':
      return [expr.expr];
    case 'binary':
    case 'compare':
      return [expr.left, expr.right];
    case 'between':
      return [expr.expr, expr.low, expr.high];
    case 'like':
      return [expr.expr, expr.pattern, ...present(expr.escape)];
    case 'in_list':
      return [expr.expr, ...expr.items];
    case 'case':
      return [
        ...present(expr.operand),
        ...expr.whens.flatMap(({ when, result }) => [when, result]),
        ...present(expr.else),
      ];
    case 'call':
      return expr.args;
    case 'aggregate':
      return [...expr.args, ...present(expr.filter), ...termExprs(expr.orderBy)];
    case 'window':
      return [
        ...expr.args,
        ...present(expr.filter),
        ...expr.partitionBy,
        ...termExprs(expr.orderBy),
        ...(expr.frame ? [...boundExprs(expr.frame.start), ...boundExprs(expr.frame.end)] : []),
      ];
  }
}

export function subqueryOf(expr: Expr): Query | null {
  return expr.kind === 'in_query' || expr.kind === 'exists' || expr.kind === 'scalar_query'
    ? expr.query
    : null;
}

/** The expressions of a query's own clauses, as printed, without FROM's subqueries and CTEs. */
export function queryExprs(query: Query): readonly Expr[] {
  switch (query.kind) {
    case 'values':
      return query.rows.flat();
    case 'set_operation':
      return [...termExprs(query.orderBy), ...limitExprs(query)];
    case 'select':
      return [
        ...query.columns.map((column) => column.expr),
        ...query.from.flatMap((item) => present(item.on)),
        ...present(query.where),
        ...query.groupBy,
        ...present(query.having),
        ...termExprs(query.orderBy),
        ...limitExprs(query),
      ];
  }
}

/** Direct subqueries outside of expressions: CTEs, derived tables, sides of a set operation. */
export function childQueries(query: Query): readonly Query[] {
  const ctes = query.with.map((cte) => cte.query);
  if (query.kind === 'values') return ctes;
  if (query.kind === 'set_operation') return [...ctes, query.left, query.right];
  return [...ctes, ...query.from.flatMap(({ source }) => (source.kind === 'derived' ? [source.query] : []))];
}

/** Called for each node; return false to skip an expression's parts. */
export interface Visitor {
  readonly query?: (query: Query) => void;
  readonly expr?: (expr: Expr) => unknown;
}

/** Visits a query and its parts, subqueries included, outside in. */
export function visitQuery(query: Query, visitor: Visitor): void {
  visitor.query?.(query);
  for (const inner of childQueries(query)) visitQuery(inner, visitor);
  for (const expr of queryExprs(query)) visitExpr(expr, visitor);
}

/** Visits an expression and its parts, subqueries included, outside in. */
export function visitExpr(expr: Expr, visitor: Visitor): void {
  if (visitor.expr?.(expr) === false) return;
  const query = subqueryOf(expr);
  for (const inner of childExprs(expr)) visitExpr(inner, visitor);
  if (query) visitQuery(query, visitor);
}

function present(expr: Expr | null): readonly Expr[] {
  return expr === null ? [] : [expr];
}

function termExprs(terms: readonly OrderTerm[]): readonly Expr[] {
  return terms.map((term) => term.expr);
}

function limitExprs(query: Exclude<Query, { kind: 'values' }>): readonly Expr[] {
  return query.limit ? [query.limit.count, ...present(query.limit.offset)] : [];
}

function boundExprs(bound: FrameBound): readonly Expr[] {
  return 'offset' in bound ? [bound.offset] : [];
}

/** Returns a replacement, or null to rewrite the expression's parts. */
export type ExprRewrite = (expr: Expr) => Expr | null;

/** Returns the new form of a node whose parts are already rewritten. */
export type NodeRewrite = (node: unknown) => unknown;

/** Replaces expressions, parents first; unchanged parts stay the same objects. */
export function rewriteExprs<T extends Query | Expr>(tree: T, rewrite: ExprRewrite): T {
  return rebuild(tree, (node, within) => (isExpr(node) ? rewrite(node) : null) ?? within());
}

/** Rewrites nodes chosen by identity, inner ones first. */
export function rewriteNodes<T>(tree: T, rewrites: ReadonlyMap<object, NodeRewrite>): T {
  return rebuild(tree, (node, within) => {
    const rewrite = rewrites.get(node);
    return rewrite ? rewrite(within()) : within();
  });
}

export function replaceNode<T>(tree: T, from: object, to: unknown): T {
  return rewriteNodes(tree, new Map([[from, () => to]]));
}

/** Returns a node's replacement; `within` gives the node with its parts rebuilt. */
type RebuildStep = (node: object, within: () => unknown) => unknown;

/** Works on any plain data, without a list of node fields. */
function rebuild<T>(tree: T, step: RebuildStep): T {
  if (typeof tree !== 'object' || tree === null) return tree;
  return step(tree, () => rebuildParts(tree, step)) as T;
}

function rebuildParts(tree: object, step: RebuildStep): object {
  if (Array.isArray(tree)) {
    const items = tree.map((item: unknown) => rebuild(item, step));
    return items.some((item, i) => item !== tree[i]) ? Object.freeze(items) : tree;
  }
  const before = Object.entries(tree);
  const fields = before.map(([name, value]) => [name, rebuild<unknown>(value, step)] as const);
  const same = fields.every(([, value], i) => value === before[i]?.[1]);
  return same ? tree : Object.freeze(Object.fromEntries(fields));
}

const OTHER_KINDS: ReadonlySet<unknown> = new Set<Query['kind'] | Source['kind']>([
  'select',
  'set_operation',
  'values',
  'table',
  'derived',
  'cte',
]);

function isExpr(node: object): node is Expr {
  return 'kind' in node && !OTHER_KINDS.has(node.kind);
}

/** Expressions are frozen, so each is printed once. */
const keys = new WeakMap<Expr, string>();

/** Equal for expressions with the same meaning, wherever they are written, `'now'` included. */
export function exprKey(expr: Expr): string {
  const known = keys.get(expr);
  if (known !== undefined) return known;
  const key = textOf(expr);
  keys.set(expr, key);
  return key;
}

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

/** The items of an AND, or the expression alone; none for null. */
export function conjuncts(expr: Expr | null): readonly Expr[] {
  if (expr === null) return [];
  return expr.kind === 'and' ? expr.items : [expr];
}

/** A text or number as JavaScript has it; null for others, and for integers that it rounds. */
export function literalValue(literal: Literal): number | string | null {
  if (literal.type === 'integer') {
    const value = Number(literal.value);
    return Number.isSafeInteger(value) ? value : null;
  }
  return literal.type === 'real' || literal.type === 'text' ? literal.value : null;
}
