import type { CatalogTable } from '../../contracts/catalog.ts';
import {
  type Aggregate,
  columnsOf,
  conjuncts,
  type Expr,
  holdsAggregate,
  isInner,
  isReferenceTo,
  type Limit,
  leftmost,
  type OrderTerm,
  type Origins,
  ownExprs,
  type Query,
  queryExprs,
  type Select,
  type SetOperation,
  type SourceId,
  sameExpr,
  selectsOf,
  soleKey,
  visitQuery,
} from '../../sql/index.ts';
import { isPadded } from '../template/canonical-form.ts';
import {
  type Clauses,
  type CombinedClauses,
  type Condition,
  type Limit as Cut,
  columnsWithin,
  combinationOf,
  type ListClauses,
  type Property,
  type Shown,
  type Sort,
  type Summary,
  sameTerm,
  signature,
  type Term,
  type Thing,
} from './clause.ts';
import { conditionOf } from './conditions.ts';
import {
  absentSources,
  existencePartners,
  isCorrelation,
  isLinkTable,
  type JoinEdge,
  joinConditions,
  joinFilters,
  ownerOf,
  ownersOf,
  paddedSources,
  plainJoins,
} from './joins.ts';
import { groupedTables, groupsItsRows, groupsOf } from './lists.ts';
import { bare, conditionalCount, conditionalValue, isRecursive, testIn } from './patterns.ts';
import type { QueryContext, Scope } from './query-context.ts';
import { type Output, outputsOf, shownOf } from './shown.ts';
import { termOf } from './term.ts';
import { isPerson } from './words.ts';

function clausesOf(query: Query, scope: Scope): Clauses {
  switch (query.kind) {
    case 'values': {
      const columns = query.rows[0]?.map((expr) => scope.term(expr)) ?? [];
      return { kind: 'fixed', columns, tables: [] };
    }
    case 'set_operation':
      return combinedClauses(query, scope);
    case 'select':
      return listClauses(query, scope);
  }
}

function combinedClauses(query: SetOperation, scope: Scope): CombinedClauses {
  const first = leftmost(query);
  const inFirst = scope.within(first);
  const sides = first.kind === 'select' ? first.columns : [];
  return {
    kind: 'combined',
    op: query.op,
    recursive: isRecursive(query, scope.context.origins),
    left: scope.clauses(query.left),
    right: scope.clauses(query.right),
    order: query.orderBy.flatMap(({ expr, direction }) => {
      const shown = expr.kind === 'output' ? sides[expr.index]?.expr : expr;
      const of = shown === undefined ? null : inFirst.term(shown);
      // A constant of the first query is not a key of all rows.
      return of === null || of.kind === 'constant' ? [] : [{ of, direction }];
    }),
    limit: cutOf(query.limit, scope),
    tables: tablesOf(query),
  };
}

function listClauses(select: Select, scope: Scope): ListClauses {
  const { context } = scope;
  const same = readAsIs(select, scope);
  if (same !== null) return same;
  const outputs = outputsOf(select, scope);
  const table = subjectTable(outputs, select, scope);
  const measured = outputs.some(({ exprs }) => exprs.some((expr) => isMeasure(expr, select, scope)));
  const grouped = isGrouped(select, scope);
  const plain = outputs.filter(({ exprs }) => !exprs.some((expr) => isMeasure(expr, select, scope)));
  const ofGroups =
    select.groupBy.length > 0 && (measured || table === null || !groupedTables(select, context).has(table));
  const values = table !== null && groupsItsRows(select, table, scope);
  // The name in a group of values does not name a single row of the table.
  const shown = values
    ? outputs.map((output) =>
        output.role === 'label' && !measured ? { ...output, role: 'other' as const } : output,
      )
    : outputs;
  const groups =
    select.groupBy.length === 0
      ? null
      : groupsOf(select, measured && plain.length === 0 ? [] : plain, scope, measured);
  const list: ListClauses = {
    kind: 'list',
    subject: subjectThing(table, outputs, select, scope),
    shown: shown.map(shownOf),
    columns: select.columns.map(({ expr }) => scope.term(expr)),
    about: measured ? (grouped ? 'groups' : 'all') : ofGroups ? 'groups' : 'rows',
    distinct: select.distinct,
    groups:
      groups ??
      (measured && grouped ? { keys: [], shownKeys: plain.map(shownOf), unshown: [], companions: [] } : null),
    conditions: conditionsOf(select, scope),
    whose: ownersOf(select, context.origins).flatMap((source) => context.thingOf(source) ?? []),
    read: readQueries(select, scope).map((inner) => scope.clauses(inner)),
    padded: paddedSources(select, context.origins).flatMap((item) => {
      const thing = context.thingOf(item.source.id) ?? ROW_READ;
      const where = joinFilters(item, select, context.origins).map((one) => scope.condition(one));
      return [{ thing, where }];
    }),
    order: sortsOf(select, scope),
    limit: cutOf(select.limit, scope),
    grain: select.groupBy.length > 0 ? [] : grainOf(select, table, scope),
    over: overOf(select, scope),
    crossed: crossedThings(select, scope),
    tables: tablesOf(select),
  };
  return withMediansOfGroups(select.from.length === 1 ? withMedians(list) : list);
}

/** An average of the values in the middle of all rows that a query numbers, or of each group, is a median. */
function withMedians(list: ListClauses): ListClauses {
  const [read, ...others] = list.read;
  if (read?.kind !== 'list' || read.about !== 'rows' || read.distinct || read.limit !== null) return list;
  const [stated, ...more] = list.conditions;
  if (others.length + more.length + read.padded.length + list.padded.length > 0) return list;
  const keys = (list.groups?.keys ?? []).map(signature).sort().join();
  const alone = list.shown.filter(({ term }) => /^(summary|count|share)$/.test(term.kind)).length === 1;
  const plain = (term: Term): Term => {
    if (!isAverage(term)) return term;
    const middle = stated === undefined ? term.where : alone && term.where === null ? stated : null;
    if (middle === null || !isMiddle(term.of, middle, [...read.conditions, ...conditionsRead(read)]))
      return term;
    return signaturesOf(partOf(middle)) === keys ? median(term) : term;
  };
  const shown = list.shown.map((one) => ({ ...one, term: plain(one.term) }));
  if (shown.every(({ term }, i) => term === list.shown[i]?.term)) return list;
  const { conditions } = read;
  return { ...list, shown, columns: list.columns.map(plain), conditions, read: read.read };
}

/** Where the groups hold more than the values to be averaged, these are medians too, of the middle rows that the conditions leave. */
function withMediansOfGroups(list: ListClauses): ListClauses {
  const { groups } = list;
  if (groups === null) return list;
  const known = conditionsRead(list);
  const plain = (term: Term): Term => {
    if (term.kind === 'arithmetic') return { ...term, items: term.items.map(plain) };
    if (term.kind === 'derived') return { ...term, of: plain(term.of) };
    if (term.kind === 'change') return { ...term, from: plain(term.from), to: plain(term.to) };
    if (term.kind === 'ratio') return { ...term, top: plain(term.top), bottom: plain(term.bottom) };
    if (!isAverage(term)) return term;
    const limits = term.where === null ? list.conditions : [term.where, ...list.conditions];
    const middle = limits.find((one) => isMiddle(term.of, one, known));
    if (middle === undefined) return term;
    const part = partOf(middle);
    const apart = part.every((one) => groups.keys.some((key) => sameTerm(key, one) || names(key, one)));
    const rest = limits.filter((one) => one !== middle);
    const others = [...groups.keys, ...rest.map((one) => ('of' in one ? one.of : null))];
    return apart && others.every((one) => one !== null && isOfPart(one, part)) ? median(term) : term;
  };
  const shown = list.shown.map((one) => ({ ...one, term: plain(one.term) }));
  return { ...list, shown, columns: list.columns.map(plain) };
}

/** The conditions of the queries that a list reads, and of those that these read. */
function conditionsRead({ read }: ListClauses): readonly Condition[] {
  return read.flatMap((one) => (one.kind === 'list' ? [...one.conditions, ...conditionsRead(one)] : []));
}

/** A value before its unit is converted, which keeps its order: cents of euros, milliseconds of hours. */
function unscaled(of: Term): Term {
  if (of.kind === 'derived' && of.place === 'after' && isStoredNumber(of.of)) return of.of;
  if (of.kind === 'duration' && !of.full) return { ...of, unit: 'milliseconds' };
  if (of.kind !== 'arithmetic' || of.op !== '/' || of.items.length !== 2) return of;
  const [value, by] = of.items;
  return value !== undefined && by?.kind === 'constant' && Number(by.text) > 0 ? value : of;
}

function isStoredNumber(term: Term): boolean {
  return term.kind === 'property' && term.base !== null && term.base.column.type !== 'string';
}

function isAverage(term: Term): term is Summary {
  return term.kind === 'summary' && term.name === 'average' && !term.distinct && !term.zeros;
}

function median(term: Summary): Summary {
  return { ...term, name: 'other', call: 'median', where: null };
}

/** The keys of the parts in which a condition finds the middle. */
function partOf(condition: Condition): readonly Term[] {
  const of = 'of' in condition ? condition.of : null;
  const window = of?.kind === 'arithmetic' ? of.items.find(({ kind }) => kind === 'window') : of;
  return window?.kind === 'window' ? window.within : [];
}

function signaturesOf(terms: readonly Term[]): string {
  return terms.map(signature).sort().join();
}

/** Whether a value is the same for all rows of a part: its key, what the key stands for, a number over all its rows. */
function isOfPart(term: Term, part: readonly Term[]): boolean {
  if (term.kind === 'window')
    return term.rank === null && term.reach === 'all' && signaturesOf(term.within) === signaturesOf(part);
  return part.some((key) => sameTerm(key, term) || isOfRow(term, key));
}

/** Whether a column is of the row that a key identifies or refers to. */
function isOfRow(term: Term, key: Term): boolean {
  if (term.kind !== 'property' || key.kind !== 'property' || term.base === null || key.base === null)
    return false;
  const { table, column } = key.base;
  if (table === term.base.table) return soleKey(table) === column;
  return isReferenceTo(key.base, term.base.table);
}

/** Whether a column has another value for each row that a key identifies. */
function names(term: Term, key: Term): boolean {
  if (!isOfRow(term, key) || term.kind !== 'property' || term.base === null) return false;
  const { column, table } = term.base;
  return column.statistics.distinct === table.rows;
}

/** Whether a condition leaves the middle value, or both, of a term's known values, all of them known or the others last. */
function isMiddle(averaged: Term, condition: Condition, known: readonly Condition[]): boolean {
  if (!('of' in condition)) return false;
  const of = unscaled(averaged);
  const place =
    condition.kind === 'range' && condition.of.kind === 'arithmetic' && condition.of.op === '*'
      ? (condition.of.items[1] ?? condition.of)
      : condition.of;
  if (place.kind !== 'window' || place.rank !== 'row number') return false;
  const { order, within } = place;
  const [first] = order;
  const check = first?.of.kind === 'check' ? first.of.condition : null;
  const missingLast = check?.kind === 'known' && check.negated && sameTerm(check.of, of);
  // Further keys order equal values.
  const by = order[missingLast ? 1 : 0];
  const isOrdered = by !== undefined && [of, averaged].some((one) => sameTerm(by.of, one));
  if (!isOrdered || order.some(({ direction }) => direction === 'desc')) return false;
  const never = isNeverMissing(of, known);
  const isAll = (one: Term | undefined) => {
    const count =
      one?.kind === 'window' && one.rank === null && one.place === null && one.reach === 'all' ? one : null;
    if (count?.of?.kind !== 'count' || signaturesOf(count.within) !== signaturesOf(within)) return false;
    const { known: counted, distinct, where, having } = count.of;
    return (
      !distinct &&
      where === null &&
      having === null &&
      (never || (missingLast && counted !== null && sameTerm(counted.of, of)))
    );
  };
  const isNumber = (one: Term | undefined, number: number) =>
    one?.kind === 'constant' && Number(one.text) === number;
  const half = (one: Term | undefined, whole: boolean, plus: number): boolean => {
    if (one?.kind !== 'arithmetic' || one.op !== '/' || one.whole !== whole || !isNumber(one.items[1], 2))
      return false;
    const [top] = one.items;
    if (plus === 0) return isAll(top);
    return (
      top?.kind === 'arithmetic' && top.op === '+' && isAll(top.items[0]) && isNumber(top.items[1], plus)
    );
  };
  if (condition.kind === 'among' && !condition.negated && condition.values.length === 2)
    return [1, 2].every((plus) => condition.values.some((one) => half(one, true, plus)));
  if (condition.kind !== 'range' || condition.negated || condition.high.kind !== 'arithmetic') return false;
  const { op, items } = condition.high;
  // Twice the place lies between the number and two more.
  if (place !== condition.of)
    return (
      condition.of.kind === 'arithmetic' &&
      isNumber(condition.of.items[0], 2) &&
      isAll(condition.low) &&
      op === '+' &&
      isAll(items[0]) &&
      isNumber(items[1], 2)
    );
  return half(condition.low, false, 0) && op === '+' && half(items[0], false, 0) && isNumber(items[1], 1);
}

/** Whether each row has a value, by its columns or by conditions on them. */
function isNeverMissing(of: Term, known: readonly Condition[]): boolean {
  const columns = columnsWithin(of);
  const isTested = (column: Property) =>
    known.some(
      (one) =>
        'of' in one &&
        (one.kind === 'known' ? !one.negated : /^(compare|range|match|among)$/.test(one.kind)) &&
        (sameTerm(one.of, column) || (one.kind === 'compare' && sameTerm(one.to, column))),
    );
  return (
    columns.length > 0 && columns.every((one) => one.base?.column.statistics.nulls === 0 || isTested(one))
  );
}

/** Stands for a row of another query. */
const ROW_READ: Thing = { one: ['row', 'read'], many: ['rows', 'read'] };

/** Whether repeated rows change the value of an aggregate other than a count. */
function isSum(expr: Aggregate): boolean {
  return (
    !expr.distinct &&
    /^(sum|avg|total|group_concat|string_agg)$/.test(expr.name) &&
    conditionalCount(expr) === null
  );
}

/** The rows over which values of other things are aggregated: an average weight of patients, once for each examination. */
function overOf(select: Select, { context }: Scope): Thing | null {
  const rows = context.rowTable(select);
  const sums = queryExprs(select)
    .flatMap((expr) => [...ownExprs(expr)])
    .flatMap((part) => (part.kind === 'aggregate' && isSum(part) ? part.args : []))
    .map((arg) => conditionalValue(arg)?.value ?? (testIn(arg) === null ? arg : null));
  const columns = sums
    .flatMap((sum) => (sum === null ? [] : columnsOf(sum)))
    .flatMap((column) => context.origins.baseColumn(column) ?? []);
  const paired = context.pairedTables(select);
  if (columns.length === 0 || rows === null) return null;
  const things = paired.length > 1 ? paired : [rows];
  const extended = columns.some(({ source }) => context.isPartOf(source, rows));
  if (extended || columns.some(({ table }) => table === rows) || isLinkTable(rows)) {
    return paired.length > 1 ? combinationOf(paired.map((table) => context.thing(table))) : null;
  }
  return combinationOf(things.map((table) => context.thing(table))) ?? context.thing(rows);
}

/** The clauses of a SELECT that only takes columns of one query: that query with fewer columns; null for others. */
function readAsIs(select: Select, scope: Scope): ListClauses | null {
  const { where, groupBy, having, limit, orderBy, distinct, from } = select;
  const [item, ...others] = from;
  const query = item === undefined || others.length > 0 ? null : scope.context.origins.queryOf(item.source);
  if (query?.kind !== 'select' || where !== null || groupBy.length > 0 || having !== null) return null;
  if (limit !== null || orderBy.length > 0 || distinct || holds(query, select) || onlyFilters(query))
    return null;
  const names = query.columns.map(({ name }) => name);
  const renamed = item === undefined ? null : scope.context.origins.outputNames(item.source.id);
  const places = select.columns.map(({ expr }) =>
    expr.kind === 'column' ? (renamed ?? names).indexOf(expr.name) : -1,
  );
  if (places.includes(-1)) return null;
  const inner = listClauses(query, scope.within(query));
  const shown = inner.shown.flatMap((one) => {
    const columns = one.columns.flatMap((column) =>
      places.includes(column) ? [places.indexOf(column)] : [],
    );
    return columns.length === 0 ? [] : [{ ...one, columns }];
  });
  const at = (one: Shown) => shown.find(({ term }) => term === one.term);
  const groups =
    inner.groups === null
      ? null
      : {
          ...inner.groups,
          shownKeys: inner.groups.shownKeys.flatMap((one) => at(one) ?? []),
          companions: inner.groups.companions.flatMap((one) => at(one) ?? []),
        };
  const columns = places.flatMap((place) => inner.columns[place] ?? []);
  return { ...inner, shown, columns, groups };
}

function subjectThing(
  table: CatalogTable | null,
  outputs: readonly Output[],
  select: Select,
  { context }: Scope,
): Thing | null {
  if (table === null) return null;
  const base = outputs.find((output) => output.base?.table === table)?.base ?? null;
  const [only, ...others] = select.from.filter(({ source }) => context.origins.tableOf(source.id) === table);
  const source = base?.source ?? (others.length === 0 ? only?.source.id : undefined);
  return (source === undefined ? null : context.rowsOf(source)) ?? context.thing(table);
}

/** The conditions that every row and group of a SELECT meets, without plain joins. */
function conditionsOf(select: Select, scope: Scope): readonly Condition[] {
  const { origins } = scope.context;
  const plain = plainJoins(select, origins);
  const stated = [select.where, ...select.from.filter(isInner).map(({ on }) => on), select.having]
    .flatMap(conjuncts)
    .filter(
      (one) => !plain.has(one) && !(isCorrelation(one, select) && ownerOf(one, select, origins) !== null),
    )
    .map((one) => scope.condition(one))
    .filter((one) => one.kind !== 'constant' || !one.holds);
  const folded = select.from.flatMap(({ source }) => {
    const query = origins.queryOf(source);
    return query?.kind === 'select' && onlyFilters(query) ? conditionsOf(query, scope.within(query)) : [];
  });
  const flat = [...folded, ...stated].flatMap((one) => (one.kind === 'all' ? one.items : [one]));
  return [...flat, ...requiredReferences(select, scope), ...partnersOf(select, scope)];
}

/** References that a join requires to exist: games whose away player is known. */
function requiredReferences(select: Select, scope: Scope): readonly Condition[] {
  const { origins, edges } = scope.context;
  const plain = plainJoins(select, origins);
  const used = [
    ...queryExprs({ ...select, where: null, from: [] }),
    ...joinConditions(select).filter((one) => !plain.has(one)),
  ];
  const columns = used.flatMap(columnsOf);
  const read = new Set(columns.map((column) => column.source));
  return select.from.flatMap(({ source, join }) => {
    // A right join keeps its rows without a reference to them.
    if (read.has(source.id) || join === 'right' || isPadded(source.id, origins)) return [];
    const [edge, ...others] = edges.filter(
      ({ parent, child }) => parent.source === source.id || child.source === source.id,
    );
    if (edge === undefined || others.length > 0 || edge.parent.source !== source.id) return [];
    const { child } = edge;
    // So does a left join for the referring side.
    if (!select.from.some((item) => item.source.id === child.source) || isPadded(child.source, origins))
      return [];
    const isRead = columns.some((column) => sameExpr(column, child));
    if (isRead || (origins.baseColumn(child)?.column.statistics.nulls ?? 0) === 0) return [];
    // With dangling references, a known reference does not mean that its row exists.
    const thing = isDangling(edge, origins) ? scope.context.thingOf(source.id) : null;
    const there: Condition =
      thing === null
        ? { kind: 'known', of: scope.term(child), negated: false }
        : { kind: 'exists', thing, are: false, query: null, related: true, verb: null, negated: false };
    return [there];
  });
}

/** Whether some references surely dangle: below the lowest key, above the highest, or more than there are keys. */
function isDangling({ child, parent }: JoinEdge, origins: Origins): boolean {
  const [from, to] = [child, parent].map((column) => origins.baseColumn(column)?.column.statistics);
  if (from === undefined || to === undefined) return false;
  return isBelow(from.min, to.min) || isBelow(to.max, from.max) || from.distinct > to.distinct;
}

function isBelow(a: unknown, b: unknown): boolean {
  return typeof a === 'number' && typeof b === 'number' && a < b;
}

/** Whether a query only filters rows of tables, so that its conditions can be those of its reader. */
function onlyFilters(query: Select): boolean {
  return (
    query.limit === null &&
    query.groupBy.length === 0 &&
    query.having === null &&
    !query.distinct &&
    !query.columns.some(({ expr }) => holdsAggregate(expr) || expr.kind === 'window') &&
    query.from.every(({ source }) => source.kind === 'table')
  );
}

/** The queries that a SELECT reads like tables, except those that only filter rows. */
function readQueries(select: Select, { context: { origins } }: Scope): readonly Query[] {
  const read = [...new Set(select.from.flatMap(({ source }) => origins.queryOf(source) ?? []))];
  // A recursive CTE reads itself.
  return read.filter((query) => !holds(query, select) && !(query.kind === 'select' && onlyFilters(query)));
}

function holds(query: Query, select: Select): boolean {
  let found = false;
  visitQuery(query, {
    query: (inner) => {
      found ||= inner === select;
    },
  });
  return found;
}

/** Conditions for tables that are joined only for existence: dogs that have treatments. */
function partnersOf(select: Select, { context }: Scope): readonly Condition[] {
  const read = select.from.map(({ source }) => context.origins.tableOf(source.id));
  return existencePartners(select, context).flatMap(({ source, same }) => {
    const table = context.origins.tableOf(source);
    if (table === null) return [];
    // A link table stands for the table it links to, which its own key is not: each patient has a bed, or none.
    const own = soleKey(table)?.name ?? '';
    const keys = isLinkTable(table) ? table.foreign_keys.filter((key) => !key.columns.includes(own)) : [];
    const ends = keys.map((key) => context.origins.tableNamed(key.references_table));
    const other = ends.find((end) => end !== null && !read.includes(end)) ?? table;
    const thing = context.thing(other);
    const verb = other === table && !same ? context.inverseOf(source) : null;
    const are = same && isPerson(thing);
    return [{ kind: 'exists', thing, are, query: null, related: true, verb, negated: false } as const];
  });
}

/** One table of each part of a FROM that no condition joins to the others. */
function crossedThings(select: Select, { context }: Scope): readonly Thing[] {
  const ids = select.from.flatMap(({ source }) => (source.kind === 'table' ? [source.id] : []));
  const partOf = new Map(ids.map((id) => [id, id]));
  for (const one of joinConditions(select)) {
    const parts = new Set(columnsOf(one).flatMap(({ source }) => partOf.get(source) ?? []));
    const [first] = parts;
    if (first === undefined || parts.size < 2) continue;
    for (const [id, part] of partOf) if (parts.has(part)) partOf.set(id, first);
  }
  const parts = [...new Set(partOf.values())];
  const derived = select.from.length > ids.length;
  return parts.length < 2 || derived ? [] : parts.flatMap((id) => context.thingOf(id) ?? []);
}

function sortsOf(select: Select, scope: Scope): readonly Sort[] {
  const shown = select.columns.some(({ expr }) => expr.kind === 'column' && expr.name === 'rowid');
  return select.orderBy
    .filter(({ expr }: OrderTerm) => shown || !isRowId(expr))
    .map(({ expr, direction }) => sortOf(expr, direction, scope))
    .filter(({ of }) => of.kind !== 'constant');
}

/** `ORDER BY -price` is from the highest price down. */
function sortOf(expr: Expr, direction: Sort['direction'], scope: Scope): Sort {
  const inner = bare(expr);
  if (inner.kind !== 'unary' || inner.op !== '-') return { of: scope.term(expr), direction };
  return sortOf(inner.expr, direction === 'asc' ? 'desc' : 'asc', scope);
}

/** A sort key that only settles ties, by the place of a row in its table. */
function isRowId(expr: Expr): boolean {
  if (expr.kind === 'aggregate') return expr.args.some(isRowId);
  return expr.kind === 'column' && expr.name === 'rowid';
}

function cutOf(limit: Limit | null, scope: Scope): Cut | null {
  if (limit === null) return null;
  const { context } = scope;
  const { count, offset } = limit;
  const choice = count.kind === 'literal' ? context.choiceOf.get(count) : undefined;
  const rows = choice === undefined ? numberOf(count) : ({ kind: 'given', choice, shifts: [] } as const);
  const skipped = offset === null ? 0 : numberOf(offset);
  if (rows !== null && skipped !== null) return { rows, skipped };
  const computed = {
    rows: rows === null ? scope.term(count) : null,
    skipped: skipped === null && offset !== null ? scope.term(offset) : null,
  };
  return { rows, skipped, computed };
}

function numberOf(expr: Expr): number | null {
  return expr.kind === 'literal' && expr.type === 'integer' ? Number(expr.value) : null;
}

function tablesOf(query: Query): readonly string[] {
  const sources = selectsOf(query).flatMap(({ from }) => from.map(({ source }) => source));
  return [...new Set(sources.flatMap((source) => (source.kind === 'table' ? [source.table] : [])))];
}

function isMeasure(expr: Expr, select: Select, scope: Scope): boolean {
  if (holdsAggregate(expr)) return true;
  const inner = bare(expr);
  if (inner.kind === 'scalar_query' && select.from.length === 0) return true;
  if (inner.kind === 'binary')
    return isMeasure(inner.left, select, scope) || isMeasure(inner.right, select, scope);
  if (inner.kind !== 'column') return false;
  const origin = scope.context.origins.of(inner);
  return origin.kind === 'computed' && holdsAggregate(origin.expr);
}

/** Whether a SELECT is grouped itself, or reads a grouped query. */
function isGrouped(select: Select, scope: Scope): boolean {
  if (select.groupBy.length > 0) return true;
  if (select.columns.some(({ expr }) => holdsAggregate(expr))) return false;
  return select.from.some(({ source }) => {
    const inner = scope.context.origins.queryOf(source);
    const first = inner === null ? null : leftmost(inner);
    return first?.kind === 'select' && first !== select && isGrouped(first, scope);
  });
}

/**
 * The table whose rows the answer is about. Of several tables it is the one that refers to the others; if
 * there are only lookups, the one that refers to them.
 */
function subjectTable(outputs: readonly Output[], select: Select, { context }: Scope): CatalogTable | null {
  const tables = [...new Set(outputs.flatMap(({ table }) => (table === null ? [] : [table])))];
  const rows = context.rowTable(select);
  const [first] = tables;
  const person = outputs.find(({ columns, role }) => role === 'label' && columns.length > 1);
  if (first === undefined) return rows;
  if (tables.length === 1) return first;
  if (person !== undefined) return person.table;
  const parents = new Set(
    context.edges.flatMap(({ child, parent }) => {
      const from = context.origins.tableOf(child.source);
      return from !== null && tables.includes(from) ? [context.origins.tableOf(parent.source)] : [];
    }),
  );
  const finest = tables.filter((table) => !parents.has(table) && !isLinkTable(table));
  if (finest.length === 1 && finest[0] !== undefined) return finest[0];
  if (rows !== null && !tables.includes(rows) && !isLinkTable(rows)) return rows;
  return rows !== null && tables.includes(rows) ? rows : first;
}

function parentsOf(edges: Scope['context']['edges']): ReadonlySet<SourceId> {
  return new Set(edges.map(({ parent }) => parent.source));
}

/** The meaning of each row, if the rows are not named after their table. */
function grainOf(select: Select, subject: CatalogTable | null, { context }: Scope): readonly Thing[] {
  if (select.columns.some(({ expr }) => holdsAggregate(expr))) return [];
  const parents = parentsOf(context.edges);
  const absent = absentSources(select, context.origins);
  const there = select.from.map(({ source }) => source.id).filter((id) => !absent.has(id));
  // Without the absent tables, the rows are those of the table that they were joined to.
  const known =
    absent.size === 0 ? parents : parentsOf(context.edges.filter(({ child }) => !absent.has(child.source)));
  const own = there.filter((id) => !known.has(id));
  const tables = own.map((id) => context.origins.tableOf(id));
  const things = own.flatMap((id, i) => {
    const [table, thing] = [tables[i], context.thingOf(id)];
    if (!table || thing === null) return [];
    const ends = table.foreign_keys.map((key) => key.references_table);
    // A row of a link table stands for the row that it links to.
    const linked = own.length === 1 && isLinkTable(table);
    return linked && select.from.some(({ source }) => source.kind === 'table' && ends.includes(source.table))
      ? []
      : [{ table, thing }];
  });
  const [only, ...others] = things;
  if (only === undefined || things.length < own.length) return [];
  if (others.length === 0) return only.table === subject ? [] : [only.thing];
  return [combinationOf(things.map(({ thing }) => thing)) ?? only.thing];
}

/** Turns the parts of a query into clauses, in the context of the whole. */
export class Description implements Scope {
  readonly context: QueryContext;
  readonly query: Query;

  constructor(context: QueryContext, query: Query) {
    this.context = context;
    this.query = query;
  }

  within(query: Query): Scope {
    return new Description(this.context, query);
  }

  term(expr: Expr): Term {
    const term = termOf(expr, this);
    this.context.exprOf.set(term, expr);
    return term;
  }

  condition(expr: Expr): Condition {
    return conditionOf(expr, this);
  }

  clauses(query: Query): Clauses {
    return clausesOf(query, this.within(query));
  }
}
