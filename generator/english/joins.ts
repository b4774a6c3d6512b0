import type { CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import {
  type Column,
  type Compare,
  columnsOf,
  conjuncts,
  type Expr,
  exprsWithin,
  type FromItem,
  holdsAggregate,
  isInner,
  isUnique,
  type Origins,
  type Query,
  queryExprs,
  type Select,
  type SourceId,
  sameExpr,
  selectsOf,
  soleKey,
} from '../../sql/index.ts';
import { isPadded } from '../template/canonical-form.ts';
import { type Lexicon, withoutKey } from './lexicon.ts';
import { bare } from './patterns.ts';
import { isPerson, KEY_WORDS, lowerWords, singular, splitWords } from './words.ts';

/** `child.column = parent.column`: many rows of the child belong to one of the parent. */
export interface JoinEdge {
  readonly child: Column;
  readonly parent: Column;
  /** Whether it is one of several alternatives: a source or a destination. */
  readonly alternative: boolean;
  /** Whether a subquery looks the parent up, whose rows have no role then. */
  readonly inSubquery?: boolean;
}

/** The joins of base tables in every SELECT of a query whose direction is known. */
export function joinEdges(query: Query, origins: Origins): readonly JoinEdge[] {
  return selectsOf(query).flatMap((select) =>
    joinConditions(select).flatMap(
      (condition) => lookupIn(condition, origins) ?? edgeOf(condition, origins) ?? [],
    ),
  );
}

/** The reference that `x IN (SELECT y FROM …)` follows to the key y of another table; null for none. */
function lookupIn(expr: Expr, origins: Origins): JoinEdge | null {
  if (expr.kind !== 'in_query' || expr.negated || expr.query.kind !== 'select') return null;
  const { columns, limit, groupBy } = expr.query;
  const [only, ...others] = columns;
  if (only === undefined || others.length + groupBy.length > 0 || limit !== null) return null;
  const found = edgeOf({ kind: 'compare', op: '=', left: expr.expr, right: only.expr }, origins);
  if (found === null || found.parent !== only.expr) return null;
  return origins.tableOf(found.child.source) === origins.tableOf(found.parent.source)
    ? null
    : { ...found, inSubquery: true };
}

/** The conjuncts of ON and WHERE. */
export function joinConditions(select: Select): readonly Expr[] {
  return [...select.from.map(({ on }) => on), select.where].flatMap(conjuncts);
}

/** Whether an expression only joins columns of two sources. */
export function isJoin(expr: Expr): boolean {
  if (expr.kind === 'or') return expr.items.every(isJoin);
  return (
    expr.kind === 'compare' &&
    (expr.op === '=' || expr.op === 'is') &&
    expr.left.kind === 'column' &&
    expr.right.kind === 'column' &&
    expr.left.source !== expr.right.source
  );
}

/** An equality of columns of two sources. */
type ColumnJoin = Compare & { readonly left: Column; readonly right: Column };

/** The equalities in a join: itself, or its alternatives; none for other expressions. */
export function equalities(expr: Expr): readonly ColumnJoin[] {
  if (expr.kind === 'or') return expr.items.flatMap(equalities);
  return isJoin(expr) ? [expr as ColumnJoin] : [];
}

/** The reference that an equality of columns follows; null when it follows none. */
function edgeOf(expr: Expr, origins: Origins): JoinEdge | null {
  if (!isJoin(expr)) return null;
  if (expr.kind === 'or') {
    const edge = expr.items[0] === undefined ? null : edgeOf(expr.items[0], origins);
    return edge === null ? null : { ...edge, alternative: true };
  }
  if (expr.kind !== 'compare') return null;
  const { left, right } = expr;
  if (left.kind !== 'column' || right.kind !== 'column') return null;
  const [a, b] = [sideOf(left, origins), sideOf(right, origins)];
  if (a === null || b === null) return null;
  // Some databases declare their references in the wrong direction; the unique side is the parent.
  if (a.unique !== b.unique) {
    const [child, parent] = b.unique ? [a, b] : [b, a];
    if (!mayRefer(child, parent)) return null;
    return b.unique ? edge(left, right) : edge(right, left);
  }
  const [forth, back] = [refersTo(a, b), refersTo(b, a)];
  if (!forth && !back) {
    const [apart, otherApart] = [a, b].map(({ table, column }) => hasUniqueValues(table, column));
    // The set code of a card is the code of a set, whatever is stored.
    if (apart === otherApart && apart === false && ownName(b) === nameOf(a)) return edge(left, right);
    if (apart === otherApart && apart === false && ownName(a) === nameOf(b)) return edge(right, left);
    if (apart === otherApart) return null;
    return otherApart && mayRefer(a, b)
      ? edge(left, right)
      : apart && mayRefer(b, a)
        ? edge(right, left)
        : null;
  }
  return isReferredTo(b, a) || (forth && !isReferredTo(a, b)) ? edge(left, right) : edge(right, left);
}

/**
 * Whether the first of two columns is the parent: its stored values are unique and the other's are not. Of two that are
 * declared to refer to each other it has more rows if both are unique, else more references or the name that the other's has.
 */
function isReferredTo(one: Side, other: Side): boolean {
  const [apart, otherApart] = [one, other].map(({ table, column }) => hasUniqueValues(table, column));
  if (apart !== otherApart) return apart ?? false;
  if (!(refersTo(one, other) && refersTo(other, one))) return false;
  if (one.unique) return one.column.statistics.rows > other.column.statistics.rows;
  const references = ({ table, column }: Side) =>
    table.foreign_keys.filter(({ columns }) => columns.includes(column.name)).length;
  const more = references(one) - references(other);
  return more > 0 || (more === 0 && ownName(one) === nameOf(other));
}

function edge(child: Column, parent: Column): JoinEdge {
  return { child, parent, alternative: false };
}

interface Side {
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
  readonly unique: boolean;
}

function sideOf(column: Column, origins: Origins): Side | null {
  const table = origins.tableOf(column.source);
  const found = table?.columns.find(({ name }) => name === column.name);
  return table === null || found === undefined
    ? null
    : { table, column: found, unique: isUnique(table, found) };
}

/** A column and its table. */
type Place = Pick<Side, 'table' | 'column'>;

/**
 * Whether columns of two tables may be joined without a statement: as declared, or if nothing else is declared between
 * the two tables.
 */
export function mayJoin(a: Place, b: Place): boolean {
  if (refersTo(a, b) || refersTo(b, a)) return true;
  const declared = (one: Place, other: Place) =>
    one.table.foreign_keys.some((key) => key.references_table === other.table.name);
  // Names are never numbers that refer to them.
  const alike =
    [a, b].every(({ column }) => column.type === 'string') ||
    ![a, b].some(({ column }) => column.type === 'string');
  return !(declared(a, b) || declared(b, a)) && alike && sharesWord(a, b);
}

/** Whether the names of two columns share a word, or one with the other's table: Channel and channel ID. */
function sharesWord(a: Place, b: Place): boolean {
  const wordsOf = (text: string) => singular(splitWords(text)).map((word) => word.toLowerCase());
  const [left, right] = [a, b].map(({ column }) =>
    wordsOf(column.name).filter((word) => !KEY_WORDS.has(word)),
  );
  const of = ({ table }: Place) => wordsOf(table.name);
  const among = (words: readonly string[] = [], others: readonly string[] = []) =>
    words.some((word) => others.some((other) => word.includes(other) || other.includes(word)));
  const bare = (words: readonly string[] = []) => words.length === 0;
  return among(left, right) || among(left, of(b)) || among(right, of(a)) || (bare(left) && bare(right));
}

/** Whether a column may refer to a unique one: as declared, or if nothing else is declared for them. */
function mayRefer(child: Side, parent: Side): boolean {
  if (refersTo(child, parent)) return true;
  const elsewhere = child.table.foreign_keys.some(({ columns }) => columns.includes(child.column.name));
  return mayJoin(child, parent) && (!elsewhere || refersTo(parent, child));
}

function refersTo(child: Place, parent: Place): boolean {
  return child.table.foreign_keys.some(
    (key) =>
      key.references_table === parent.table.name &&
      key.columns.includes(child.column.name) &&
      key.references_columns[key.columns.indexOf(child.column.name)] === parent.column.name,
  );
}

/** Whether a column's values are unique, as declared or as stored; with `orMissing`, apart from NULLs. */
export function hasUniqueValues(
  table: CatalogTable,
  column: CatalogColumn,
  { orMissing }: { readonly orMissing: boolean } = { orMissing: false },
): boolean {
  const { rows, nulls, distinct } = column.statistics;
  if (isUnique(table, column)) return true;
  return rows > 1 && distinct > 1 && distinct === rows - nulls && (orMissing || nulls === 0);
}

/** Whether a table links others: it has keys of two of them, and at most one further column. */
export function isLinkTable(table: CatalogTable): boolean {
  const tied = linked(table);
  if (tied.length < 2) return false;
  const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
  if (keys.length === 2 && keys.every((key) => tied.includes(key)) && isNamedByEnds(table)) return true;
  // Jury members are people, not pairs of a jury and a person.
  const ends = new Set(table.foreign_keys.map((key) => key.references_table));
  if (ends.size > 1 && isPerson({ one: singular(lowerWords(table.name)) })) return false;
  if (table.columns.length > 4) return false;
  const others = table.columns.filter((column) => !tied.includes(column) && column.primary_key === 0);
  return others.length <= 1 && (keys.length === 1 || keys.every((key) => tied.includes(key)));
}

/** Whether a table is called by the two tables that it links: `line_stops` of lines and stops. */
function isNamedByEnds({ name, foreign_keys }: CatalogTable): boolean {
  const ends = foreign_keys.map(
    ({ references_table }) => singular(lowerWords(references_table)).at(-1) ?? '',
  );
  const own = singular(lowerWords(name));
  const [first = '', last = ''] = [singular(own.slice(0, 1))[0], own.at(-1)];
  return (
    own.length === 2 && ends.length === 2 && ends.includes(first) && ends.includes(last) && first !== last
  );
}

/** Whether a link table has its own key, so that it may link a pair several times: copies of a film in a store. */
export function hasOwnKey(table: CatalogTable): boolean {
  const key = soleKey(table);
  return key !== null && !linked(table).includes(key);
}

/** References to other tables, declared or recognised by name. */
function linked(table: CatalogTable): readonly CatalogColumn[] {
  const foreign = new Set(table.foreign_keys.flatMap(({ columns }) => columns));
  const own = soleKey(table);
  return table.columns.filter(
    (column) =>
      foreign.has(column.name) || (column !== own && /[_ ]id$|[a-z]I[Dd]$|^link_to_/.test(column.name)),
  );
}

/** Whether the rows of a table are rows of another with more columns: its key is the other's, or it is a kind of people. */
export function extendsParent({ child, parent }: JoinEdge, origins: Origins): boolean {
  const [a, b] = [sideOf(child, origins), sideOf(parent, origins)];
  if (a === null || b === null || !b.unique) return false;
  return a.unique || (arePeople(a) && /^(people|persons?)$/i.test(b.table.name) && nameOf(a) === nameOf(b));
}

function arePeople({ table, column }: Side): boolean {
  return hasUniqueValues(table, column) && isPerson({ one: singular(splitWords(table.name)) });
}

/** The table in which an outer join found no row if the column is NULL; null for other columns. */
export function absentTable(expr: Expr, origins: Origins): CatalogTable | null {
  const inner = bare(expr);
  if (inner.kind !== 'column' || !isPadded(inner.source, origins)) return null;
  const table = origins.tableOf(inner.source);
  const base = origins.baseColumn(inner);
  const on = itemOf(inner.source, origins)?.on;
  if (table === null || base === null || !on) return null;
  const joined = columnsOf(on).some((column) => sameExpr(column, inner));
  return joined || base.column.not_null || base.column.primary_key > 0 ? table : null;
}

/** The FROM item of a source. */
export function itemOf(source: SourceId, origins: Origins): FromItem | undefined {
  return origins.selectOf(source)?.from.find((item) => item.source.id === source);
}

/** The conditions of a join besides plain joins. */
export function joinFilters({ on }: FromItem, select: Select, origins: Origins): readonly Expr[] {
  const plain = plainJoins(select, origins);
  return conjuncts(on).filter((one) => !plain.has(one));
}

/** The outer-joined sources of a SELECT in which its rows must have no partner. */
export function absentSources({ where }: Select, origins: Origins): ReadonlySet<SourceId> {
  return new Set(
    conjuncts(where).flatMap((one) =>
      one.kind === 'is_null' &&
      !one.negated &&
      one.expr.kind === 'column' &&
      absentTable(one.expr, origins) !== null
        ? [one.expr.source]
        : [],
    ),
  );
}

/** The sources that rows may lack: for a left join its own, for a right join those before it. */
export function paddedSources(select: Select, origins: Origins): readonly FromItem[] {
  const absent = absentSources(select, origins);
  return select.from.flatMap((item, at) => {
    if (absent.has(item.source.id)) return [];
    const before = item.join === 'right' || item.join === 'full' ? select.from.slice(0, at) : [];
    const own = item.join === 'left' || item.join === 'full' ? [item] : [];
    return [...own, ...before.map((other) => ({ ...other, on: item.on }))];
  });
}

const KNOWN = new WeakMap<Origins, Map<Select, ReadonlySet<Expr>>>();

/**
 * The joins of a SELECT that need no mention: along a reference, or by a key of the same name if nothing else
 * joins the two. All other equalities of columns are conditions.
 */
export function plainJoins(select: Select, origins: Origins): ReadonlySet<Expr> {
  const known = KNOWN.get(origins) ?? new Map<Select, ReadonlySet<Expr>>();
  KNOWN.set(origins, known);
  const found = known.get(select) ?? findPlain(select, origins);
  known.set(select, found);
  return found;
}

function findPlain(select: Select, origins: Origins): ReadonlySet<Expr> {
  const own = new Set(select.from.map(({ source }) => source.id));
  const joins = joinConditions(select).filter(
    (one) => isJoin(one) && equalities(one).every((side) => sourcesOf(side).every((id) => own.has(id))),
  );
  const sources = new Groups();
  const columns = new Groups();
  const plain = new Set<Expr>();
  const add = (one: Expr) => {
    // A join by either of two references is mentioned: a flight's source or its destination.
    if (one.kind !== 'or') plain.add(one);
    for (const join of equalities(one)) sources.tie(...sourcesOf(join));
    if (one.kind !== 'or') for (const join of equalities(one)) columns.tie(...columnPairOf(join));
  };
  for (const one of finestFirst(joins, origins)) {
    // A second join of the same sources is a condition: a colour of the eyes and of the hair.
    const tied = equalities(one).every((join) => sources.areTied(...sourcesOf(join)));
    if (!tied || isRestOfKey(one, joins, origins)) add(one);
  }
  for (const one of joins) {
    if (plain.has(one) || one.kind === 'or') continue;
    const known = equalities(one).every((join) => columns.areTied(...columnPairOf(join)));
    // If the sources are joined already, this equality is a condition.
    const joined = equalities(one).every((join) => sources.areTied(...sourcesOf(join)));
    if (known || (joined ? isRestOfKey(one, joins, origins) : looksUp(one, origins))) add(one);
  }
  return plain;
}

/** The references among joins; first those of sources that nothing refers to, which are the clearest. */
function finestFirst(joins: readonly Expr[], origins: Origins): readonly Expr[] {
  const references = joins.flatMap((one) => {
    const edge = isReference(one, origins) ? edgeOf(one, origins) : null;
    return edge === null ? [] : [{ one, edge }];
  });
  const parents = new Set(references.map(({ edge }) => edge.parent.source));
  const [finest, others] = [false, true].map((refers) =>
    references.filter(({ edge }) => parents.has(edge.child.source) === refers).map(({ one }) => one),
  );
  return [...(finest ?? []), ...(others ?? [])];
}

/** A union-find over names. */
class Groups {
  readonly #next = new Map<string, string>();

  tie(a: string, b: string): void {
    if (!this.areTied(a, b)) this.#next.set(this.#last(a), this.#last(b));
  }

  areTied(a: string, b: string): boolean {
    return this.#last(a) === this.#last(b);
  }

  #last(one: string): string {
    const next = this.#next.get(one);
    return next === undefined ? one : this.#last(next);
  }
}

/** Whether an equality of columns, or each alternative, follows a reference: a declared one, or to a unique column. */
export function isReference(one: Expr, origins: Origins): boolean {
  if (one.kind === 'or') return one.items.every((item) => isReference(item, origins));
  return edgeOf(one, origins) !== null;
}

function sourcesOf({ left, right }: ColumnJoin): readonly [SourceId, SourceId] {
  return [left.source, right.source];
}

function columnPairOf({ left, right }: ColumnJoin): readonly [string, string] {
  return [`${left.source} ${left.name}`, `${right.source} ${right.name}`];
}

function sidesOf(one: Expr, origins: Origins): readonly [Place, Place] | null {
  const [join] = equalities(one);
  if (join === undefined) return null;
  const [a, b] = [origins.baseColumn(join.left), origins.baseColumn(join.right)];
  return a === null || b === null ? null : [a, b];
}

/** Whether two tables are joined as if one column referred to the other, without a declaration. */
function looksUp(one: Expr, origins: Origins): boolean {
  const sides = sidesOf(one, origins);
  if (sides === null) return false;
  const [a, b] = sides;
  // Columns of derived tables are compared by their origins.
  if (equalities(one).some((join) => sourcesOf(join).some((id) => origins.tableOf(id) === null)))
    return a.table === b.table ? a.column === b.column : mayJoin(a, b);
  if (a.table === b.table) return false;
  if (!mayJoin(a, b)) return false;
  const [apart, otherApart] = [a, b].map(({ table, column }) => hasUniqueValues(table, column));
  if (apart !== otherApart) return true;
  // A join of two references to the same parent, which is not read, is a condition: votes on the post of a comment.
  return areLinked(a, b) && (apart === true || parentOf(a) === null || parentOf(a) !== parentOf(b));
}

/** Whether two columns stand for the same thing: references to the same table, or the same key name. */
function areLinked(a: Place, b: Place): boolean {
  if (
    hasUniqueValues(a.table, a.column) &&
    hasUniqueValues(b.table, b.column) &&
    parentOf(a) !== null &&
    parentOf(a) === parentOf(b)
  )
    return true;
  return sharesKeyName(a, b);
}

/** Whether two columns are named like a key and its reference: `setCode` in both, or `code` of sets. */
export function sharesKeyName(a: Place, b: Place): boolean {
  if (isKeyName(a) && nameOf(a) === nameOf(b)) return true;
  if (ownName(a) === nameOf(b) || ownName(b) === nameOf(a)) return true;
  return [a, b].some(({ table }) => [a, b].every(({ column }) => holdsKeyOf(table, column)));
}

/** Whether a column's name contains a key of the table: `team_id_winner`, `team_id_br` of teams. */
function holdsKeyOf(table: CatalogTable, column: CatalogColumn): boolean {
  const noun = nameOfWords(singular(splitWords(table.name)));
  return KEYS.some((key) => nameOf({ table, column }).includes(`${noun}${key}`));
}

const KEYS = [...KEY_WORDS].filter((word) => word.length > 1);

/** The name of a generic key with its table's noun: the code of sets is a set code. */
function ownName(side: Place): string | null {
  const words = splitWords(side.column.name);
  if (words.length !== 1 || !KEY_WORDS.has(words[0]?.toLowerCase() ?? '')) return null;
  return nameOfWords([...singular(splitWords(side.table.name)), ...words]);
}

/** The table that a column refers to, by name; null if none. */
function parentOf({ table, column }: Place): string | null {
  const key = table.foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === column.name);
  return key?.references_table ?? null;
}

/** Whether an equality is a further part of a composite join: the year beside the team. */
function isRestOfKey(one: Expr, joins: readonly Expr[], origins: Origins): boolean {
  const sides = sidesOf(one, origins);
  const [join] = equalities(one);
  if (sides === null || join === undefined) return false;
  if (sides[0].table === sides[1].table || nameOf(sides[0]) !== nameOf(sides[1])) return false;
  const pair = sourcesOf(join);
  return joins.some(
    (other) =>
      other !== one && equalities(other).some((side) => sourcesOf(side).every((id) => pair.includes(id))),
  );
}

/** Whether a key's name includes its table, unlike `id`. */
function isKeyName({ table, column }: Place): boolean {
  const words = splitWords(column.name);
  const declared = table.foreign_keys.some(({ columns }) => columns.includes(column.name));
  return declared || (words.length > 1 && withoutKey(words).length < words.length);
}

function nameOf({ column }: Place): string {
  return nameOfWords([column.name]);
}

function nameOfWords(words: readonly string[]): string {
  return words
    .join('')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** A source that is joined only for existence. */
interface ExistencePartner {
  readonly source: SourceId;
  /** Whether its rows are those that it is joined to, with more columns. */
  readonly same: boolean;
}

interface Joined {
  readonly edges: readonly JoinEdge[];
  readonly origins: Origins;
}

/** The idle sources of a SELECT that restrict rows; a lookup does not, since a loan has its account. */
export function existencePartners(select: Select, { edges, origins }: Joined): readonly ExistencePartner[] {
  const idle = new Set(idleSources(select, { edges, origins }));
  const reached = new Set(select.from.map(({ source }) => source.id).filter((id) => !idle.has(id)));
  const found: ExistencePartner[] = [];
  for (let grown = true; grown; ) {
    grown = false;
    for (const edge of edges) {
      const [child, parent] = [edge.child.source, edge.parent.source];
      if (reached.has(parent) && idle.has(child) && !reached.has(child)) {
        found.push({ source: child, same: extendsParent(edge, origins) });
      }
      if (reached.has(parent) === reached.has(child)) continue;
      reached.add(child).add(parent);
      grown = true;
    }
  }
  return found;
}

/**
 * The sources that a SELECT joins without reading them, and that join nothing else: they only restrict rows. None if
 * rows are counted or added up, which may be the reason for the join.
 */
function idleSources(select: Select, { edges, origins }: Joined): readonly SourceId[] {
  const { from } = select;
  if (from.length < 2 || !from.every(isInner)) return [];
  const plain = plainJoins(select, origins);
  const joins = joinConditions(select).filter((one) => plain.has(one) || isCorrelation(one, select));
  const exprs = queryExprs(select);
  // Repeated rows do not change distinct aggregates.
  if (exprs.some((expr) => holdsAggregate(expr) && !ignoresRepeats(expr))) return [];
  const own = new Set(from.map(({ source }) => source.id));
  // A subquery is about the sources that correlate it with an enclosing query.
  const used = new Set(joins.map(sourcesRead).flatMap((ids) => (ids.every((id) => own.has(id)) ? [] : ids)));
  // A reference in the result counts as a use of the referenced row, not of the referring one.
  const shown = select.columns.map(({ expr }) => expr);
  const note = (expr: Expr): void => {
    if (joins.includes(expr)) return;
    const referred = shown.includes(expr) ? referredKey(expr, select, { edges, origins }) : null;
    if (referred !== null) return void used.add(referred.source);
    if (expr.kind === 'and') return expr.items.forEach(note);
    for (const { source } of columnsOf(expr)) used.add(source);
  };
  exprs.forEach(note);
  return prune(
    from.map(({ source }) => source.id),
    used,
    joins.map(sourcesRead),
  );
}

/** Whether repeated rows do not change the aggregates of an expression. */
function ignoresRepeats(expr: Expr): boolean {
  return exprsWithin(expr).every(
    (part) => part.kind !== 'aggregate' || part.distinct || /^(max|min)$/.test(part.name),
  );
}

/** The sources that remain to be removed as unused leaves, one after the other. */
function prune(
  all: readonly SourceId[],
  used: ReadonlySet<SourceId>,
  joins: readonly (readonly SourceId[])[],
): readonly SourceId[] {
  const left = new Set(all);
  const neighbours = (id: SourceId) =>
    new Set(
      joins
        .filter((pair) => pair.includes(id))
        .flat()
        .filter((other) => other !== id && left.has(other)),
    );
  for (let changed = true; changed && left.size > 1; ) {
    const leaf = [...left].find((id) => !used.has(id) && neighbours(id).size === 1);
    changed = leaf !== undefined;
    if (leaf !== undefined) left.delete(leaf);
  }
  return all.filter((id) => !left.has(id));
}

function sourcesRead(join: Expr): readonly SourceId[] {
  return [...new Set(columnsOf(join).map(({ source }) => source))];
}

/** Whether a condition only equates columns of the subquery with columns of the query around it. */
export function isCorrelation(one: Expr, select: Select): boolean {
  return isJoin(one) && equalities(one).every((join) => outerOf(join, select) !== null);
}

/** The sources around a subquery that its rows belong to by reference. */
export function ownersOf(select: Select, origins: Origins): readonly SourceId[] {
  const owners = joinConditions(select)
    .filter((one) => isCorrelation(one, select))
    .flatMap((one) => ownerOf(one, select, origins) ?? []);
  return [...new Set(owners)];
}

/** The source around a subquery that a correlation refers to, or that refers to it; null for none or several. */
export function ownerOf(one: Expr, select: Select, origins: Origins): SourceId | null {
  if (!isCorrelation(one, select) || !isReference(one, origins)) return null;
  const [first, ...others] = equalities(one).map((join) => outerOf(join, select)?.source ?? null);
  return first === undefined || others.some((other) => other !== first) ? null : first;
}

/** Which of the columns is not the subquery's own; null when both or neither are. */
function outerOf({ left, right }: Pick<ColumnJoin, 'left' | 'right'>, { from }: Select): Column | null {
  const [a, b] = [left, right].map((side) => from.some(({ source }) => source.id === side.source));
  return a === b ? null : a ? right : left;
}

/**
 * The sources whose rows make up the joined rows of a SELECT: none that another looks up, nor one with a row fixed by
 * the query. With several, each row is a combination.
 */
export function rowSources(
  select: Select,
  edges: readonly JoinEdge[],
  origins: Origins,
): readonly SourceId[] {
  const absent = absentSources(select, origins);
  const own = select.from.map(({ source }) => source.id).filter((id) => !absent.has(id));
  const parents = new Set(
    edges.filter(({ child }) => own.includes(child.source)).map(({ parent }) => parent.source),
  );
  const left = own.filter((id) => !parents.has(id));
  const joins = joinConditions(select).filter(isJoin);
  for (const id of [...left].reverse()) {
    const others = left.filter((other) => other !== id);
    if (joins.some((join) => findsOneRow(join, id, others, origins))) left.splice(left.indexOf(id), 1);
  }
  const fixed = fixedBy(select).flatMap((expr) => origins.baseColumn(expr) ?? []);
  const free = left.filter(
    (id) => !fixed.some(({ source, table, column }) => source === id && hasUniqueValues(table, column)),
  );
  return [free, left, own.slice(0, 1)].find((ids) => ids.length > 0) ?? [];
}

/** The group keys of a SELECT, or the expressions that it compares with a value or an outer column. */
export function fixedBy(select: Select): readonly Expr[] {
  if (select.groupBy.length > 0) return select.groupBy;
  return joinConditions(select).flatMap((one) => {
    if (one.kind !== 'compare' || one.op !== '=') return [];
    const inner = [one.left, one.right].filter(
      (side) => side.kind !== 'column' || select.from.some(({ source }) => source.id === side.source),
    );
    if (inner.length === 1) return inner;
    return columnsOf(one.right).length > 0 ? [] : [one.left];
  });
}

/** Whether an equality finds at most one row of a source for each row of others. */
function findsOneRow(join: Expr, id: SourceId, others: readonly SourceId[], origins: Origins): boolean {
  if (join.kind !== 'compare') return false;
  const sides = [join.left, join.right].flatMap((side) => (side.kind === 'column' ? [side] : []));
  const own = sides.find(({ source }) => source === id);
  const base = own === undefined ? null : origins.baseColumn(own);
  if (base === null || !sides.some(({ source }) => others.includes(source))) return false;
  return hasUniqueValues(base.table, base.column, { orMissing: true });
}

/** The column that names a row to people: `school` in schools, superhero_name, title; null if there is none. */
export function labelOf(table: CatalogTable, lexicon: Lexicon): CatalogColumn | null {
  const [called, ...more] = table.words?.called ?? [];
  const chosen = table.columns.find(({ name, type }) => name === called && type === 'string');
  if (chosen !== undefined && more.length === 0) return chosen;
  const ranked = table.columns
    .map((column) => ({ column, rank: rankOf(column, table, lexicon) }))
    .filter(({ rank }) => rank < NONE)
    .sort((a, b) => a.rank - b.rank);
  return ranked[0]?.column ?? onlyText(table);
}

const NONE = 99;

function rankOf(column: CatalogColumn, table: CatalogTable, lexicon: Lexicon): number {
  if (column.type !== 'string') return NONE;
  const words = lexicon
    .column(table.name, column.name)
    .map((word) => word.toLowerCase().replace(/^(nombre|nom|nome|naam|bezeichnung)$/, 'name'));
  const noun = lexicon.noun(table.name).one.map((word) => word.toLowerCase());
  const [text, whole, last] = [words.join(' '), noun.join(' '), noun.at(-1) ?? ''];
  if (text === whole) return 0;
  if (text === `${whole} name` || text === `${last} name`) return 1;
  if (text === 'name') return 2;
  if (text === 'title' || text === `${whole} title` || text === `${last} title`) return 3;
  if (text === last) return 4;
  // power name in superpower
  if (words.at(-1) === 'name' && words.length === 2 && whole.endsWith(words[0] ?? whole)) return 5;
  if (/^(display|long) name$/.test(text)) return 6;
  return text === 'full name' ? 7 : NONE;
}

/** In a small table of codes, the only text column is their meaning, unless many rows share it. */
function onlyText(table: CatalogTable): CatalogColumn | null {
  if (table.columns.length > 3) return null;
  const texts = table.columns.filter((column) => column.type === 'string' && column.primary_key === 0);
  const [only, ...others] = texts;
  if (only === undefined || others.length > 0 || table.foreign_keys.length > 0) return null;
  const { rows, distinct } = only.statistics;
  return rows === 0 || distinct * 2 > rows ? only : null;
}

/** The only column of the primary key, else a column `id`; or null. */
export function keyOf(table: CatalogTable): CatalogColumn | null {
  if (table.columns.some(({ primary_key }) => primary_key > 0)) return soleKey(table);
  return table.columns.find(({ name }) => name.toLowerCase() === 'id') ?? null;
}

/** The key of another table in FROM that an expression refers to; null for others. */
export function referredKey(
  expr: Expr,
  { from }: Select,
  { edges, origins }: { readonly edges: readonly JoinEdge[]; readonly origins: Origins },
): Column | null {
  const inner = bare(expr);
  const base = inner.kind === 'column' ? origins.baseColumn(inner) : null;
  const edge = edges.find(
    ({ child, alternative }) =>
      child === inner ||
      (!alternative && base !== null && child.source === base.source && child.name === base.column.name),
  );
  const parent = edge === undefined ? null : origins.baseColumn(edge.parent);
  if (edge === undefined || parent === null || keyOf(parent.table)?.name !== parent.column.name) return null;
  return from.some(({ source }) => source.id === edge.parent.source) ? edge.parent : null;
}
