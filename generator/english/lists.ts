import type { CatalogTable } from '../../contracts/catalog.ts';
import { type Expr, exprsWithin, isUnique, keyTable, type Origins, type Select } from '../../sql/index.ts';
import {
  type Clauses,
  type Groups,
  type ListClauses,
  type Shown,
  type Sort,
  sameThing,
  signature,
  type Term,
  type Thing,
} from './clause.ts';
import { hasUniqueValues, isJoin, joinConditions, labelOf } from './joins.ts';
import { withoutKey } from './lexicon.ts';
import type { QueryContext, Scope } from './query-context.ts';
import { type Output, outputOf, shownOf } from './shown.ts';
import { plural, sameWords } from './words.ts';

/** Decisions about a list that its name and its sentences share. */

/** An empty list of rows, to be completed. */
export const BARE_LIST = {
  kind: 'list',
  subject: null,
  shown: [],
  columns: [],
  about: 'rows',
  distinct: false,
  groups: null,
  conditions: [],
  whose: [],
  read: [],
  padded: [],
  order: [],
  limit: null,
  grain: [],
  over: null,
  crossed: [],
  tables: [],
} as const;

/** The query that names the columns of a combination; null for VALUES. */
export function leftmostList(clauses: Clauses): ListClauses | null {
  if (clauses.kind === 'combined') return leftmostList(clauses.left);
  return clauses.kind === 'list' ? clauses : null;
}

/** Whether a group key or a counted item is a thing rather than a value. */
export function isThing(one: Thing | Term): one is Thing {
  return !('kind' in one);
}

/** The result columns without constants. */
export function withoutConstants(shown: readonly Shown[]): readonly Shown[] {
  return shown.filter(({ term }) => term.kind !== 'constant');
}

/** The result columns that do not identify or accompany groups. */
export function measuresOf(groups: Groups, shown: readonly Shown[]): readonly Shown[] {
  const keys = [...groups.shownKeys, ...groups.companions].flatMap(({ columns }) => columns);
  return withoutConstants(shown).filter(({ columns }) => !columns.every((column) => keys.includes(column)));
}

/** Whether the result has numbers about groups, not only the groups. */
export function isMeasured({ groups, shown }: ListClauses): boolean {
  return groups !== null && measuresOf(groups, shown).length > 0;
}

/** The thing that groups are, if a name or a key identifies them, and that result column; else null. */
export function namedGroup({
  shownKeys,
}: Groups): { readonly shownKey: Shown; readonly thing: Thing } | null {
  const label = shownKeys.find(({ role, stands }) => role === 'label' && stands !== null);
  const shownKey = label ?? shownKeys.find(({ role, owner }) => role === 'key' && owner !== null);
  const thing = label?.stands ?? shownKey?.owner ?? null;
  return shownKey === undefined || thing === null ? null : { shownKey, thing };
}

/** The thing whose name the result has, and the other columns; null without a name. */
export function knownRows({
  shown,
  subject,
}: ListClauses): { readonly thing: Thing; readonly label: Shown; readonly rest: readonly Shown[] } | null {
  const label = shown.find(
    ({ role, stands, owner }) => role === 'label' && stands !== null && sameThing(owner, subject),
  );
  if (!label?.stands) return null;
  const isKey = ({ role, owner }: Shown) => role === 'key' && sameThing(owner, subject);
  return {
    thing: label.stands,
    label,
    rest: withoutConstants(shown).filter((one) => one !== label && !isKey(one)),
  };
}

/** Whether the ranking value is the only result: the highest score. */
export function showsRank({ shown }: ListClauses, by: Sort): boolean {
  const [only, ...others] = withoutConstants(shown);
  return only !== undefined && others.length === 0 && signature(only.term) === signature(by.of);
}

/** The meaning of each row of a grouped list: the keys that no result column shows, else all keys. */
export function perKeys({ groups, about }: ListClauses): readonly (Thing | Term)[] {
  if (groups === null || about !== 'groups') return [];
  return groups.unshown.length > 0 ? groups.unshown : groups.keys;
}

/**
 * Relates the result columns of a SELECT to its group keys. `named`: only a name or key identifies a row, no other
 * column.
 */
export function groupsOf(select: Select, shown: readonly Output[], scope: Scope, named: boolean): Groups {
  const { context } = scope;
  const { origins } = context;
  const keys = select.groupBy.map((expr) => {
    const output = outputOf(expr, scope);
    return { output, row: groupedRow(expr, select, context), place: placeOf(expr, origins) };
  });
  const shownPlaces = knownPlaces(select, shown, origins);
  const rows = reached(
    keys.flatMap(({ row }) => row ?? []),
    context,
  );
  const isShown = ({ output, row, place }: (typeof keys)[number]) =>
    shown.some(({ term }) => signature(term) === signature(output.term)) ||
    (place !== null && shownPlaces.has(place)) ||
    (row === null
      ? rows.has(output.table)
      : shown.some(({ table, role }) => table === row && !(named && role === 'other')));
  const shownKeys = keys.filter(isShown);
  const shownRows = reached(
    shownKeys.flatMap(({ row }) => row ?? []),
    context,
  );
  const texts = shownKeys.map(({ output }) => signature(output.term));
  const places = new Set(shownKeys.map(({ place }) => place));
  const inKey = ({ exprs, term, table }: Output) =>
    texts.includes(signature(term)) ||
    (table !== null && shownRows.has(table)) ||
    exprs.every((expr) => columnsOf(expr, origins).every((place) => places.has(place)));
  const companions = shown.filter((output) => !inKey(output));
  return {
    keys: keys.map(({ output }) => output.term),
    shownKeys: shown.filter((output) => !companions.includes(output)).map(shownOf),
    unshown: keys
      .filter((key) => !shownKeys.includes(key))
      .map(({ output, row }) => unshownKey(output, row, context)),
    companions: companions.map(shownOf),
  };
}

/** The thing that a key stands for: a department, a home team; else the key itself. */
function unshownKey({ term, base }: Output, row: CatalogTable | null, context: QueryContext): Thing | Term {
  if (row === null || term.kind !== 'property') return term;
  const words = withoutKey(term.full.words);
  if (sameWords(withoutKey(term.own.words), context.thing(row).one)) return context.thing(row);
  if (base !== null && base.table !== row && words.length < term.full.words.length) {
    return { one: words, many: plural(words) };
  }
  return (term.inRole ? term.owner : null) ?? context.thing(row);
}

/** The tables with one row per group of a SELECT. */
export function groupedTables(select: Select, context: QueryContext): ReadonlySet<CatalogTable> {
  return new Set(select.groupBy.flatMap((expr) => groupedRow(expr, select, context) ?? []));
}

/** Whether a SELECT groups the rows of a table by their own values: actors by their names. */
export function groupsItsRows(select: Select, table: CatalogTable, scope: Scope): boolean {
  return (
    select.groupBy.length > 0 &&
    scope.context.rowTable(select) === table &&
    select.groupBy.every((expr) => outputOf(expr, scope).table === table) &&
    !groupedTables(select, scope.context).has(table)
  );
}

/** The table whose rows an expression identifies: by itself, or by the column it is joined to. */
function groupedRow(expr: Expr, select: Select, context: QueryContext): CatalogTable | null {
  const { origins } = context;
  const own = rowOf(expr, context, false);
  if (own !== null || expr.kind !== 'column') return own;
  const place = placeOf(expr, origins);
  for (const condition of joinConditions(select)) {
    if (!isJoin(condition) || condition.kind !== 'compare') continue;
    const sides = [condition.left, condition.right];
    const other = sides.find((side) => placeOf(side, origins) !== place);
    if (other === undefined || !sides.some((side) => placeOf(side, origins) === place)) continue;
    const referred = context.edges.some(({ parent }) => parent === other);
    const row = rowOf(other, context, referred);
    if (row !== null) return row;
  }
  return null;
}

/** The same for one column: as declared or, for references, keys and names, by the stored values. */
function rowOf(expr: Expr, { origins, lexicon }: QueryContext, referred: boolean): CatalogTable | null {
  const base = origins.baseColumn(expr);
  if (base === null) return null;
  const { table, column } = base;
  const words = lexicon.column(table.name, column.name);
  const naming = referred || withoutKey(words).length < words.length || labelOf(table, lexicon) === column;
  const alone = isUnique(table, column) || (naming && hasUniqueValues(table, column));
  return keyTable(expr, origins) ?? (alone ? table : null);
}

/** The places that are in the result, sorted by or fixed to one value. */
function knownPlaces(select: Select, shown: readonly Output[], origins: Origins): ReadonlySet<string> {
  const fixed = joinConditions(select).flatMap((one) =>
    one.kind === 'compare' && one.op === '=' && one.right.kind === 'literal' ? [one.left] : [],
  );
  const sorted = select.orderBy.map(({ expr }) => expr);
  const exprs = [...shown.flatMap((output) => output.exprs), ...sorted, ...fixed];
  return new Set(exprs.flatMap((expr) => placeOf(expr, origins) ?? []));
}

/** A column as a place in one of the sources, or null. */
function placeOf(expr: Expr, origins: Origins): string | null {
  if (expr.kind !== 'column') return null;
  const base = origins.baseColumn(expr);
  return JSON.stringify(base === null ? [expr.source, expr.name] : [base.source, base.column.name]);
}

function columnsOf(expr: Expr, origins: Origins): readonly string[] {
  return exprsWithin(expr).flatMap((part) => placeOf(part, origins) ?? []);
}

/** The tables, and those in which their rows are looked up. */
function reached(
  tables: readonly CatalogTable[],
  { edges, origins }: QueryContext,
): ReadonlySet<CatalogTable | null> {
  const found = new Set<CatalogTable | null>(tables);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { child, parent } of edges) {
      if (found.has(origins.tableOf(child.source))) found.add(origins.tableOf(parent.source));
    }
  }
  return found;
}
