import type { CatalogTable } from '../../../contracts/catalog.ts';
import { type Expr, exprsWithin, isUnique, keyTable, type Origins, type Select } from '../../../sql/index.ts';
import { withoutKey } from '../words/lexicon.ts';
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
import { isJoin, joinConditions, labelOf, tellsApart } from './joins.ts';
import type { QueryContext, Scope } from './query-context.ts';
import { type Output, outputOf, shownOf } from './shown.ts';

/** What is decided of a list before it is said, so that its name and its sentences agree. */

/** A list of rows with nothing told of them yet: neither what they are, nor what is shown. */
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

/** The query that names the columns of a combination; null for rows that the query writes down itself. */
export function leftmostList(clauses: Clauses): ListClauses | null {
  if (clauses.kind === 'combined') return leftmostList(clauses.left);
  return clauses.kind === 'list' ? clauses : null;
}

/** Whether what groups rows, or is counted, is things and not a value of them. */
export function isThing(one: Thing | Term): one is Thing {
  return !('kind' in one);
}

/** What is shown but for texts that only say what a row is, fixed in the query. */
export function toldOf(shown: readonly Shown[]): readonly Shown[] {
  return shown.filter(({ term }) => term.kind !== 'constant');
}

/** What is shown besides what the groups are told by. */
export function measuresOf(groups: Groups, shown: readonly Shown[]): readonly Shown[] {
  const keys = [...groups.holders, ...groups.companions].flatMap(({ columns }) => columns);
  return toldOf(shown).filter(({ columns }) => !columns.every((column) => keys.includes(column)));
}

/** Whether numbers about groups are shown, not only what the groups are told by. */
export function isMeasured({ groups, shown }: ListClauses): boolean {
  return groups !== null && measuresOf(groups, shown).length > 0;
}

/** What groups are, where they are told by a name or a key, and which of the holders says so. */
export function holderOf({ holders }: Groups): { readonly holder: Shown; readonly thing: Thing } | null {
  const label = holders.find(({ role, stands }) => role === 'label' && stands !== null);
  const holder = label ?? holders.find(({ role, owner }) => role === 'key' && owner !== null);
  const thing = label?.stands ?? holder?.owner ?? null;
  return holder === undefined || thing === null ? null : { holder, thing };
}

/** What rows are known by, and what else is shown of them; null where nothing shown is their name. */
export function knownRows({
  shown,
  subject,
}: ListClauses): { readonly thing: Thing; readonly rest: readonly Shown[] } | null {
  const label = shown.find(
    ({ role, stands, owner }) => role === 'label' && stands !== null && sameThing(owner, subject),
  );
  if (!label?.stands) return null;
  const isKey = ({ role, owner }: Shown) => role === 'key' && sameThing(owner, subject);
  return { thing: label.stands, rest: toldOf(shown).filter((one) => one !== label && !isKey(one)) };
}

/** Whether a list shows just what ranks it: the highest score. */
export function showsRank({ shown }: ListClauses, by: Sort): boolean {
  const [only, ...others] = toldOf(shown);
  return only !== undefined && others.length === 0 && signature(only.term) === signature(by.of);
}

/** What is one a row, where rows are grouped: what nothing shown tells, else all that they are grouped by. */
export function perKeys({ groups, about }: ListClauses): readonly (Thing | Term)[] {
  if (groups === null || about !== 'groups') return [];
  return groups.untold.length > 0 ? groups.untold : groups.keys;
}

/**
 * How what a SELECT shows of its groups goes with what it groups by. `named`: a row is not told by anything that it
 * holds, only by its name or key.
 */
export function groupsOf(select: Select, shown: readonly Output[], scope: Scope, named: boolean): Groups {
  const { context } = scope;
  const { origins } = context;
  const keys = select.groupBy.map((expr) => {
    const output = outputOf(expr, scope);
    return { output, row: groupedRow(expr, select, context), place: placeOf(expr, origins) };
  });
  const shownPlaces = placesTold(select, shown, origins);
  const rows = reached(
    keys.flatMap(({ row }) => row ?? []),
    context,
  );
  const isTold = ({ output, row, place }: (typeof keys)[number]) =>
    shown.some(({ term }) => signature(term) === signature(output.term)) ||
    (place !== null && shownPlaces.has(place)) ||
    (row === null
      ? rows.has(output.table)
      : shown.some(({ table, role }) => table === row && !(named && role === 'other')));
  const told = keys.filter(isTold);
  const toldRows = reached(
    told.flatMap(({ row }) => row ?? []),
    context,
  );
  const texts = told.map(({ output }) => signature(output.term));
  const places = new Set(told.map(({ place }) => place));
  const inKey = ({ exprs, term, table }: Output) =>
    texts.includes(signature(term)) ||
    (table !== null && toldRows.has(table)) ||
    exprs.every((expr) => columnsOf(expr, origins).every((place) => places.has(place)));
  const companions = shown.filter((output) => !inKey(output));
  return {
    keys: keys.map(({ output }) => output.term),
    holders: shown.filter((output) => !companions.includes(output)).map(shownOf),
    untold: keys
      .filter((key) => !told.includes(key))
      .map(({ output, row }) => untoldKey(output, row, context)),
    companions: companions.map(shownOf),
  };
}

/** Who a key stands for: a department, a home team; else the key itself. */
function untoldKey({ term, base }: Output, row: CatalogTable | null, context: QueryContext): Thing | Term {
  if (row === null || term.kind !== 'property') return term;
  const words = withoutKey(term.full.words);
  if (base !== null && base.table !== row && words.length < term.full.words.length) {
    return { one: words, many: context.lexicon.plural(words) };
  }
  return context.thing(row);
}

/** The tables whose rows a SELECT groups by: one row a group. */
export function groupedTables(select: Select, context: QueryContext): ReadonlySet<CatalogTable> {
  return new Set(select.groupBy.flatMap((expr) => groupedRow(expr, select, context) ?? []));
}

/** Whether a SELECT groups the rows of a table by what these hold: actors by their names. */
export function groupsItsRows(select: Select, table: CatalogTable, scope: Scope): boolean {
  return (
    select.groupBy.length > 0 &&
    scope.context.rowTable(select) === table &&
    select.groupBy.every((expr) => outputOf(expr, scope).table === table) &&
    !groupedTables(select, scope.context).has(table)
  );
}

/** The table whose rows an expression tells apart: by itself, or by what it is joined to. */
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

/** The same of one column: as declared, or as the rows have it of what is referred to, named like a key, or a name. */
function rowOf(expr: Expr, { origins, lexicon }: QueryContext, referred: boolean): CatalogTable | null {
  const base = origins.baseColumn(expr);
  if (base === null) return null;
  const { table, column } = base;
  const words = lexicon.column(table.name, column.name);
  const naming = referred || withoutKey(words).length < words.length || labelOf(table, lexicon) === column;
  const alone = isUnique(table, column) || (naming && tellsApart(table, column));
  return keyTable(expr, origins) ?? (alone ? table : null);
}

/** What is shown, sorted by or held to one value. */
function placesTold(select: Select, shown: readonly Output[], origins: Origins): ReadonlySet<string> {
  const held = joinConditions(select).flatMap((one) =>
    one.kind === 'compare' && one.op === '=' && one.right.kind === 'literal' ? [one.left] : [],
  );
  const sorted = select.orderBy.map(({ expr }) => expr);
  const exprs = [...shown.flatMap((output) => output.exprs), ...sorted, ...held];
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

/** The tables with what rows of some are looked up in. */
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
