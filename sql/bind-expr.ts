import type { Expression } from 'sqlglot-ts/expressions';
import type { Catalog, CatalogTable } from '../contracts/catalog.ts';
import { QueryError } from '../contracts/errors.ts';
import { bindQuery } from './bind-query.ts';
import {
  type BinaryOp,
  blobLiteral,
  type Case,
  type Column,
  type CompareOp,
  conjunction,
  disjunction,
  type Expr,
  type Frame,
  type FrameBound,
  integerLiteral,
  type Like,
  type Literal,
  NULL_LITERAL,
  negate,
  node,
  type OrderTerm,
  pinnedLiteral,
  type Query,
  realLiteral,
  type SourceId,
  textLiteral,
  type Window,
} from './ir.ts';
import {
  type Carrier,
  child,
  children,
  need,
  readFunction,
  readName,
  readToken,
  type Token,
  textOf,
  unwrap,
} from './parse.ts';

export interface BindContext {
  readonly binder: Binder;
  readonly scope: Scope;
  readonly ctes: CteScope;
}

type Handler = (node: Expression, context: BindContext) => Expr;

/** Throws SQL_NOT_BOUND, SQL_UNSUPPORTED or SQL_NOT_PARSED. */
export function bindExpr(tree: Expression, context: BindContext): Expr {
  const handler = HANDLERS[tree.key];
  if (!handler) throw new QueryError('SQL_UNSUPPORTED', `the expression ${tree.key} is not read`, tree.key);
  return handler(tree, context);
}

const binary =
  (op: BinaryOp): Handler =>
  (tree, context) =>
    node({ kind: 'binary', op, left: left(tree, context), right: right(tree, context) });

const compare =
  (op: CompareOp): Handler =>
  (tree, context) =>
    node({ kind: 'compare', op, left: left(tree, context), right: right(tree, context) });

const like =
  (op: Like['op']): Handler =>
  (tree, context) =>
    node({
      kind: 'like',
      op,
      expr: left(tree, context),
      pattern: right(tree, context),
      escape: optional(tree, 'escape', context),
      negated: false,
    });

const HANDLERS: Readonly<Record<string, Handler>> = {
  paren: (tree, context) => left(tree, context),
  literal: (tree, { binder }) => bindLiteral(readToken(binder.carrier, tree)),
  null: () => NULL_LITERAL,
  boolean: (tree) => integerLiteral(tree.args.this === true ? 1n : 0n),
  column: bindColumn,
  identifier: bindColumn,
  tuple: (tree, context) =>
    node({ kind: 'row', items: children(tree, 'expressions').map((item) => bindExpr(item, context)) }),
  neg: (tree, context) => node({ kind: 'unary', op: '-', expr: left(tree, context) }),
  // `|/` carries the unary plus.
  sqrt: (tree, context) => node({ kind: 'unary', op: '+', expr: left(tree, context) }),
  bitwisenot: (tree, context) => node({ kind: 'unary', op: '~', expr: left(tree, context) }),
  not: bindNot,
  and: (tree, context) => conjunction([left(tree, context), right(tree, context)]),
  or: (tree, context) => disjunction([left(tree, context), right(tree, context)]),
  add: binary('+'),
  sub: binary('-'),
  mul: binary('*'),
  div: binary('/'),
  mod: binary('%'),
  bitwiseand: binary('&'),
  bitwiseor: binary('|'),
  bitwiseleftshift: binary('<<'),
  bitwiserightshift: binary('>>'),
  dpipe: bindConcatenation,
  eq: compare('='),
  neq: compare('!='),
  lt: compare('<'),
  lte: compare('<='),
  gt: compare('>'),
  gte: compare('>='),
  // ILIKE carries IS before anything but NULL.
  ilike: (tree, context) => bindIs(tree, false, context),
  is: (tree, context) => node({ kind: 'is_null', expr: left(tree, context), negated: false }),
  between: (tree, context) =>
    node({
      kind: 'between',
      expr: left(tree, context),
      low: bindExpr(need(tree, 'low'), context),
      high: bindExpr(need(tree, 'high'), context),
      negated: false,
    }),
  like: like('like'),
  glob: like('glob'),
  regexplike: like('regexp'),
  in: bindIn,
  exists: (tree, context) =>
    node({ kind: 'exists', query: subquery(need(tree, 'this'), context), negated: false }),
  subquery: (tree, context) => node({ kind: 'scalar_query', query: subquery(tree, context) }),
  select: (tree, context) => node({ kind: 'scalar_query', query: subquery(tree, context) }),
  case: bindCase,
  anonymous: bindAnonymous,
  filter: (tree, context) => {
    const aggregate = left(tree, context);
    if (aggregate.kind !== 'aggregate') throw new QueryError('SQL_UNSUPPORTED', 'FILTER needs an aggregate');
    return node({ ...aggregate, filter: bindExpr(filterCondition(tree), context) });
  },
  window: bindWindow,
};

function left(tree: Expression, context: BindContext): Expr {
  return bindExpr(need(tree, 'this'), context);
}

function right(tree: Expression, context: BindContext): Expr {
  return bindExpr(need(tree, 'expression'), context);
}

function optional(tree: Expression, key: string, context: BindContext): Expr | null {
  const found = child(tree, key);
  return found ? bindExpr(found, context) : null;
}

function subquery(tree: Expression, context: BindContext): Query {
  return bindQuery(tree, { binder: context.binder, outer: context.scope, ctes: context.ctes });
}

/** A column, else a string if double-quoted, else TRUE or FALSE. */
function bindColumn(tree: Expression, { binder, scope }: BindContext): Expr {
  const identifier = tree.key === 'identifier' ? tree : need(tree, 'this');
  const qualifier = tree.key === 'identifier' ? null : child(tree, 'table');
  const { name, doubleQuoted, token } = readName(binder.carrier, identifier);
  const table = qualifier ? readName(binder.carrier, qualifier).name : null;
  const found = scope.resolve(table, name);
  if (found !== null) return found;
  if (table === null && doubleQuoted) {
    return textLiteral(name, { start: token.start, end: token.end });
  }
  if (table === null && /^(true|false)$/i.test(name)) return integerLiteral(/^t/i.test(name) ? 1n : 0n);
  const clause = table === null ? name : `${table}.${name}`;
  const reason =
    table !== null && !scope.hasSource(table) ? `no table is called ${table}` : `no column ${clause}`;
  throw new QueryError('SQL_NOT_BOUND', reason, clause);
}

function bindNot(tree: Expression, context: BindContext): Expr {
  const inner = need(tree, 'this');
  // `x NOT ILIKE y` carries IS NOT; a NOT before parentheses is one.
  if (inner.key === 'ilike') return bindIs(inner, true, context);
  return negate(bindExpr(inner, context));
}

/** Before a bare TRUE or FALSE, IS tests the truth value: `x IS TRUE` is `(NOT x) IS 0`. */
function bindIs(tree: Expression, negated: boolean, context: BindContext): Expr {
  const op = negated ? 'is_not' : 'is';
  const operand = need(tree, 'expression');
  const value = right(tree, context);
  if (operand.key !== 'column' || value.kind !== 'literal' || value.type !== 'integer') {
    return node({ kind: 'compare', op, left: left(tree, context), right: value });
  }
  const counts: Expr = node({ kind: 'not', expr: left(tree, context) });
  return node({ kind: 'compare', op, left: counts, right: integerLiteral(1n - value.value) });
}

/** `||`, which also carries COLLATE, `->` and `->>`. */
function bindConcatenation(tree: Expression, context: BindContext): Expr {
  const before = need(tree, 'this');
  const arrow = before.key === 'dpipe' ? need(before, 'expression') : null;
  if (arrow?.key === 'anonymous' && readFunction(arrow) === 'arrow') {
    const written = children(arrow, 'expressions')[0];
    const op = written && readToken(context.binder.carrier, written).text;
    if (op !== '->' && op !== '->>') throw new QueryError('SQL_NOT_PARSED', 'an arrow without its token');
    return node({ kind: 'binary', op, left: left(before, context), right: right(tree, context) });
  }
  const operand = need(tree, 'expression');
  if (operand.key === 'anonymous' && readFunction(operand) === 'collate') {
    const name = children(operand, 'expressions')[0];
    if (!name) throw new QueryError('SQL_NOT_PARSED', 'a COLLATE without a name');
    const collation = readToken(context.binder.carrier, name).text.toUpperCase();
    return node({ kind: 'collate', expr: left(tree, context), collation });
  }
  return node({ kind: 'binary', op: '||', left: left(tree, context), right: right(tree, context) });
}

function bindIn(tree: Expression, context: BindContext): Expr {
  const expr = left(tree, context);
  const items = children(tree, 'expressions');
  const [first] = items;
  if (first?.key === 'anonymous' && readFunction(first) === 'query') {
    const [query] = children(first, 'expressions');
    if (!query) throw new QueryError('SQL_NOT_PARSED', 'an IN without a query');
    const bound = subquery(unwrap(query), context);
    const items = literalsOf(bound);
    return items === null
      ? node({ kind: 'in_query', expr, query: bound, negated: false })
      : node({ kind: 'in_list', expr, items, negated: false });
  }
  if (first?.key === 'anonymous' && readFunction(first) === 'nothing') {
    return node({ kind: 'in_list', expr, items: [], negated: false });
  }
  if (child(tree, 'field') || child(tree, 'unnest')) {
    throw new QueryError('SQL_UNSUPPORTED', 'IN with a table is not read', 'IN');
  }
  return node({ kind: 'in_list', expr, items: items.map((item) => bindExpr(item, context)), negated: false });
}

/** `IN (VALUES (1), (2))` means `IN (1, 2)`; null for any other query. */
function literalsOf(query: Query): readonly Expr[] | null {
  if (query.kind !== 'values' || query.with.length > 0) return null;
  const items = query.rows.flatMap((row) => (row.length === 1 ? row : []));
  return items.length === query.rows.length && items.every(({ kind }) => kind === 'literal') ? items : null;
}

function bindCase(tree: Expression, context: BindContext): Expr {
  return node({
    kind: 'case',
    operand: optional(tree, 'this', context),
    whens: children(tree, 'ifs').map((branch) =>
      node({
        when: bindExpr(need(branch, 'this'), context),
        result: bindExpr(need(branch, 'true'), context),
      }),
    ),
    else: optional(tree, 'default', context),
  });
}

function bindAnonymous(tree: Expression, context: BindContext): Expr {
  const name = readFunction(tree);
  if (name === null) throw new QueryError('SQL_NOT_PARSED', 'a function without a name');
  return bindCall(name, tree, context);
}

const AGGREGATES = new Set(
  (
    'avg count group_concat json_group_array json_group_object max min string_agg sum total median ' +
    'percentile percentile_cont percentile_disc'
  ).split(' '),
);

const CURRENT: Readonly<Record<string, readonly [number, number]>> = {
  current_date: [0, 10],
  current_time: [11, 19],
  current_timestamp: [0, 19],
};

/** The index of each date function's time value, which defaults to now. */
const TIME_VALUE_AT: Readonly<Record<string, number>> = {
  date: 0,
  time: 0,
  datetime: 0,
  julianday: 0,
  unixepoch: 0,
  strftime: 1,
};

const RANDOM = new Set('random randomblob changes last_insert_rowid total_changes sqlite_version'.split(' '));

function bindCall(name: string, call: Expression, context: BindContext): Expr {
  const { binder } = context;
  const given = children(call, 'expressions');
  // sqlglot hangs the ORDER BY of an aggregate on its last argument.
  const order = given.find((arg) => arg.key === 'order');
  const args = given.map((arg) => (arg.key === 'order' ? need(arg, 'this') : arg));
  if (name === 'cast') {
    const as = args[1];
    const type =
      as && binder.carrier.castTypes.get(binder.carrier.tokens.indexOf(readToken(binder.carrier, as)));
    if (!args[0] || !type) throw new QueryError('SQL_NOT_PARSED', 'a CAST without a type');
    return node({ kind: 'cast', expr: bindExpr(args[0], context), type });
  }
  const current = CURRENT[name];
  if (current) return pinnedLiteral(binder.referenceTime.slice(...current));
  if (RANDOM.has(name)) throw new QueryError('NONDETERMINISTIC', `${name}() has no one answer`, name);
  const distinct = args[0]?.key === 'anonymous' && readFunction(args[0]) === 'distinct';
  const plain = args.slice(distinct ? 1 : 0).filter((arg) => arg.key !== 'star');
  if (isAggregate(name, plain.length)) {
    return node({
      kind: 'aggregate',
      name,
      args: plain.map((arg) => bindExpr(arg, context)),
      star: args.some((arg) => arg.key === 'star'),
      distinct,
      filter: null,
      orderBy: order ? bindOrderTerms(order, (term) => bindExpr(term, context)) : [],
    });
  }
  if (order) throw new QueryError('SQL_NOT_PARSED', 'ORDER BY needs an aggregate', 'ORDER BY');
  const bound = plain.map((arg) => bindExpr(arg, context));
  if (name === 'iif' || name === 'if') return bindIif(bound);
  if (name in TIME_VALUE_AT)
    return node({ kind: 'call', name, args: pinTime(name, bound, binder.referenceTime) });
  return node({ kind: 'call', name, args: bound });
}

/** `min` and `max` aggregate with one argument only. */
function isAggregate(name: string, args: number): boolean {
  if (!AGGREGATES.has(name)) return false;
  return args === 1 || (name !== 'min' && name !== 'max');
}

function bindIif(args: readonly Expr[]): Case {
  const whens = [];
  for (let i = 0; i + 1 < args.length; i += 2)
    whens.push({ when: args[i] as Expr, result: args[i + 1] as Expr });
  return node({
    kind: 'case',
    operand: null,
    whens,
    else: args.length % 2 === 1 ? (args.at(-1) as Expr) : null,
  });
}

function pinTime(name: string, args: readonly Expr[], referenceTime: string): Expr[] {
  const at = TIME_VALUE_AT[name] ?? 0;
  const value = args[at];
  const pinned = pinnedLiteral(referenceTime);
  if (value === undefined) return [...args, pinned];
  const isNow = value.kind === 'literal' && value.type === 'text' && value.value.toLowerCase() === 'now';
  return isNow ? args.map((arg, i) => (i === at ? pinned : arg)) : [...args];
}

/** The WHERE inside of FILTER (…). */
function filterCondition(filter: Expression): Expression {
  const where = child(filter, 'expression');
  const condition = where && child(where, 'this');
  if (!condition) throw new QueryError('SQL_NOT_PARSED', 'a FILTER without a condition');
  return condition;
}

/** `f(…) [FILTER (…)] OVER (…)`. */
function bindWindow(over: Expression, context: BindContext): Window {
  const filter = need(over, 'this').key === 'filter' ? need(over, 'this') : null;
  const call = filter ? need(filter, 'this') : need(over, 'this');
  const name = readFunction(call);
  if (name === null) throw new QueryError('SQL_NOT_PARSED', 'a window without a function');
  const args = children(call, 'expressions');
  return node({
    kind: 'window',
    name,
    args: args.filter((arg) => arg.key !== 'star').map((arg) => bindExpr(arg, context)),
    star: args.some((arg) => arg.key === 'star'),
    filter: filter ? bindExpr(filterCondition(filter), context) : null,
    ...bindDefinition(over, context, context.scope.windows),
  });
}

/** The parts of a window, with those of the window that it is named after or begins with: one of `windows`. */
function bindDefinition(
  window: Expression,
  context: BindContext,
  windows: readonly Expression[],
): Pick<Window, 'partitionBy' | 'orderBy' | 'frame'> {
  const order = child(window, 'order');
  const spec = child(window, 'spec');
  const partition = children(window, 'partition_by');
  const own = {
    orderBy: order ? bindOrderTerms(order, (expr) => bindExpr(expr, context)) : [],
    frame: spec ? bindFrame(spec, context) : null,
  };
  const { carrier } = context.binder;
  const alias = child(window, 'alias');
  const marked = partition.find((each) => readFunction(each) === 'window');
  const token = alias
    ? readName(carrier, alias).token
    : marked && readToken(carrier, children(marked, 'expressions')[0] as Expression);
  if (!token) return { partitionBy: partition.map((expr) => bindExpr(expr, context)), ...own };
  const at = windows.findIndex((each) => same(readName(carrier, need(each, 'this')).name, token.text));
  const base = windows[at];
  if (!base) throw new QueryError('SQL_NOT_BOUND', `no window is called ${token.text}`, token.text);
  const inherited = bindDefinition(base, context, windows.slice(0, at));
  return alias ? inherited : { ...inherited, ...(order ? own : { frame: own.frame }) };
}

export function bindOrderTerms(order: Expression, bindTerm: (term: Expression) => Expr): OrderTerm[] {
  return children(order, 'expressions').map((term) => {
    const ordered = term.key === 'ordered';
    const descending = ordered && term.args.desc === true;
    const nullsFirst = ordered ? term.args.nulls_first === true : true;
    // sqlglot fills in SQLite's default; only a different frame needs to be printed.
    const nulls = nullsFirst === !descending ? null : nullsFirst ? 'first' : 'last';
    return node({
      expr: bindTerm(ordered ? need(term, 'this') : term),
      direction: descending ? 'desc' : 'asc',
      nulls,
    });
  });
}

function bindFrame(spec: Expression, context: BindContext): Frame {
  const mode = textOf(spec, 'kind').toLowerCase();
  if (mode !== 'rows' && mode !== 'range' && mode !== 'groups') {
    throw new QueryError('SQL_UNSUPPORTED', 'this window frame is not read', mode);
  }
  const start = bindBound(spec, 'start', context) ?? { at: 'unbounded_preceding' };
  const end = bindBound(spec, 'end', context) ?? { at: 'current_row' };
  const exclude = textOf(spec, 'exclude').toLowerCase().replace(' ', '_');
  return node({
    mode,
    start,
    end,
    exclude: exclude === 'current_row' || exclude === 'group' || exclude === 'ties' ? exclude : null,
  });
}

function bindBound(spec: Expression, key: 'start' | 'end', context: BindContext): FrameBound | null {
  const side = textOf(spec, `${key}_side`).toLowerCase();
  const offset = child(spec, key);
  if (offset)
    return { at: side === 'following' ? 'following' : 'preceding', offset: bindExpr(offset, context) };
  const text = textOf(spec, key).toUpperCase();
  if (text === 'CURRENT ROW') return { at: 'current_row' };
  if (text === 'UNBOUNDED')
    return { at: side === 'following' ? 'unbounded_following' : 'unbounded_preceding' };
  return null;
}

const MAX_INTEGER = 2n ** 63n - 1n;

function bindLiteral(token: Token): Literal {
  const span = { start: token.start, end: token.end };
  switch (token.kind) {
    case 'string':
    case 'quoted':
      return textLiteral(token.text, span);
    case 'blob':
      return blobLiteral(token.text, span);
    case 'number': {
      const digits = token.text.replaceAll('_', '');
      if (/^0x/i.test(digits)) return integerLiteral(BigInt.asIntN(64, BigInt(digits)), span);
      if (!/^\d+$/.test(digits)) return realLiteral(digits, span);
      const value = BigInt(digits);
      return value <= MAX_INTEGER ? integerLiteral(value, span) : realLiteral(digits, span);
    }
    default:
      throw new QueryError('SQL_NOT_PARSED', 'a literal was expected', token.text);
  }
}

/** A common table expression in scope; `name` is the one in the IR. */
export interface KnownCte {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Shared state of binding one query: its carrier, the catalog, and fresh names. */
export class Binder {
  readonly carrier: Carrier;
  /** `YYYY-MM-DD HH:MM:SS`. */
  readonly referenceTime: string;
  private readonly tables: ReadonlyMap<string, CatalogTable>;
  private readonly cteNames = new Set<string>();
  private sources = 0;

  constructor(carrier: Carrier, catalog: Catalog, referenceTime: string) {
    this.carrier = carrier;
    this.referenceTime = referenceTime;
    this.tables = new Map(catalog.tables.map((table) => [foldName(table.name), table]));
  }

  table(name: string): CatalogTable | null {
    return this.tables.get(foldName(name)) ?? null;
  }

  nextSource(): SourceId {
    this.sources++;
    return `T${this.sources}`;
  }

  /** The name itself unless another CTE or a table has it. */
  uniqueCteName(name: string): string {
    let unique = name;
    for (let n = 2; this.cteNames.has(foldName(unique)) || this.table(unique) !== null; n++)
      unique = `${name}_${n}`;
    this.cteNames.add(foldName(unique));
    return unique;
  }
}

/** By folded name. */
export type CteScope = ReadonlyMap<string, KnownCte>;

export interface ScopeSource {
  readonly id: SourceId;
  /** Qualifies its columns: the alias, or the table's name. */
  readonly alias: string;
  readonly columns: readonly string[];
  /** The base table, if it is one; it then has a rowid. */
  readonly table: CatalogTable | null;
}

/** Names joined by USING or NATURAL appear once in `*`, and unqualified they mean the left one. */
interface MergedColumn {
  readonly name: string;
  readonly right: SourceId;
}

const ROWIDS = new Set(['rowid', 'oid', '_rowid_']);

/** The names that one SELECT can use, and the scope around it. */
export class Scope {
  readonly parent: Scope | null;
  readonly sources: ScopeSource[] = [];
  readonly merged: MergedColumn[] = [];
  /** Result columns by folded alias, once they are bound. */
  readonly aliases = new Map<string, Expr>();
  /** The windows of its WINDOW clause. */
  readonly windows: readonly Expression[];

  constructor(parent: Scope | null, windows: readonly Expression[] = []) {
    this.parent = parent;
    this.windows = windows;
  }

  /** As SQLite resolves the name, here or in an enclosing scope; null when there is none. */
  resolve(table: string | null, name: string): Expr | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const found = scope.resolveHere(table, name);
      if (found !== null) return found;
    }
    return null;
  }

  /** Whether the name qualifies columns here or outside. */
  hasSource(alias: string): boolean {
    return (
      this.sources.some((source) => same(source.alias, alias)) || (this.parent?.hasSource(alias) ?? false)
    );
  }

  star(table: string | null): Column[] {
    const sources = this.sources.filter((source) => table === null || same(source.alias, table));
    if (sources.length === 0) throw new QueryError('SQL_NOT_BOUND', `no table for ${table ?? ''}*`, table);
    return sources.flatMap((source) =>
      source.columns
        .filter((name) => table !== null || !this.isMerged(source.id, name))
        .map((name) => column(source.id, name)),
    );
  }

  private isMerged(source: SourceId, name: string): boolean {
    return this.merged.some((item) => item.right === source && same(item.name, name));
  }

  private resolveHere(table: string | null, name: string): Expr | null {
    const candidates = this.sources.filter((source) => table === null || same(source.alias, table));
    const matches = candidates.flatMap((source) => {
      const found = source.columns.find((column) => same(column, name));
      if (found === undefined || (table === null && this.isMerged(source.id, name))) return [];
      return [column(source.id, found)];
    });
    // SQLite takes the first source of that name; an ambiguous bare name is an error there, so the query never ran.
    const [first] = matches;
    if (first !== undefined) return first;
    const [only] = candidates;
    if (ROWIDS.has(name.toLowerCase()) && candidates.length === 1 && only?.table?.has_rowid) {
      return column(only.id, 'rowid');
    }
    return table === null ? (this.aliases.get(foldName(name)) ?? null) : null;
  }
}

function column(source: SourceId, name: string): Column {
  return node({ kind: 'column', source, name });
}

function same(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}

/** SQLite folds A to Z only: `É` and `é` are two columns. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
