import { answerKind } from '../../services/domain/tools/plan.ts';
import {
  type Aggregate,
  aggregatesIn,
  conjunction,
  conjuncts,
  disjunction,
  type Expr,
  freeSources,
  holdsAggregate,
  integerLiteral,
  isCorrelated,
  outputNames,
  plainAggregate,
  plainSelect,
  type Query,
  type Select,
  type SetOperation,
  sameExpr,
  sourceIds,
} from '../../sql/index.ts';
import {
  aggregateColumns,
  clauseAggregates,
  closeGroups,
  cutByNumber,
  groupKeys,
  isWholeTable,
  limitOf,
  lowerRows,
  lowerSource,
  registerCtes,
  sortRows,
} from './slot-rows.ts';
import {
  compute,
  evaluateAsColumn,
  Frame,
  joinFrames,
  type LowerContext,
  type LoweredTable,
  numberRows,
  oneOrMore,
  unsupported,
} from './slot-sequence.ts';

/** The label of a single value, or of a column whose first value it is. */
export function lowerAsValue(query: Query, context: LowerContext): string {
  const label = context.scalars.get(query) ?? lowerValue(query, context);
  context.scalars.set(query, label);
  return label;
}

function lowerValue(query: Query, context: LowerContext): string {
  if (query.kind === 'select') {
    const [value] = wholeTableValues(query, context) ?? [];
    if (value !== undefined) return value;
  }
  return lowerAsColumn(query, context, true);
}

/** The label of a column. Order matters only where it decides what is kept. */
export function lowerAsList(query: Query, context: LowerContext): string {
  return lowerAsColumn(query, context, query.kind !== 'values' && query.limit !== null);
}

function lowerAsColumn(query: Query, context: LowerContext, ordered: boolean): string {
  if (query.kind === 'select') {
    const values = wholeTableValues(query, context);
    if (values) return single(values);
    const { frame, keys, distinct } = lowerRows(query, context, { ordered, distinct: 'values' });
    return retrieve(frame.label, single(keys), { distinct, ...limitOf(query) }, context);
  }
  const { label, keys } = lowerTable(query, context);
  return context.sequence.plan(label).columns.length === 1
    ? label
    : retrieve(label, single(keys), ALL, context);
}

/** The labels of a SELECT's values if it returns one row of whole-table aggregates, else null. */
export function wholeTableValues(select: Select, context: LowerContext): string[] | null {
  registerCtes(select, context);
  const { limit, offset } = limitOf(select);
  if (select.from.length === 0)
    return select.where
      ? null
      : select.columns.map(({ expr }) => asOneValue(asLabel(expr, null, context), context));
  if (!isWholeTable(select) || limit === 0 || offset > 0) return null;
  const frame = lowerSource(select, context);
  closeGroups(frame);
  return select.columns.map(({ expr }) => asLabel(expr, frame, context));
}

function asLabel(
  expr: Select['columns'][number]['expr'],
  frame: Frame | null,
  context: LowerContext,
): string {
  const value = context.evaluate(expr, frame);
  if (value.kind === 'key') throw unsupported('column', 'a column beside values of the whole table');
  const { argument } = value;
  if (typeof argument === 'string' && argument.startsWith('$') && argument.endsWith('$'))
    return argument.slice(1, -1);
  const args = { input: argument, operation_type: 'constant', operation_args: { value: argument } };
  return context.sequence.call('calculate', args);
}

/** The first value of a column, or NULL if it is empty. */
function asOneValue(label: string, context: LowerContext): string {
  if (answerKind(context.sequence.plan(label)) === 'value') return label;
  const args = { input: `$${label}$`, operation_type: 'coalesce', operation_args: { operand: null } };
  return context.sequence.call('calculate', args);
}

const ALL = { distinct: false, limit: -1, offset: 0 };

export function retrieve(
  label: string,
  key: string,
  { distinct, limit, offset }: { distinct: boolean; limit: number; offset: number },
  context: LowerContext,
): string {
  return context.sequence.call('retrieve_data', {
    data_source: `$${label}$`,
    key_name: key,
    distinct,
    limit,
    ...(offset > 0 ? { offset } : {}),
  });
}

/** A table, and the column of each result column; `ordered`: the reader depends on ORDER BY. */
export function lowerTable(query: Query, context: LowerContext, ordered = false): LoweredTable {
  switch (query.kind) {
    case 'select':
      return selectTable(query, context, ordered || query.limit !== null);
    case 'set_operation':
      return setOperationTable(query, context);
    case 'values':
      throw unsupported('values', 'VALUES as a table');
  }
}

function selectTable(select: Select, context: LowerContext, ordered: boolean): LoweredTable {
  if (select.from.length === 0) throw unsupported('select without from', 'a derived table without FROM');
  const { frame, keys } = lowerRows(select, context, { ordered, distinct: 'rows' });
  return { label: cut(frame.label, limitOf(select), context), keys };
}

/** Applies LIMIT and OFFSET; returns the label of the result. */
function cut(label: string, { limit, offset }: ReturnType<typeof limitOf>, context: LowerContext): string {
  if (limit < 0 && offset === 0) return label;
  const n = limit < 0 ? Number.MAX_SAFE_INTEGER : limit;
  const args = { truncate_array: `$${label}$`, n, ...(offset > 0 ? { offset } : {}) };
  return context.sequence.call('truncate', args);
}

/** Both sides as results with the same columns. */
function setOperationTable(query: SetOperation, context: LowerContext): LoweredTable {
  const { sequence } = context;
  registerCtes(query, context);
  let label = sequence.call('combine_results', {
    data_source: `$${lowerSide(query.left, context)}$`,
    other_data_source: `$${lowerSide(query.right, context)}$`,
    combination: query.op,
  });
  const keys = sequence.plan(label).columns.map(({ key }) => key);
  for (const { expr, direction, nulls } of [...query.orderBy].reverse()) {
    if (expr.kind !== 'output' || nulls !== null)
      throw unsupported('order by', 'a computed order of a set operation');
    const args = { key_name: keys[expr.index] as string, ascending: direction === 'asc' };
    label = sequence.call('sort_data', { data_source: `$${label}$`, ...args });
  }
  return { label: cut(label, limitOf(query), context), keys };
}

/** A column when there is one, else a table of just the result columns. */
function lowerSide(query: Query, context: LowerContext): string {
  if (query.kind === 'set_operation') return lowerTable(query, context).label;
  if (query.kind === 'select' && query.columns.length === 1)
    return lowerAsColumn(query, context, query.limit !== null);
  const { label, keys } = lowerTable(query, context);
  if (new Set(keys).size < keys.length)
    throw unsupported('set operation', 'a side with the same column twice');
  return context.sequence.call('select_columns', { data_source: `$${label}$`, key_name: oneOrMore(keys) });
}

function single<T>(items: readonly T[]): T {
  const [first] = items;
  if (first === undefined || items.length !== 1)
    throw unsupported('subquery', 'a subquery of several columns');
  return first;
}

/** `inner = outer`, which correlates the subquery with the enclosing query. */
interface Tie {
  readonly inner: Expr;
  readonly outer: Expr;
}

interface Decorrelated {
  /** The subquery without its correlating conditions. */
  readonly select: Select;
  readonly ties: readonly Tie[];
  /** Other conditions on columns of both queries. */
  readonly conditions: readonly Expr[];
}

/** Throws when the subquery depends on the enclosing query in another way than by conditions. */
export function decorrelate(query: Query, clause: string): Decorrelated {
  if (query.kind !== 'select') throw unsupported(`correlated ${clause}`, 'a correlated set operation');
  const own = sourceIds(query);
  const ties: Tie[] = [];
  const conditions: Expr[] = [];
  const rest = conjuncts(query.where).filter((expr) => {
    if (!readsOthers(expr, own)) return true;
    const tie = asTie(expr, own);
    if (tie) ties.push(tie);
    else conditions.push(expr);
    return false;
  });
  const select: Select = { ...query, where: rest.length === 0 ? null : conjunction(rest) };
  const { columns: _columns, ...clauses } = select;
  if (isCorrelated({ ...clauses, columns: [] })) {
    throw unsupported(`correlated ${clause}`, 'a subquery tied other than in its WHERE');
  }
  return { select, ties, conditions };
}

/** Whether the rows tied to one outer row are one group at most. */
function isGroupedByTies({ select, ties, conditions }: Decorrelated): boolean {
  return (
    select.groupBy.length > 0 &&
    conditions.length === 0 &&
    select.groupBy.every((expr) => ties.some(({ inner }) => sameExpr(inner, expr)))
  );
}

function asTie(expr: Expr, own: ReadonlySet<string>): Tie | null {
  if (expr.kind !== 'compare' || expr.op !== '=') return null;
  const { left, right } = expr;
  const isOwn = (side: Expr) => !readsOthers(side, own) && readsOwn(side, own);
  const isOther = (side: Expr) => readsOthers(side, own) && !readsOwn(side, own);
  if (isOwn(left) && isOther(right)) return { inner: left, outer: right };
  if (isOwn(right) && isOther(left)) return { inner: right, outer: left };
  return null;
}

function readsOwn(expr: Expr, own: ReadonlySet<string>): boolean {
  return [...freeSources(expr)].some((source) => own.has(source));
}

/** Whether an expression reads columns of another query. */
function readsOthers(expr: Expr, own: ReadonlySet<string>): boolean {
  return [...freeSources(expr)].some((source) => !own.has(source));
}

/** EXISTS: the rows that have a partner in the subquery's rows. */
export function keepExisting(expr: Extract<Expr, { kind: 'exists' }>, frame: Frame): void {
  const type = expr.negated ? 'anti' : 'semi';
  const subquery = decorrelate(expr.query, 'exists');
  const { select } = subquery;
  if (select.having && isGroupedByTies(subquery)) {
    keepPartnerGroups(frame, subquery, type);
    return;
  }
  if (select.having || (select.groupBy.length === 0 && hasAggregates(select))) {
    throw unsupported('exists', 'EXISTS of an aggregate');
  }
  keepPartners(frame, subquery, type);
}

/** A correlated or multi-column IN: the rows that have a partner with these values. */
export function keepIncluded(expr: Extract<Expr, { kind: 'in_query' }>, frame: Frame): void {
  const subquery = decorrelate(asPlainRows(expr.query), 'in');
  const { select } = subquery;
  const left = expr.expr.kind === 'row' ? expr.expr.items : [expr.expr];
  if (hasAggregates(select) || select.groupBy.length > 0 || select.limit || isCorrelated(select)) {
    if (expr.negated) throw unsupported('correlated in', 'NOT IN of groups or cut rows for each row');
    keepIncludedOfGroups(frame, subquery, left);
    return;
  }
  const ties = select.columns.map(({ expr: inner }, i) => ({ inner, outer: left[i] as Expr }));
  if (!expr.negated) {
    keepPartners(frame, { ...subquery, ties: [...subquery.ties, ...ties] }, 'semi');
    return;
  }
  // NOT IN keeps a row only if it differs from all values, so a NULL on either side drops it.
  const [tie] = ties;
  if (!tie || ties.length > 1) throw unsupported('correlated in', 'NOT IN of several columns');
  const mayEqual = disjunction([
    { kind: 'compare', op: '=', left: tie.outer, right: tie.inner },
    { kind: 'is_null', expr: tie.outer, negated: false },
    { kind: 'is_null', expr: tie.inner, negated: false },
  ]);
  keepPartners(frame, { ...subquery, conditions: [...subquery.conditions, mayEqual] }, 'anti');
}

function hasAggregates(select: Select): boolean {
  return select.columns.some(({ expr }) => holdsAggregate(expr));
}

/** Groups, set operations and limited rows as a derived table. */
function asPlainRows(query: Query): Query {
  const plain =
    query.kind === 'select' && query.groupBy.length === 0 && !query.limit && !hasAggregates(query);
  if (plain || isCorrelated(query)) return query;
  const names = outputNames(query);
  const source = 'included';
  const columns = names.map(
    (name) => ({ expr: { kind: 'column', source, name }, name, alias: null }) as const,
  );
  return selectFrom(query, source, columns);
}

function selectFrom(query: Query, id: string, columns: Select['columns']): Select {
  const source = { kind: 'derived', id, query, alias: '' } as const;
  return plainSelect({ columns, from: [{ join: 'from', source, on: null }] });
}

/** A correlated scalar subquery: grouped by its ties and joined, one value a group. Returns the column. */
export function joinScalarQuery(expr: Extract<Expr, { kind: 'scalar_query' }>, frame: Frame): string {
  const subquery = decorrelate(expr.query, 'scalar subquery');
  const { select } = subquery;
  const [output] = select.columns;
  const grouped = isGroupedByTies(subquery);
  if (select.groupBy.length > 0 && !grouped) return joinFirstGroup(expr, subquery, frame);
  if (!output || (!grouped && select.having) || select.limit?.offset) {
    throw unsupported('correlated subquery', 'a correlated subquery of groups');
  }
  const { keys, rows, otherKeys } = tiedRows(frame, subquery);
  const aggregates = clauseAggregates(select, []);
  if (aggregates.length === 0) {
    // A column that is not aggregated shows the value of the group's first row.
    sortRows(select.orderBy, rows);
    rows.hold(output.expr, evaluateAsColumn(output.expr, rows));
  }
  groupKeys(otherKeys, aggregateColumns(aggregates, rows), rows);
  if (select.having) rows.filter(select.having);
  // The same COUNT(*) may stand in the outer query, where it counts something else.
  const outside = aggregates.map((aggregate) => ({ aggregate, key: frame.find(aggregate) }));
  for (const { aggregate } of outside) frame.forget(aggregate);
  joinFrames(frame, rows, keys, otherKeys, 'left');
  // An empty group does not exist, unless there is no GROUP BY.
  if (!grouped) countNoPartnersAsZero(aggregates, frame);
  const key = evaluateAsColumn(output.expr, frame);
  frame.forget(output.expr);
  for (const { aggregate, key: before } of outside) {
    frame.forget(aggregate);
    if (before !== undefined) frame.hold(aggregate, before);
  }
  frame.hold(expr, key);
  return key;
}

/** The subquery's rows, and the columns that correlate them with the frame's. */
function tiedRows(frame: Frame, subquery: Decorrelated): TiedRows {
  const { select, ties, conditions } = subquery;
  return conditions.length > 0 || ties.length === 0 || isCorrelated(select)
    ? pairRows(frame, subquery)
    : rowsWithTies(frame, subquery);
}

/** A subquery's rows, and the columns by which they join the frame's. */
interface TiedRows {
  readonly rows: Frame;
  readonly keys: readonly string[];
  readonly otherKeys: readonly string[];
}

/** Joins by ties only; other conditions are left to the caller. */
function rowsWithTies(frame: Frame, { select, ties }: Pick<Decorrelated, 'select' | 'ties'>): TiedRows {
  const inner = ties.map((tie) => tie.inner);
  const rows = lowerSource(select, frame.context, inner);
  const keys = ties.map(({ outer }) => evaluateAsColumn(outer, frame));
  return { rows, keys, otherKeys: inner.map((expr) => evaluateAsColumn(expr, rows)) };
}

/** Without a partner, a join gives NULL where COUNT would give 0. */
function countNoPartnersAsZero(aggregates: readonly Aggregate[], frame: Frame): void {
  for (const aggregate of aggregates) {
    if (aggregate.name !== 'count') continue;
    const key = frame.find(aggregate) as string;
    const made = compute(null, { kind: 'key', key }, 'coalesce', { operand: 0 }, frame, frame.context);
    if (made.kind === 'key') frame.hold(aggregate, made.key);
  }
}

const COUNT: Expr = { ...plainAggregate('count', []), star: true };

/** EXISTS as a value: whether the number of rows is more than 0. */
export function existsAsCount({ query, negated }: Extract<Expr, { kind: 'exists' }>): Expr {
  const counted = query.kind === 'select' && isPlain(query) ? counting(query) : countingRowsOf(query);
  return {
    kind: 'compare',
    op: negated ? '=' : '>',
    left: { kind: 'scalar_query', query: counted },
    right: integerLiteral(0n),
  };
}

/** Whether a SELECT returns every row of its FROM and WHERE. */
function isPlain(select: Select): boolean {
  const grouped = select.groupBy.length > 0 || select.having !== null;
  return !grouped && !select.limit && !hasAggregates(select);
}

function counting(select: Select): Select {
  return { ...select, distinct: false, columns: [{ expr: COUNT, name: 'c1', alias: null }], orderBy: [] };
}

function countingRowsOf(query: Extract<Expr, { kind: 'exists' }>['query']): Select {
  if (isCorrelated(query)) throw unsupported('exists', 'EXISTS of an aggregate');
  return selectFrom(query, 'rows', [{ expr: COUNT, name: 'c1', alias: null }]);
}

/** A correlated subquery valued by its first group: grouped by ties and keys, sorted, first per tie. */
function joinFirstGroup(
  expr: Extract<Expr, { kind: 'scalar_query' }>,
  { select, ties, conditions }: Decorrelated,
  frame: Frame,
): string {
  const [output] = select.columns;
  if (!output || select.limit?.offset || conditions.length > 0 || ties.length === 0 || isCorrelated(select)) {
    throw unsupported('correlated subquery', 'a correlated subquery of groups');
  }
  const { rows, keys, otherKeys } = rowsWithTies(frame, { select, ties });
  const own = select.groupBy.map((key) => evaluateAsColumn(key, rows));
  const aggregates = clauseAggregates(select, select.orderBy);
  groupKeys([...otherKeys, ...own], aggregateColumns(aggregates, rows), rows);
  if (select.having) rows.filter(select.having);
  sortRows(select.orderBy, rows);
  const value = evaluateAsColumn(output.expr, rows);
  closeGroups(rows);
  // A column that is neither key nor aggregate shows the value of the group's first row.
  groupKeys(otherKeys, [], rows);
  const only = new Frame(rows.label, rows.context);
  only.hold(expr, value);
  joinFrames(frame, only, keys, otherKeys, 'left');
  return frame.find(expr) as string;
}

/** IN a grouped or limited correlated subquery: groups for every tie at once, limited within each tie. */
function keepIncludedOfGroups(
  frame: Frame,
  { select, ties, conditions }: Decorrelated,
  left: readonly Expr[],
): void {
  const aggregates = clauseAggregates(select, select.orderBy);
  const isGrouped = select.groupBy.length > 0;
  // Aggregates of no rows are one row without a group; LIMIT among equal rows depends on DISTINCT.
  const isOdd = (!isGrouped && aggregates.length > 0) || (select.distinct && select.limit !== null);
  if (isOdd || conditions.length > 0 || ties.length === 0 || isCorrelated(select))
    throw unsupported('correlated in', 'IN of groups or cut rows that are not tied by equal columns alone');

  const inner = ties.map((tie) => tie.inner);
  const rows = lowerSource(select, frame.context, inner);
  const keys = [...ties.map(({ outer }) => outer), ...left].map((expr) => evaluateAsColumn(expr, frame));
  const tieKeys = inner.map((tie) => evaluateAsColumn(tie, rows));
  if (isGrouped) {
    const own = select.groupBy.map((key) => evaluateAsColumn(key, rows));
    groupKeys([...tieKeys, ...own], aggregateColumns(aggregates, rows), rows);
    if (select.having) rows.filter(select.having);
  }
  sortRows(select.orderBy, rows);
  const values = select.columns.map(({ expr }) => evaluateAsColumn(expr, rows));
  closeGroups(rows);
  if (select.limit) cutByNumber(select.limit, rows, tieKeys);
  joinFrames(frame, rows, keys, [...tieKeys, ...values], 'semi');
}

/** Keeps the rows that have (or lack) a partner among a subquery's rows. */
function keepPartners(frame: Frame, subquery: Decorrelated, type: 'semi' | 'anti'): void {
  const { rows, keys, otherKeys } =
    subquery.conditions.length > 0 ? pairRows(frame, subquery) : rowsWithTies(frame, subquery);
  joinFrames(frame, rows, keys, otherKeys, type);
}

/** As keepPartners, for groups by the ties that HAVING selects. */
function keepPartnerGroups(frame: Frame, subquery: Decorrelated, type: 'semi' | 'anti'): void {
  const having = subquery.select.having as Expr;
  const { rows: groups, keys, otherKeys } = rowsWithTies(frame, subquery);
  groupKeys(otherKeys, aggregateColumns(aggregatesIn(having), groups), groups);
  groups.filter(having);
  joinFrames(frame, groups, keys, otherKeys, type);
}

/** Every row of the frame with each of its partners, to be joined by row number. */
function pairRows(frame: Frame, subquery: Decorrelated): TiedRows {
  const id = numberRows(frame);
  const pairs = frame.fork();
  const { rows, keys, otherKeys } = rowsWithTies(pairs, subquery);
  joinFrames(pairs, rows, keys, otherKeys, 'inner');
  for (const condition of subquery.conditions) pairs.filter(condition);
  return { rows: pairs, keys: [id], otherKeys: [id] };
}
