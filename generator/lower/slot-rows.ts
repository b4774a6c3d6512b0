import type { StartTableDefinition } from '../../contracts/tools.ts';
import { groupingOf, startColumns } from '../../services/domain/tools/plan.ts';
import {
  type Aggregate,
  aggregatesIn,
  type Column,
  childExprs,
  columnsOf,
  conjuncts,
  type Expr,
  exprKey,
  type FromItem,
  integerLiteral,
  isAggregated,
  isInner,
  type Limit,
  node,
  type OrderTerm,
  outputNames,
  ownExprs,
  type Query,
  rowidAlias,
  type Select,
  type SetOperation,
  type SourceId,
  subqueryOf,
  type TableSource,
} from '../../sql/index.ts';
import {
  constantColumn,
  evaluateAsColumn,
  Frame,
  joinFrames,
  type LowerContext,
  newKey,
  numberRows,
  oneOrMore,
  transform,
  unsupported,
} from './slot-sequence.ts';

/** The rows of FROM and WHERE; `alsoUsed` are expressions needed besides the query's own. */
export function lowerSource(select: Select, context: LowerContext, alsoUsed: readonly Expr[] = []): Frame {
  registerCtes(select, context);
  const { frame, conditions } = lowerFrom(select, context);
  countUses(select, frame, [...conditions, ...alsoUsed]);
  for (const condition of conditions) frame.filter(condition);
  return frame;
}

/** CTE names are unique in the whole query. */
export function registerCtes(query: Query, context: LowerContext): void {
  for (const cte of query.with) {
    if (!context.ctes.has(cte.name)) context.ctes.set(cte.name, { cte, table: null });
  }
}

interface RowsWanted {
  /** Whether ORDER BY matters. */
  readonly ordered: boolean;
  /** `values`: a single column may be made distinct later, as it is read. */
  readonly distinct: 'rows' | 'values';
}

interface LoweredRows {
  readonly frame: Frame;
  /** By result column. */
  readonly keys: readonly string[];
  /** Whether the column is still to be made distinct. */
  readonly distinct: boolean;
}

/** Grouped, sorted and distinct rows; only a computed LIMIT is applied here. */
export function lowerRows(select: Select, context: LowerContext, wanted: RowsWanted): LoweredRows {
  const computed = isComputed(select.limit);
  const rows = sortedRows(select, context, computed ? { ...wanted, distinct: 'rows' } : wanted);
  if (computed && select.limit) cutByNumber(select.limit, rows.frame);
  return rows;
}

function sortedRows(select: Select, context: LowerContext, wanted: RowsWanted): LoweredRows {
  const frame = lowerSource(select, context);
  const terms = wanted.ordered ? select.orderBy : [];
  if (isAggregated(select)) lowerGroups(select, terms, frame);
  // A window sees the rows before they are cut, in any order.
  for (const { expr } of select.columns)
    for (const window of windowsIn(expr)) evaluateAsColumn(window, frame);

  const outputs = () => select.columns.map(({ expr }) => evaluateAsColumn(expr, frame));
  const distinct = select.distinct && !isDistinctAnyway(select);
  if (distinct && sortsByHidden(select, terms)) {
    // DISTINCT keeps the first of equal rows before ORDER BY sorts them.
    const keys = outputs();
    keepDistinct(frame, keys);
    sortRows(decisive(terms, select), frame);
    return { frame, keys, distinct: false };
  }
  sortRows(decisive(terms, select), frame);
  const keys = outputs();
  if (distinct && (keys.length > 1 || wanted.distinct === 'rows')) {
    keepDistinct(frame, keys);
    return { frame, keys, distinct: false };
  }
  return { frame, keys, distinct };
}

function lowerGroups(select: Select, terms: Select['orderBy'], frame: Frame): void {
  closeGroups(frame);
  const aggregates = aggregateColumns(clauseAggregates(select, terms), frame);
  groupRows(select.groupBy, aggregates, frame);
  if (select.having) frame.filter(select.having);
}

/** The aggregates of a SELECT's columns, HAVING and order. */
export function clauseAggregates({ columns, having }: Select, terms: Select['orderBy']): Aggregate[] {
  const clauses = [...columns.map(({ expr }) => expr), having, ...terms.map(({ expr }) => expr)];
  return clauses.flatMap((clause) => (clause ? aggregatesIn(clause) : []));
}

function keepDistinct(frame: Frame, keys: readonly string[]): void {
  frame.label = frame.context.sequence.call('select_unique_values', {
    unique_array: `$${frame.label}$`,
    key_name: oneOrMore([...new Set(keys)]),
  });
}

/** Drops sort terms after all group keys, which have no effect. */
function decisive(terms: Select['orderBy'], { groupBy }: Select): Select['orderBy'] {
  const missing = new Set(groupBy.map(exprKey));
  const last = terms.findIndex(({ expr }) => missing.delete(exprKey(expr)) && missing.size === 0);
  return last < 0 ? terms : terms.slice(0, last + 1);
}

function sortsByHidden(select: Select, terms: Select['orderBy']): boolean {
  const shown = new Set(select.columns.map(({ expr }) => exprKey(expr)));
  return terms.some(
    ({ expr }) => !shown.has(exprKey(expr)) && (readsARow(expr) || aggregatesIn(expr).length > 0),
  );
}

/** When all group keys are shown, rows are distinct. */
function isDistinctAnyway(select: Select): boolean {
  if (!isAggregated(select) || select.columns.length === 1) return false;
  const shown = new Set(select.columns.map(({ expr }) => exprKey(expr)));
  return select.groupBy.every((expr) => shown.has(exprKey(expr)));
}

/** Whether a SELECT returns one row of whole-table aggregates. */
export function isWholeTable(select: Select): boolean {
  if (select.groupBy.length > 0 || select.having !== null) return false;
  const exprs = select.columns.map(({ expr }) => expr);
  return exprs.some((expr) => aggregatesIn(expr).length > 0) && !exprs.some(readsARow);
}

/** Whether an expression reads a column outside of aggregates. */
function readsARow(expr: Expr): boolean {
  if (expr.kind === 'aggregate') return false;
  return expr.kind === 'column' || expr.kind === 'window' || childExprs(expr).some(readsARow);
}

function windowsIn(expr: Expr): readonly Expr[] {
  return expr.kind === 'window' ? [expr] : childExprs(expr).flatMap(windowsIn);
}

/** -1: no limit, or a computed one that `lowerRows` applies. */
export function limitOf(query: Pick<Select | SetOperation, 'limit'> & { readonly kind?: Query['kind'] }): {
  limit: number;
  offset: number;
} {
  if (!query.limit || (query.kind === 'select' && isComputed(query.limit))) return { limit: -1, offset: 0 };
  return {
    limit: Math.max(-1, wholeNumber(query.limit.count)),
    offset: query.limit.offset ? Math.max(0, wholeNumber(query.limit.offset)) : 0,
  };
}

function wholeNumber(expr: Expr): number {
  if (expr.kind === 'literal' && expr.type === 'integer') return Number(expr.value);
  if (expr.kind === 'unary' && expr.op === '-') return -wholeNumber(expr.expr);
  throw unsupported('limit', 'a LIMIT that is not a number');
}

/** Base tables joined on equal columns become one start table; everything else is joined by calls. `conditions` are still to be applied. */
function lowerFrom(select: Select, context: LowerContext) {
  const where = conjuncts(select.where);
  const from = rightAsLeft(select.from);
  const inner = from.filter(({ join }) => join === 'inner' || join === 'cross');
  const clauses: JoinClauses = {
    on: inner.flatMap(({ on }) => conjuncts(on)),
    // A join without ON has its condition in WHERE.
    where: inner.some(({ on }) => on === null) ? where : [],
    used: new Set(),
  };
  const [first, ...others] = sourceGroups(from);
  if (!first) throw unsupported('from', 'rows that no table holds');
  const frame = groupFrame(first, clauses, context, from.length === 1 && keepsOrder(select));
  for (const group of others) joinGroup(frame, group, clauses);
  const conditions = [...clauses.on, ...where].filter((expr) => !clauses.used.has(expr));
  return { frame, conditions };
}

/** Whether the order of a derived table affects the result. */
function keepsOrder(select: Select): boolean {
  if (select.limit !== null && select.orderBy.length === 0) return true;
  const aggregates = select.columns.flatMap(({ expr }) => aggregatesIn(expr));
  return aggregates.some(({ name }) => ORDER_SENSITIVE.has(name));
}

/** FROM items of one frame; several when they are base tables. */
type SourceGroup = readonly FromItem[];

/** With inner joins only, all base tables are one group; else those that FROM begins with. */
function sourceGroups(items: readonly FromItem[]): SourceGroup[] {
  const isTable = ({ source }: FromItem) => source.kind === 'table';
  if (items.every(isInner)) {
    const tables = items.filter(isTable);
    const derived = items.filter((item) => !isTable(item)).map((item) => [item]);
    if (tables.length === 0) return derived;
    const [first] = items;
    return first && isTable(first)
      ? [tables, ...derived]
      : [...derived.slice(0, 1), tables, ...derived.slice(1)];
  }
  const sources = new Set<SourceId>();
  const joined = items.findIndex((item) => {
    const plain = isInner(item) || joinsPlainly(item, sources);
    sources.add(item.source.id);
    return !isTable(item) || !plain;
  });
  const own = joined < 0 ? items.length : Math.max(1, joined);
  return [items.slice(0, own), ...items.slice(own).map((item) => [item])];
}

/** `a RIGHT JOIN b` as `b LEFT JOIN a`, where no start table can join them. */
function rightAsLeft(items: readonly FromItem[]): readonly FromItem[] {
  const [first, second, ...rest] = items;
  if (!first || second?.join !== 'right') return items;
  const tables = first.source.kind === 'table' && second.source.kind === 'table';
  if (tables && joinsPlainly(second, new Set([first.source.id]))) return items;
  return [{ ...second, join: 'from', on: null }, { ...first, join: 'left', on: second.on }, ...rest];
}

/** Whether an outer join only compares columns of its table with earlier ones. */
function joinsPlainly(item: FromItem, earlier: ReadonlySet<SourceId>): boolean {
  const conditions = conjuncts(item.on);
  return (
    conditions.length > 0 && conditions.every((expr) => joinPair(expr, item.source.id, earlier) !== null)
  );
}

function groupFrame(group: SourceGroup, clauses: JoinClauses, context: LowerContext, ordered = false): Frame {
  const { source } = group[0] as FromItem;
  if (source.kind === 'table') return startFrame(group, clauses, context);
  const { table, names } =
    source.kind === 'cte'
      ? cteTable(source.name, context, ordered)
      : { table: context.table(source.query, ordered), names: outputNames(source.query) };
  const frame = new Frame(table.label, context);
  table.keys.forEach((key, i) => {
    frame.holdColumn(source.id, names[i] as string, key);
  });
  return frame;
}

function cteTable(name: string, context: LowerContext, ordered: boolean) {
  const entry = context.ctes.get(name);
  if (!entry || entry.cte.recursive) throw unsupported('recursive CTE', 'no tool repeats itself');
  entry.table ??= context.table(entry.cte.query, ordered);
  return { table: entry.table, names: entry.cte.columns };
}

function joinGroup(frame: Frame, group: SourceGroup, clauses: JoinClauses): void {
  const { join, on } = group[0] as FromItem;
  if (join === 'right' || join === 'full') {
    throw unsupported(`${join} join`, `a ${join} join of more than base tables on equal columns`);
  }
  const outer = join === 'left';
  const other = groupFrame(
    group.map((item, i) => (i === 0 && outer ? { ...item, on: null, join: 'from' } : item)),
    clauses,
    frame.context,
  );
  const keys: string[] = [];
  const otherKeys: string[] = [];
  const paired: Expr[] = [];
  for (const expr of outer ? conjuncts(on) : [...clauses.on, ...clauses.where]) {
    if (clauses.used.has(expr)) continue;
    const sides = equalSides(expr, frame, other);
    if (sides) {
      keys.push(evaluateAsColumn(sides.here, frame));
      otherKeys.push(evaluateAsColumn(sides.there, other));
      clauses.used.add(expr);
    } else if (outer && readsNothingElse(expr, other)) {
      // Conditions on the right side alone can be applied before a left join.
      other.filter(expr);
    } else if (outer) {
      paired.push(expr);
    }
  }
  if (paired.length > 0) joinPaired(frame, other, keys, otherKeys, paired);
  else joinFrames(frame, other, keys, otherKeys, outer ? 'left' : 'inner');
}

/** A left join with other conditions: matching pairs, joined back to the numbered rows. */
function joinPaired(
  frame: Frame,
  other: Frame,
  keys: readonly string[],
  otherKeys: readonly string[],
  conditions: readonly Expr[],
): void {
  const id = numberRows(frame);
  const pairs = frame.fork();
  joinFrames(pairs, other, keys, otherKeys, 'inner');
  for (const condition of conditions) pairs.filter(condition);
  joinFrames(frame, pairs, [id], [id], 'left');
}

function equalSides(expr: Expr, here: Frame, there: Frame): { here: Expr; there: Expr } | null {
  if (expr.kind !== 'compare' || expr.op !== '=') return null;
  if (reads(expr.left, here) && reads(expr.right, there)) return { here: expr.left, there: expr.right };
  if (reads(expr.right, here) && reads(expr.left, there)) return { here: expr.right, there: expr.left };
  return null;
}

/** Whether an expression reads columns of this frame only. */
function reads(expr: Expr, frame: Frame): boolean {
  return columnsOf(expr).some(({ source }) => frame.sources.has(source)) && readsNothingElse(expr, frame);
}

function readsNothingElse(expr: Expr, frame: Frame): boolean {
  return [...ownExprs(expr)].every(
    (inner) => subqueryOf(inner) === null && (inner.kind !== 'column' || frame.sources.has(inner.source)),
  );
}

/** Conditions that joins may apply; the rest become filters. */
interface JoinClauses {
  /** Conditions of inner joins. */
  readonly on: readonly Expr[];
  readonly where: readonly Expr[];
  /** Already applied by a join. */
  readonly used: Set<Expr>;
}

function startFrame(items: readonly FromItem[], clauses: JoinClauses, context: LowerContext): Frame {
  const tables: { source: TableSource; alias: string; name: string }[] = [];
  const conditions: StartTableDefinition['condition_sequence'] = [];
  const earlier = new Set<SourceId>();
  for (const { join, source, on } of items) {
    if (source.kind !== 'table') throw new Error('only base tables make a start table');
    tables.push({
      source,
      alias: unused(
        source.alias.replaceAll('.', '_'),
        tables.map((table) => table.alias),
      ),
      name: unused(
        source.table,
        tables.map((table) => table.name),
      ),
    });
    const path = (column: Column) =>
      `${tables.find((table) => table.source.id === column.source)?.alias}.${column.name}`;
    const outer = join === 'left' || join === 'right' || join === 'full';
    for (const expr of outer ? conjuncts(on) : [...clauses.on, ...clauses.where]) {
      const pair = clauses.used.has(expr) ? null : joinPair(expr, source.id, earlier);
      if (!pair) continue;
      clauses.used.add(expr);
      conditions.push([path(pair.earlier), path(pair.later), outer ? JOIN_TYPES[join] : 'INNER']);
    }
    earlier.add(source.id);
  }
  const definition: StartTableDefinition = {
    condition_sequence: conditions,
    alias_to_table_dict: Object.fromEntries(
      tables.map(({ source, alias, name }) => [
        alias,
        { original_table_name: source.table, modified_table_name: name },
      ]),
    ),
  };
  const frame = new Frame(context.sequence.start(definition), context);
  const idOf = new Map(tables.map(({ source, alias }) => [alias, source.id]));
  for (const { alias, origin, key } of startColumns(definition, context.sequence.catalog)) {
    frame.holdColumn(idOf.get(alias) as SourceId, origin.column, key);
    if (isRowId(origin, context)) frame.holdColumn(idOf.get(alias) as SourceId, 'rowid', key);
  }
  return frame;
}

function isRowId(origin: { table: string; column: string }, context: LowerContext): boolean {
  const table = context.sequence.catalog.tables.find(({ name }) => name === origin.table);
  return table !== undefined && rowidAlias(table)?.name === origin.column;
}

/** `earlier.column = later.column`, written either way: the columns by which a source joins earlier ones, or null. */
function joinPair(expr: Expr, id: SourceId, earlier: ReadonlySet<SourceId>) {
  if (expr.kind !== 'compare' || expr.op !== '=') return null;
  const { left, right } = expr;
  if (left.kind !== 'column' || right.kind !== 'column') return null;
  if (left.name === 'rowid' || right.name === 'rowid') return null;
  if (right.source === id && earlier.has(left.source)) return { earlier: left, later: right };
  if (left.source === id && earlier.has(right.source)) return { earlier: right, later: left };
  return null;
}

const JOIN_TYPES = { left: 'LEFT', right: 'RIGHT', full: 'FULL' } as const;

function unused(name: string, taken: readonly string[]): string {
  const known = new Set(taken.map((other) => other.toLowerCase()));
  let result = name;
  for (let n = 2; known.has(result.toLowerCase()); n++) result = `${name}_${n}`;
  return result;
}

/** An aggregate and the arguments of its call, without the data source. */
interface AggregateColumn {
  readonly expr: Aggregate;
  readonly args: Record<string, unknown>;
}

/** Must run before rows are grouped, since it adds the aggregated expressions as columns. */
export function aggregateColumns(aggregates: readonly Aggregate[], frame: Frame): AggregateColumn[] {
  const unique = new Map(aggregates.map((expr) => [exprKey(expr), expr]));
  sortForAggregates(aggregates, frame);
  return [...unique.values()].map((expr) => ({ expr, args: aggregateArguments(expr, frame) }));
}

/** Sorts rows as their aggregates require, which must agree. */
function sortForAggregates(aggregates: readonly Aggregate[], frame: Frame): void {
  const orders = new Map(
    aggregates
      .filter(takesOrder)
      .map(({ orderBy }) => [orderBy.map((term) => exprKey(term.expr) + term.direction).join(), orderBy]),
  );
  const [order, ...others] = orders.values();
  if (others.length > 0)
    throw unsupported('order by in aggregate', 'aggregates of a group in different orders');
  if (order) sortRows(order, frame);
}

/** Groups rows by expressions, with a column for each aggregate. */
function groupRows(by: readonly Expr[], aggregates: readonly AggregateColumn[], frame: Frame): void {
  const keys = by.flatMap((expr) => {
    const value = frame.evaluate(expr);
    return value.kind === 'key' ? [value.key] : [];
  });
  // A constant gives one group of all rows, but none of no rows.
  if (keys.length === 0 && by.length > 0) keys.push(constantColumn(1, frame));
  groupKeys(keys, aggregates, frame);
}

/** Groups rows by columns, with a column for each aggregate. */
export function groupKeys(
  keys: readonly string[],
  aggregates: readonly AggregateColumn[],
  frame: Frame,
): void {
  frame.call('group_data_by', { key_name: oneOrMore([...new Set(keys)]) });
  for (const { expr, args } of aggregates) {
    frame.call('aggregate_data', args);
    frame.hold(expr, frame.plan.columns.at(-1)?.key as string);
  }
  frame.mode = 'grouped';
}

/** Turns the groups of a subquery into plain rows, to be aggregated again. */
export function closeGroups(frame: Frame): void {
  if (!groupingOf(frame.plan)) return;
  frame.call('select_columns', { key_name: oneOrMore(frame.keys()) });
  frame.constants.clear();
}

const TYPES: Readonly<Record<string, string>> = {
  min: 'min',
  max: 'max',
  sum: 'sum',
  avg: 'mean',
  count: 'count',
  total: 'total',
  median: 'median',
  group_concat: 'group_concat',
  string_agg: 'group_concat',
};

/** The label of a whole-table aggregate; computed once. */
export function wholeTableAggregate(expr: Aggregate, frame: Frame): string {
  const known = frame.values.get(exprKey(expr));
  if (known !== undefined) return known;
  const { value, rows: chosen } = chosenRows(withoutFilter(expr), frame);
  const rows = takesOrder(expr) ? chosen.fork() : chosen;
  if (takesOrder(expr)) sortRows(expr.orderBy, rows);
  const args = aggregateArguments(value, rows);
  const label = frame.context.sequence.call('aggregate_data', { data_source: `$${rows.label}$`, ...args });
  frame.values.set(exprKey(expr), label);
  return label;
}

/** Whether an aggregate has an ORDER BY that affects its result. */
function takesOrder({ name, orderBy }: Aggregate): boolean {
  return ORDER_SENSITIVE.has(name) && orderBy.length > 0;
}

/** Aggregates that depend on the order of rows. */
const ORDER_SENSITIVE: ReadonlySet<string> = new Set(['group_concat', 'string_agg']);

/** The aggregated expression becomes a column. */
function aggregateArguments(expr: Aggregate, frame: Frame) {
  const plain = withoutFilter(expr);
  const type = TYPES[plain.name];
  if (!type) throw unsupported(`${plain.name}()`, `no aggregation does ${plain.name}`);
  const [value, separator] = plain.args;
  if (separator && (separator.kind !== 'literal' || separator.type !== 'text')) {
    throw unsupported('separator', 'the separator of group_concat must be a text literal');
  }
  return {
    key_name: !value || countsRows(plain) ? '*' : evaluateAsColumn(value, frame),
    aggregation_type: type,
    distinct: plain.distinct,
    limit: -1,
    ...(separator?.kind === 'literal' ? { separator: separator.value } : {}),
  };
}

/** `f(CASE WHEN c THEN x END)` as `f(x)` of the rows where c is true. */
function chosenRows(expr: Aggregate, frame: Frame): { value: Aggregate; rows: Frame } {
  const [chosen, ...rest] = expr.args;
  if (chosen?.kind !== 'case' || chosen.operand !== null || chosen.whens.length !== 1)
    return { value: expr, rows: frame };
  const [when] = chosen.whens;
  const otherwise = chosen.else;
  if (!when || (otherwise !== null && !(otherwise.kind === 'literal' && otherwise.type === 'null'))) {
    return { value: expr, rows: frame };
  }
  const rows = frame.fork();
  rows.filter(when.when);
  return { value: node({ ...expr, args: [when.result, ...rest] }), rows };
}

function countsRows(expr: Aggregate): boolean {
  const [value] = expr.args;
  if (expr.star || !value) return true;
  return expr.name === 'count' && !expr.distinct && value.kind === 'literal' && value.type !== 'null';
}

/** `f(x) FILTER (WHERE c)` is `f(CASE WHEN c THEN x END)`. */
function withoutFilter(expr: Aggregate): Aggregate {
  if (!expr.filter) return expr;
  const [value, ...rest] = expr.args;
  const chosen: Expr = node({
    kind: 'case',
    operand: null,
    whens: [{ when: expr.filter, result: value ?? integerLiteral(1n) }],
    else: null,
  });
  return node({ ...expr, args: [chosen, ...rest], star: false, filter: null });
}

/** Stable sorts, the last term first. */
export function sortRows(terms: readonly OrderTerm[], frame: Frame): void {
  const keys = terms.flatMap(({ expr, direction, nulls }) => {
    const ascending = direction === 'asc';
    // Rows are in the order of a hidden row id where nothing else sorts them.
    if (ascending && expr.kind === 'column' && expr.name === 'rowid' && !frame.has(expr)) return [];
    const value = frame.evaluate(comparable(expr));
    if (value.kind !== 'key') return [];
    const sort = { key: value.key, ascending };
    // SQLite sorts NULL first when ascending and last when descending.
    if (nulls === null || (nulls === 'first') === ascending) return [sort];
    const args = { condition: 'is_null' };
    const isNull = transform(frame, value.key, 'compare', args, newKey('compare', value.key, frame));
    return [{ key: isNull, ascending: nulls === 'last' }, sort];
  });
  const first = new Map<string, boolean>();
  for (const { key, ascending } of keys) if (!first.has(key)) first.set(key, ascending);
  for (const [key, ascending] of [...first].reverse()) {
    frame.call('sort_data', {
      key_name: key,
      ascending,
    });
  }
}

/** NOCASE compares in lower case. */
function comparable(expr: Expr): Expr {
  if (expr.kind !== 'collate') return expr;
  if (expr.collation.toUpperCase() === 'NOCASE') return { kind: 'call', name: 'lower', args: [expr.expr] };
  return expr.collation.toUpperCase() === 'RTRIM' ? { kind: 'call', name: 'rtrim', args: [expr.expr] } : expr;
}

/** A subquery or arithmetic in LIMIT or OFFSET. */
function isComputed(limit: Limit | null): limit is Limit {
  return limit !== null && ![limit.count, ...(limit.offset ? [limit.offset] : [])].every(isNumber);
}

function isNumber(expr: Expr): boolean {
  return expr.kind === 'unary' ? isNumber(expr.expr) : expr.kind === 'literal' && expr.type === 'integer';
}

/** Applies a LIMIT by row number, over all rows or within groups of equal rows. */
export function cutByNumber({ count, offset }: Limit, frame: Frame, within: readonly string[] = []): void {
  const number = numberInOrder(frame, within);
  if (offset) frame.filter(compare('>', number, offset));
  const last: Expr = offset ? node({ kind: 'binary', op: '+', left: count, right: offset }) : count;
  frame.filter(compare('<=', number, last));
}

/** The column of row numbers as an expression, for use in conditions. */
function numberInOrder(frame: Frame, within: readonly string[]): Expr {
  const same = constantColumn(1, frame);
  const key = newKey('row_number', null, frame);
  const args = within.length > 0 ? { partition_by: within } : {};
  const expr = { kind: 'column', source: 'rows', name: 'number' } as const;
  frame.holdColumn(expr.source, expr.name, transform(frame, same, 'row_number', args, key));
  return expr;
}

function compare(op: '>' | '<=', left: Expr, right: Expr): Expr {
  return node({ kind: 'compare', op, left, right });
}

/** Counts in the frame every expression used after FROM. */
function countUses(select: Select, frame: Frame, conditions: readonly Expr[]): void {
  const all = [
    ...select.columns.map(({ expr }) => expr),
    ...conditions,
    ...select.groupBy,
    ...(select.having ? [select.having] : []),
    ...select.orderBy.map(({ expr }) => expr),
  ];
  for (const expr of all) frame.countAllUses(expr);
}
