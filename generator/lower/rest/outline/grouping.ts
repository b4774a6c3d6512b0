import type { CatalogTable } from '../../../../contracts/catalog.ts';
import { type Expr, exprsWithin, isUnique, keyTable, type Origins, type Select } from '../../../sql/index.ts';
import { withoutKey } from '../words/lexicon.ts';
import { isJoin, joinConditions, tellsApart } from './joins.ts';
import { labelOf } from './label.ts';
import { type Output, outputOf } from './outputs.ts';
import { type Phrase, plainPhrase } from './phrase.ts';
import type { Saying } from './phrase-of.ts';
import type { Speaker } from './speaker.ts';

/** How what a SELECT shows of its groups goes with what it groups by. */
export interface Grouping {
  /** Keys that are not shown, nor anything of the row that they tell apart: the artist of a language. */
  readonly untold: readonly Phrase[];
  /** What is shown of a group that is only some row's of it: the artist beside a language. */
  readonly companions: readonly Output[];
}

/** `named`: a row is not told by anything that it holds, only by its name or key. */
export function groupingOf(
  select: Select,
  shown: readonly Output[],
  saying: Saying,
  { named }: { readonly named: boolean },
): Grouping {
  const { origins } = saying.speaker;
  const keys = select.groupBy.map((expr) => ({
    output: outputOf(expr, saying),
    row: groupedRow(expr, select, saying.speaker),
    place: placeOf(expr, origins),
  }));
  const shownPlaces = placesTold(select, shown, origins);
  const rows = reached(
    keys.flatMap(({ row }) => row ?? []),
    saying,
  );
  const isTold = ({ output, row, place }: (typeof keys)[number]) =>
    shown.some(({ phrase }) => phrase.text === output.phrase.text) ||
    (place !== null && shownPlaces.has(place)) ||
    (row === null
      ? rows.has(output.table)
      : shown.some(({ table, role }) => table === row && !(named && role === 'other')));
  const told = keys.filter(isTold);
  const toldRows = reached(
    told.flatMap(({ row }) => row ?? []),
    saying,
  );
  const texts = told.map(({ output }) => output.phrase.text);
  const places = new Set(told.map(({ place }) => place));
  const inKey = ({ exprs, phrase, table }: Output) =>
    texts.includes(phrase.text) ||
    (table !== null && toldRows.has(table)) ||
    exprs.every((expr) => columnsOf(expr, origins).every((place) => places.has(place)));
  return {
    untold: keys
      .filter((key) => !told.includes(key))
      .map(({ output, row }) => (row === null ? output.phrase : rowPhrase(output, row, saying))),
    companions: shown.filter((output) => !inKey(output)),
  };
}

/** The tables whose rows a SELECT groups by: one row a group. */
export function groupedTables(select: Select, { speaker }: Saying): ReadonlySet<CatalogTable> {
  return new Set(select.groupBy.flatMap((expr) => groupedRow(expr, select, speaker) ?? []));
}

/** Whether a SELECT groups the rows of a table by what these hold: actors by their names. */
export function groupsItsRows(select: Select, table: CatalogTable, saying: Saying): boolean {
  const { speaker } = saying;
  return (
    select.groupBy.length > 0 &&
    speaker.rowTable(select) === table &&
    select.groupBy.every((expr) => outputOf(expr, saying).table === table) &&
    !groupedTables(select, saying).has(table)
  );
}

/** The table whose rows an expression tells apart: by itself, or by what it is joined to. */
function groupedRow(expr: Expr, select: Select, speaker: Speaker): CatalogTable | null {
  const { origins } = speaker;
  const own = rowOf(expr, speaker, false);
  if (own !== null || expr.kind !== 'column') return own;
  const place = placeOf(expr, origins);
  for (const condition of joinConditions(select)) {
    if (!isJoin(condition) || condition.kind !== 'compare') continue;
    const sides = [condition.left, condition.right];
    const other = sides.find((side) => placeOf(side, origins) !== place);
    if (other === undefined || !sides.some((side) => placeOf(side, origins) === place)) continue;
    const referred = speaker.edges.some(({ parent }) => parent === other);
    const row = rowOf(other, speaker, referred);
    if (row !== null) return row;
  }
  return null;
}

/** The same of one column: as declared, or as the rows have it of what is referred to, named like a key, or a name. */
function rowOf(expr: Expr, { origins, lexicon }: Speaker, referred: boolean): CatalogTable | null {
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
function reached(tables: readonly CatalogTable[], { speaker }: Saying): ReadonlySet<CatalogTable | null> {
  const found = new Set<CatalogTable | null>(tables);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { child, parent } of speaker.edges) {
      if (found.has(speaker.origins.tableOf(child.source))) found.add(speaker.origins.tableOf(parent.source));
    }
  }
  return found;
}

/** Who a key stands for: a department, a home team. */
function rowPhrase({ phrase }: Output, row: CatalogTable, { speaker }: Saying): Phrase {
  const words = withoutKey(phrase.noun);
  return plainPhrase(words.length < phrase.noun.length ? words : speaker.noun(row).one);
}
