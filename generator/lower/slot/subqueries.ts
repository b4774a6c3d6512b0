import { answerKind } from '../../../services/domain/tools/plan.ts';
import {
  type Aggregate,
  aggregatesIn,
  conjunction,
  conjuncts,
  disjunction,
  type Expr,
  integerLiteral,
  isCorrelated,
  type Query,
  type Select,
  type SetOperation,
  sameExpr,
  sourceIds,
  visitExpr,
} from '../../../sql/index.ts';
import {
  aggregateColumns,
  closeGroups,
  cutByNumber,
  groupKeys,
  isWholeTable,
  limitOf,
  lowerRows,
  lowerSource,
  outputNames,
  registerCtes,
  sortRows,
} from './rows.ts';
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
} from './sequence.ts';

/** A subquery as one value: the label of a single value, or of a column whose first value it is. */
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

/** A subquery as a list: the label of a column. Order matters only where it decides what is kept. */
export function lowerAsList(query: Query, context: LowerContext): string {
  return lowerAsColumn(query, context, query.kind !== 'values' && query.limit !== null);
}

/** A query as the label of one column (or value). */
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

/** The labels of the values of a SELECT that answers one row computed from the whole table, else null. */
export function wholeTableValues(select: Select, context: LowerContext): string[] | null {
  registerCtes(select, context);
  const { limit, offset } = limitOf(select);
  if (select.from.length === 0)
    return select.where
      ? null
      : select.columns.map(({ expr }) => asOneValue(asLabel(expr, null, context), context));
  if (!isWholeTable(select) || limit === 0 || offset > 0) return null;
  const frame = lowerSource(select, context);
  closeGroups(frame, context);
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

/** The first value of a column, or NULL if it has none. */
function asOneValue(label: string, context: LowerContext): string {
  if (answerKind(context.sequence.plan(label)) === 'value') return label;
  const args = { input: `$${label}$`, operation_type: 'coalesce', operation_args: { operand: null } };
  return context.sequence.call('calculate', args);
}

const ALL = { distinct: false, limit: -1, offset: 0 };

/** Adds a call that reads a column; an offset is written only where there is one. */
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

/** A query as a table, and the column of each of its result columns; `ordered`: its ORDER BY matters to the reader. */
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

/** The table with LIMIT and OFFSET applied. */
function cut(label: string, { limit, offset }: ReturnType<typeof limitOf>, context: LowerContext): string {
  if (limit < 0 && offset === 0) return label;
  const n = limit < 0 ? Number.MAX_SAFE_INTEGER : limit;
  const args = { truncate_array: `$${label}$`, n, ...(offset > 0 ? { offset } : {}) };
  return context.sequence.call('truncate', args);
}

/** UNION, INTERSECT, EXCEPT: the two sides as results with the same columns. */
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

/** One side of a set operation: a column when it has one, else a table of just the result columns. */
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

/** `inner = outer`, which correlates a subquery's rows with those of the enclosing query. */
interface Tie {
  readonly inner: Expr;
  readonly outer: Expr;
}

interface Decorrelated {
  /** The subquery without the conditions that correlate it. */
  readonly select: Select;
  readonly ties: readonly Tie[];
  /** Conditions on columns of both that are not such equalities. */
  readonly conditions: readonly Expr[];
}

/**
 * Removes the conditions on the enclosing query from a subquery. Throws when it depends on that query in another way.
 */
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

/** Whether the rows tied to one row of the query around it are one group, or none. */
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
  return readsColumn(expr, (source) => own.has(source));
}

/** Whether an expression reads columns of another query. */
function readsOthers(expr: Expr, own: ReadonlySet<string>): boolean {
  return readsColumn(expr, (source) => !own.has(source));
}

function readsColumn(expr: Expr, wanted: (source: string) => boolean): boolean {
  let found = false;
  const own = new Set<string>();
  visitExpr(expr, {
    // Sources of a nested subquery do not matter here.
    query: (inner) => {
      if (inner.kind === 'select') for (const { source } of inner.from) own.add(source.id);
    },
    expr: (inner) => {
      if (inner.kind === 'column' && !own.has(inner.source) && wanted(inner.source)) found = true;
    },
  });
  return found;
}

/** EXISTS: the rows that have a partner in the subquery's rows. */
export function keepExisting(
  expr: Extract<Expr, { kind: 'exists' }>,
  frame: Frame,
  context: LowerContext,
): void {
  const type = expr.negated ? 'anti' : 'semi';
  const subquery = decorrelate(expr.query, 'exists');
  const { select } = subquery;
  if (select.having && isGroupedByTies(subquery)) {
    keepPartnerGroups(frame, subquery, type, context);
    return;
  }
  if (select.having || (select.groupBy.length === 0 && hasAggregates(select))) {
    throw unsupported('exists', 'EXISTS of an aggregate');
  }
  keepPartners(frame, subquery, type, context);
}

/** A correlated IN, or one of several columns: the rows that have a partner with these values. */
export function keepIncluded(
  expr: Extract<Expr, { kind: 'in_query' }>,
  frame: Frame,
  context: LowerContext,
): void {
  const subquery = decorrelate(asPlainRows(expr.query), 'in');
  const { select } = subquery;
  const left = expr.expr.kind === 'row' ? expr.expr.items : [expr.expr];
  if (hasAggregates(select) || select.groupBy.length > 0 || select.limit || isCorrelated(select)) {
    if (expr.negated) throw unsupported('correlated in', 'NOT IN of groups or cut rows for each row');
    keepIncludedOfGroups(frame, subquery, left, context);
    return;
  }
  const ties = select.columns.map(({ expr: inner }, i) => ({ inner, outer: left[i] as Expr }));
  if (!expr.negated) {
    keepPartners(frame, { ...subquery, ties: [...subquery.ties, ...ties] }, 'semi', context);
    return;
  }
  // NOT IN keeps a row only if it differs from all values: with a NULL on either side it does not.
  const [tie] = ties;
  if (!tie || ties.length > 1) throw unsupported('correlated in', 'NOT IN of several columns');
  const mayEqual = disjunction([
    { kind: 'compare', op: '=', left: tie.outer, right: tie.inner },
    { kind: 'is_null', expr: tie.outer, negated: false },
    { kind: 'is_null', expr: tie.inner, negated: false },
  ]);
  keepPartners(frame, { ...subquery, conditions: [...subquery.conditions, mayEqual] }, 'anti', context);
}

function hasAggregates(select: Select): boolean {
  return select.columns.some(({ expr }) => aggregatesIn(expr).length > 0);
}

/** Groups, set operations and cut rows as a derived table, which any condition can be asked of. */
function asPlainRows(query: Query): Query {
  const plain =
    query.kind === 'select' && query.groupBy.length === 0 && !query.limit && !hasAggregates(query);
  if (plain || isCorrelated(query)) return query;
  const names = outputNames(query);
  const source = 'included';
  return {
    kind: 'select',
    with: [],
    distinct: false,
    columns: names.map((name) => ({ expr: { kind: 'column', source, name }, name, alias: null })),
    from: [{ join: 'from', source: { kind: 'derived', id: source, query, alias: '' }, on: null }],
    where: null,
    groupBy: [],
    having: null,
    orderBy: [],
    limit: null,
  };
}

/**
 * A correlated subquery used as a value: its rows are grouped by the correlating columns and joined to the rows of the
 * query, one value a group. Returns the value's column.
 */
export function joinScalarQuery(
  expr: Extract<Expr, { kind: 'scalar_query' }>,
  frame: Frame,
  context: LowerContext,
): string {
  const subquery = decorrelate(expr.query, 'scalar subquery');
  const { select } = subquery;
  const [output] = select.columns;
  const grouped = isGroupedByTies(subquery);
  if (select.groupBy.length > 0 && !grouped) return joinFirstGroup(expr, subquery, frame, context);
  if (!output || (!grouped && select.having) || select.limit?.offset) {
    throw unsupported('correlated subquery', 'a correlated subquery of groups');
  }
  const { keys, rows, otherKeys } = tiedRows(frame, subquery, context);
  const aggregates = [output.expr, ...(select.having ? [select.having] : [])].flatMap(aggregatesIn);
  if (aggregates.length === 0) {
    // The value of the first row: what a group shows of a column that is not aggregated.
    sortRows(select.orderBy, rows, context);
    rows.hold(output.expr, evaluateAsColumn(output.expr, rows, context));
  }
  groupKeys(otherKeys, aggregateColumns(aggregates, rows, context), rows, context);
  if (select.having) context.filter(select.having, rows);
  // The same COUNT(*) may stand in the query around, where it counts something else.
  const outside = aggregates.map((aggregate) => ({ aggregate, key: frame.find(aggregate) }));
  for (const { aggregate } of outside) frame.forget(aggregate);
  joinFrames(frame, rows, keys, otherKeys, 'left', context);
  // An empty group does not exist, unless there is no GROUP BY.
  if (!grouped) countNoPartnersAsZero(aggregates, frame, context);
  const key = evaluateAsColumn(output.expr, frame, context);
  frame.forget(output.expr);
  for (const { aggregate, key: before } of outside) {
    frame.forget(aggregate);
    if (before !== undefined) frame.hold(aggregate, before);
  }
  frame.hold(expr, key);
  return key;
}

/** The subquery's rows and the columns that correlate them with the frame's. */
function tiedRows(frame: Frame, subquery: Decorrelated, context: LowerContext) {
  const { select, ties, conditions } = subquery;
  if (conditions.length > 0 || ties.length === 0 || isCorrelated(select)) {
    const { id, pairs } = pairRows(frame, subquery, context);
    return { keys: [id], rows: pairs, otherKeys: [id] };
  }
  const rows = lowerSource(
    select,
    context,
    ties.map((tie) => tie.inner),
  );
  return {
    keys: ties.map(({ outer }) => evaluateAsColumn(outer, frame, context)),
    rows,
    otherKeys: ties.map((tie) => evaluateAsColumn(tie.inner, rows, context)),
  };
}

/** Where there is no partner a join gives NULL, and COUNT would be 0. */
function countNoPartnersAsZero(aggregates: readonly Aggregate[], frame: Frame, context: LowerContext): void {
  for (const aggregate of aggregates) {
    if (aggregate.name !== 'count') continue;
    const key = frame.find(aggregate) as string;
    const made = compute(null, { kind: 'key', key }, 'coalesce', { operand: 0 }, frame, context);
    if (made.kind === 'key') frame.hold(aggregate, made.key);
  }
}

const COUNT: Expr = {
  kind: 'aggregate',
  name: 'count',
  args: [],
  star: true,
  distinct: false,
  filter: null,
  orderBy: [],
};

/** EXISTS where a value is wanted: whether the number of the subquery's rows is more than 0. */
export function existsAsCount({ query, negated }: Extract<Expr, { kind: 'exists' }>): Expr {
  const counted = query.kind === 'select' && isPlain(query) ? counting(query) : countingRowsOf(query);
  return {
    kind: 'compare',
    op: negated ? '=' : '>',
    left: { kind: 'scalar_query', query: counted },
    right: integerLiteral(0n),
  };
}

/** Whether a SELECT has as many rows as its FROM and WHERE leave. */
function isPlain(select: Select): boolean {
  const grouped = select.groupBy.length > 0 || select.having !== null;
  return !grouped && !select.limit && !select.columns.some(({ expr }) => aggregatesIn(expr).length > 0);
}

function counting(select: Select): Select {
  return { ...select, distinct: false, columns: [{ expr: COUNT, name: 'c1', alias: null }], orderBy: [] };
}

function countingRowsOf(query: Extract<Expr, { kind: 'exists' }>['query']): Select {
  if (isCorrelated(query)) throw unsupported('exists', 'EXISTS of an aggregate');
  return {
    kind: 'select',
    with: [],
    distinct: false,
    columns: [{ expr: COUNT, name: 'c1', alias: null }],
    from: [{ join: 'from', source: { kind: 'derived', id: 'rows', query, alias: '' }, on: null }],
    where: null,
    groupBy: [],
    having: null,
    orderBy: [],
    limit: null,
  };
}

/**
 * A correlated subquery whose value is that of its first group: its rows grouped by what ties them and by its own
 * keys, sorted, and of those the first for each tie, joined to the rows of the query. Answers the column of the value.
 */
function joinFirstGroup(
  expr: Extract<Expr, { kind: 'scalar_query' }>,
  { select, ties, conditions }: Decorrelated,
  frame: Frame,
  context: LowerContext,
): string {
  const [output] = select.columns;
  if (!output || select.limit?.offset || conditions.length > 0 || ties.length === 0 || isCorrelated(select)) {
    throw unsupported('correlated subquery', 'a correlated subquery of groups');
  }
  const inner = ties.map((tie) => tie.inner);
  const rows = lowerSource(select, context, inner);
  const keys = ties.map(({ outer }) => evaluateAsColumn(outer, frame, context));
  const otherKeys = inner.map((tie) => evaluateAsColumn(tie, rows, context));
  const own = select.groupBy.map((key) => evaluateAsColumn(key, rows, context));
  const clauses = [
    output.expr,
    ...(select.having ? [select.having] : []),
    ...select.orderBy.map((t) => t.expr),
  ];
  groupKeys(
    [...otherKeys, ...own],
    aggregateColumns(clauses.flatMap(aggregatesIn), rows, context),
    rows,
    context,
  );
  if (select.having) context.filter(select.having, rows);
  sortRows(select.orderBy, rows, context);
  const value = evaluateAsColumn(output.expr, rows, context);
  closeGroups(rows, context);
  // What a group shows of a column that is neither key nor aggregate is that of its first row.
  groupKeys(otherKeys, [], rows, context);
  const only = new Frame(rows.label);
  only.hold(expr, value);
  joinFrames(frame, only, keys, otherKeys, 'left', context);
  return frame.find(expr) as string;
}

/**
 * Keeps the rows whose values are among those of a subquery that is grouped or cut for each of them: its groups are made
 * for every tie at once, sorted, and of each tie only as many stay as its LIMIT says.
 */
function keepIncludedOfGroups(
  frame: Frame,
  { select, ties, conditions }: Decorrelated,
  left: readonly Expr[],
  context: LowerContext,
): void {
  const outputs = select.columns.map(({ expr }) => expr);
  const clauses = [
    ...outputs,
    ...(select.having ? [select.having] : []),
    ...select.orderBy.map((term) => term.expr),
  ];
  const aggregates = clauses.flatMap(aggregatesIn);
  const isGrouped = select.groupBy.length > 0;
  // Aggregates of no rows are one row, which no group stands for; what LIMIT keeps of equal rows depends on DISTINCT.
  const isOdd = (!isGrouped && aggregates.length > 0) || (select.distinct && select.limit !== null);
  if (isOdd || conditions.length > 0 || ties.length === 0 || isCorrelated(select))
    throw unsupported('correlated in', 'IN of groups or cut rows that are not tied by equal columns alone');

  const inner = ties.map((tie) => tie.inner);
  const rows = lowerSource(select, context, inner);
  const keys = [...ties.map(({ outer }) => outer), ...left].map((expr) =>
    evaluateAsColumn(expr, frame, context),
  );
  const tieKeys = inner.map((tie) => evaluateAsColumn(tie, rows, context));
  if (isGrouped) {
    const own = select.groupBy.map((key) => evaluateAsColumn(key, rows, context));
    groupKeys([...tieKeys, ...own], aggregateColumns(aggregates, rows, context), rows, context);
    if (select.having) context.filter(select.having, rows);
  }
  sortRows(select.orderBy, rows, context);
  const values = outputs.map((expr) => evaluateAsColumn(expr, rows, context));
  closeGroups(rows, context);
  if (select.limit) cutByNumber(select.limit, rows, context, tieKeys);
  joinPartners(frame, rows, keys, [...tieKeys, ...values], 'semi', context);
}

/** Keeps the rows that have (or have not) a partner among a subquery's rows. */
function keepPartners(
  frame: Frame,
  subquery: Decorrelated,
  type: 'semi' | 'anti',
  context: LowerContext,
): void {
  const { select, ties, conditions } = subquery;
  if (conditions.length > 0) {
    const { id, pairs } = pairRows(frame, subquery, context);
    joinPartners(frame, pairs, [id], [id], type, context);
    return;
  }
  const inner = lowerSource(
    select,
    context,
    ties.map((tie) => tie.inner),
  );
  const keys = ties.map(({ outer }) => evaluateAsColumn(outer, frame, context));
  const otherKeys = ties.map((tie) => evaluateAsColumn(tie.inner, inner, context));
  joinPartners(frame, inner, keys, otherKeys, type, context);
}

/** The same where it is a group of rows that the subquery's HAVING asks about; a group has the ties as its keys. */
function keepPartnerGroups(
  frame: Frame,
  { select, ties }: Decorrelated,
  type: 'semi' | 'anti',
  context: LowerContext,
): void {
  const having = select.having as Expr;
  const groups = lowerSource(
    select,
    context,
    ties.map((tie) => tie.inner),
  );
  const keys = ties.map(({ outer }) => evaluateAsColumn(outer, frame, context));
  const otherKeys = ties.map((tie) => evaluateAsColumn(tie.inner, groups, context));
  groupKeys(otherKeys, aggregateColumns(aggregatesIn(having), groups, context), groups, context);
  context.filter(having, groups);
  joinPartners(frame, groups, keys, otherKeys, type, context);
}

/**
 * Every row of the frame paired with each of its partners, for conditions other than equality. The rows of the frame
 * are numbered before, in the column `id` of both.
 */
function pairRows(
  frame: Frame,
  { select, ties, conditions }: Decorrelated,
  context: LowerContext,
): { id: string; pairs: Frame } {
  const id = numberRows(frame, context);
  const inner = lowerSource(
    select,
    context,
    ties.map((tie) => tie.inner),
  );
  const pairs = frame.fork();
  const keys = ties.map(({ outer }) => evaluateAsColumn(outer, pairs, context));
  const otherKeys = ties.map((tie) => evaluateAsColumn(tie.inner, inner, context));
  joinFrames(pairs, inner, keys, otherKeys, 'inner', context);
  for (const condition of conditions) context.filter(condition, pairs);
  return { id, pairs };
}

/** Keeps the rows of a frame that have (or have not) a partner in another with equal values. */
function joinPartners(
  frame: Frame,
  other: Frame,
  keys: readonly string[],
  otherKeys: readonly string[],
  type: 'semi' | 'anti',
  context: LowerContext,
): void {
  frame.label = context.sequence.call('join_data', {
    data_source: `$${frame.label}$`,
    other_data_source: `$${other.label}$`,
    key_name: oneOrMore(keys),
    other_key_name: oneOrMore(otherKeys),
    join_type: type,
  });
}
