import type { CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import type { Expr, Origins, Select, SourceId } from '../../../sql/index.ts';
import { KEY_WORDS } from '../words/common-words.ts';
import { withoutKey } from '../words/lexicon.ts';
import { singular } from '../words/nouns.ts';
import { splitWords } from '../words/split-words.ts';
import { type ColumnJoin, edgeOf, equalities, isJoin, joinConditions, mayJoin, tellsApart } from './joins.ts';

const KNOWN = new WeakMap<Origins, Map<Select, ReadonlySet<Expr>>>();

/**
 * The joins of a SELECT that go without saying: along a reference, or by a key of the same name where nothing
 * else joins the two. All other equalities of columns say something of the rows, and are conditions.
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
    // A join by either of two references is told: a flight's source or its destination.
    if (one.kind !== 'or') plain.add(one);
    for (const join of equalities(one)) sources.tie(...sourcesOf(join));
    if (one.kind !== 'or') for (const join of equalities(one)) columns.tie(...columnsOf(join));
  };
  for (const one of finestFirst(joins, origins)) {
    // What is tied already is asked to be tied by this too: a colour of the eyes and of the hair.
    const tied = equalities(one).every((join) => sources.areTied(...sourcesOf(join)));
    if (!tied || isRestOfKey(one, joins, origins)) add(one);
  }
  for (const one of joins) {
    if (plain.has(one) || one.kind === 'or') continue;
    const known = equalities(one).every((join) => columns.areTied(...columnsOf(join)));
    // What is joined already is not joined by this, but kept for it.
    const joined = equalities(one).every((join) => sources.areTied(...sourcesOf(join)));
    if (known || (joined ? isRestOfKey(one, joins, origins) : looksUp(one, origins))) add(one);
  }
  return plain;
}

/** The references among joins, those of rows that nothing refers to first: they say most plainly what belongs together. */
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

/** Things that belong together, each with whatever it is tied to. */
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

/** Whether an equality of columns, or each of several, follows a reference: a declared one, or to what is unique. */
export function isReference(one: Expr, origins: Origins): boolean {
  if (one.kind === 'or') return one.items.every((item) => isReference(item, origins));
  return edgeOf(one, origins) !== null;
}

function sourcesOf({ left, right }: ColumnJoin): readonly [SourceId, SourceId] {
  return [left.source, right.source];
}

function columnsOf({ left, right }: ColumnJoin): readonly [string, string] {
  return [`${left.source} ${left.name}`, `${right.source} ${right.name}`];
}

interface Side {
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
}

function sidesOf(one: Expr, origins: Origins): readonly [Side, Side] | null {
  const [join] = equalities(one);
  if (join === undefined) return null;
  const [a, b] = [origins.baseColumn(join.left), origins.baseColumn(join.right)];
  return a === null || b === null ? null : [a, b];
}

/** Whether two tables are joined as if one column referred to the other, though nothing says that it does. */
function looksUp(one: Expr, origins: Origins): boolean {
  const sides = sidesOf(one, origins);
  if (sides === null) return false;
  const [a, b] = sides;
  // What another query shows is joined by whatever it shows for that.
  if (equalities(one).some((join) => sourcesOf(join).some((id) => origins.tableOf(id) === null)))
    return a.table === b.table ? a.column === b.column : mayJoin(a, b);
  if (a.table === b.table) return false;
  if (!mayJoin(a, b)) return false;
  const [apart, otherApart] = [a, b].map(({ table, column }) => tellsApart(table, column));
  if (apart !== otherApart) return true;
  // Rows that refer to the same row, which is not read, are told to: votes on the post of a comment.
  return areLinked(a, b) && (apart === true || parentOf(a) === null || parentOf(a) !== parentOf(b));
}

/** Whether two columns stand for the same thing: keys that refer to the same table, or that are called the same. */
export function areLinked(a: Side, b: Side): boolean {
  if (
    tellsApart(a.table, a.column) &&
    tellsApart(b.table, b.column) &&
    parentOf(a) !== null &&
    parentOf(a) === parentOf(b)
  )
    return true;
  return sharesKeyName(a, b);
}

/** Whether two columns are called as a key and what it refers to are: `setCode` in both, or `code` of sets. */
export function sharesKeyName(a: Side, b: Side): boolean {
  if (isKeyName(a) && nameOf(a) === nameOf(b)) return true;
  if (ownName(a) === nameOf(b) || ownName(b) === nameOf(a)) return true;
  return [a, b].some(({ table }) => [a, b].every(({ column }) => holdsKeyOf(table, column)));
}

/** `team_id_winner`, `team_id_br`: whichever key of a team. */
function holdsKeyOf(table: CatalogTable, column: CatalogColumn): boolean {
  const noun = nameOfWords(singular(splitWords(table.name)));
  return KEYS.some((key) => nameOf({ table, column }).includes(`${noun}${key}`));
}

const KEYS = [...KEY_WORDS].filter((word) => word.length > 1);

/** The name of a key of its own with what it is the key of: the code of sets is a set code. */
function ownName(side: Side): string | null {
  const words = splitWords(side.column.name);
  if (words.length !== 1 || !KEY_WORDS.has(words[0]?.toLowerCase() ?? '')) return null;
  return nameOfWords([...singular(splitWords(side.table.name)), ...words]);
}

/** The table that a column refers to, by name; null if none. */
function parentOf({ table, column }: Side): string | null {
  const key = table.foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === column.name);
  return key?.references_table ?? null;
}

/** A second column of what joins two tables: the year beside the team. */
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

/** A name that says of what it is the key: not `id` alone. */
function isKeyName({ table, column }: Side): boolean {
  const words = splitWords(column.name);
  const declared = table.foreign_keys.some(({ columns }) => columns.includes(column.name));
  return declared || (words.length > 1 && withoutKey(words).length < words.length);
}

function nameOf({ column }: Side): string {
  return nameOfWords([column.name]);
}

function nameOfWords(words: readonly string[]): string {
  return words
    .join('')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}
