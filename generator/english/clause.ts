import type { CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import type { ColumnWords } from '../../contracts/words.ts';
import type { SourceId } from '../../sql/index.ts';
import type { Choice } from '../template/choices.ts';
import { listed, withoutStart } from './words.ts';

/**
 * The meaning of a query, without SQL and sentences: the clauses from which names, summaries, descriptions and
 * parameters are rendered. Every node is data and independent of the style.
 */

/** Words in order, in the case of prose (`ID`, `SAT`). */
export type Words = readonly string[];

/** The noun for rows: a film, an eye colour, a pair of visit and loan. */
export interface Thing {
  readonly one: Words;
  readonly many: Words;
  /** The noun in a sentence, if it differs from an identifier: a pair of visit and loan. */
  readonly text?: { readonly one: string; readonly many: string };
  /** For a role, the noun of what refers to it: the owner of a post. */
  readonly roleIn?: string;
}

/** The scale of values in an order: dates are early and late, numbers high and low. */
export type Scale = 'number' | 'date' | 'month' | 'year' | 'text' | 'count';

// ------------------------------------------------------------------------------------------------ terms

/** A value: of a row, of a group, of all rows, given by the user or fixed. */
export type Term =
  | Property
  | Count
  | Summary
  | Share
  | Ratio
  | Change
  | PerOwner
  | Arithmetic
  | DatePart
  | Moved
  | Duration
  | Age
  | Constant
  | Given
  | Check
  | OneOf
  | Derived
  | Piece
  | Fallback
  | JoinedText
  | WindowTerm
  | QueryValue
  | Tuple;

/** A column. */
export interface Property {
  readonly kind: 'property';
  /** The words without and with the owner: type, film type. */
  readonly own: Wording;
  readonly full: Wording;
  /** The thing, or its role, that has the column: film, director. Null for a column of no table. */
  readonly owner: Thing | null;
  /** The noun for the table's own rows, if these are the owner's with more columns. */
  readonly part: Thing | null;
  /** Whether it is clear without its owner. */
  readonly clear: boolean;
  /** Whether the owner is a role, which must be named: director. */
  readonly inRole: boolean;
  /** The things in the query that each refer to one owner: a visit to its clinic. */
  readonly referring: readonly Thing[];
  /** The things that have rows of the owner: by its references, also of what these refer to, or by a link table. */
  readonly holders: readonly Thing[];
  /** The things that the query ties to the owner by another between them: for a loan, transactions by their account. */
  readonly ways: readonly Way[];
  readonly scale: Scale;
  readonly base: Base | null;
}

/** How a thing is tied to the owner of a column: by `via`, to which it refers or which refers to it. */
export interface Way {
  readonly from: Thing;
  readonly via: Thing;
  readonly refers: boolean;
}

/** The same thing in an identifier and in a sentence. */
export interface Wording {
  readonly words: Words;
  readonly text: string;
}

/** A base column and the source it is read through. */
export interface Base {
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
  readonly source: SourceId;
}

/** A value without which a row does not count; `always` if every row of the data has it. */
export interface Known {
  readonly of: Term;
  readonly always: boolean;
}

/** The number of films, of different countries, of clients that have invoices. */
export interface Count {
  readonly kind: 'count';
  /** Rows, or the values of a term (then they are different ones). */
  readonly of: Thing | Term;
  readonly distinct: boolean;
  readonly known: Known | null;
  readonly where: Condition | null;
  /** Rows that refer to those counted, with the conditions of their join. */
  readonly having: { readonly thing: Thing; readonly where: readonly Condition[] } | null;
}

/** The average height; the joined list of titles. */
export interface Summary {
  readonly kind: 'summary';
  readonly name: 'average' | 'total' | 'highest' | 'lowest' | 'list' | 'other';
  /** The function's own name where `name` is other. */
  readonly call: string;
  readonly of: Term;
  readonly distinct: boolean;
  readonly where: Condition | null;
  /** True for an average over all rows, in which a missing value counts as 0. */
  readonly zeros: boolean;
  /** For an average that is a sum divided by a count: the counted value. */
  readonly known: Known | null;
  /** The order in which a list is joined. */
  readonly order: Term | null;
  /** Whether `where` is what the rows of a group meet. */
  readonly such?: boolean;
}

/** The part of all rows (or of a total) that meets a condition. */
export interface Share {
  readonly kind: 'share';
  readonly of: Thing | Term;
  readonly where: Condition | null;
  readonly percent: boolean;
  readonly distinct: boolean;
  /** Only rows that have this value meet the condition. */
  readonly met: Known | null;
  /** Only rows that have this value count as all. */
  readonly known: Known | null;
}

export interface Ratio {
  readonly kind: 'ratio';
  readonly top: Term;
  readonly bottom: Term;
  readonly percent: boolean;
}

/** `(to - from) / from`; with `loss`, `(from - to) / from`. */
export interface Change {
  readonly kind: 'change';
  readonly from: Term;
  readonly to: Term;
  readonly loss: boolean;
  readonly percent: boolean;
}

/** A total for each owner: total height per superhero. */
export interface PerOwner {
  readonly kind: 'per_owner';
  readonly of: Term;
  readonly owner: Thing;
  /** True where it is an average of counts. */
  readonly average: boolean;
}

export interface Arithmetic {
  readonly kind: 'arithmetic';
  readonly op: '+' | '-' | '*' | '/' | '%';
  readonly items: readonly Term[];
  /** True for a division of integers, which drops the remainder. */
  readonly whole: boolean;
  /** The multiple that a number is rounded down to: 10 for a decade. */
  readonly step: number | null;
}

/** The year of a date, the quarter of a month. */
export interface DatePart {
  readonly kind: 'date_part';
  readonly part: string;
  readonly of: Term;
}

/** A moment moved: plus 7 days, start of the month. */
export interface Moved {
  readonly kind: 'moved';
  readonly of: Term;
  readonly shifts: readonly Shift[];
}

export type Shift =
  | { readonly kind: 'by'; readonly sign: 'plus' | 'minus'; readonly count: string; readonly unit: string }
  | { readonly kind: 'start'; readonly unit: string }
  | { readonly kind: 'weekday'; readonly day: number }
  | { readonly kind: 'term'; readonly by: Term };

/** Days from one moment to another. */
export interface Duration {
  readonly kind: 'duration';
  readonly unit: string;
  readonly from: Term;
  readonly to: Term;
  /** True where only years that are over count. */
  readonly full: boolean;
}

/** Years since birth, up to a moment. */
export interface Age {
  readonly kind: 'age';
  readonly of: Term;
  readonly on: Term;
  /** Only full years, the difference of two calendar years, or a number of days divided. */
  readonly years: 'full' | 'calendar' | 'exact' | 'whole';
}

/** A value fixed by the query. The text is null if it must not be shown. */
export interface Constant {
  readonly kind: 'constant';
  readonly text: string | null;
  readonly type: 'number' | 'text' | 'time' | 'null';
}

/** A value that the user chooses. */
export interface Given {
  readonly kind: 'given';
  readonly choice: Choice;
  readonly shifts: readonly Shift[];
}

/** Whether a condition holds, as a value. */
export interface Check {
  readonly kind: 'check';
  readonly condition: Condition;
}

/** A value chosen by conditions. */
export interface OneOf {
  readonly kind: 'one_of';
  readonly cases: readonly { readonly when: Condition; readonly result: Term }[];
  readonly otherwise: Term | null;
  /** The term that all conditions compare with constants, if there is one. */
  readonly by: Term | null;
}

/** The result of a function: length of title, absolute difference. */
export interface Derived {
  readonly kind: 'derived';
  /** `before`: absolute difference; `of`: length of title; `after`: lap time in seconds. */
  readonly word: string;
  readonly place: 'before' | 'of' | 'after';
  readonly of: Term;
  readonly more: readonly Term[];
}

/** Characters 7 to 8 of a text, or so many before or after another; null ends are open. */
export interface Piece {
  readonly kind: 'piece';
  readonly of: Term;
  readonly from: number | null;
  readonly count: number | null;
  /** Start and length, if these are computed for each row and there is no mark. */
  readonly computed: { readonly from: Term; readonly count: Term | null } | null;
  readonly mark: { readonly side: 'before' | 'after'; readonly text: Term } | null;
}

/** The first that is known, or for `max` and `min` of several values the greatest or least. */
export interface Fallback {
  readonly kind: 'fallback';
  readonly how: 'known' | 'greatest' | 'least' | 'unless';
  readonly items: readonly Term[];
}

/** Texts written one after the other; `person` for a first and a last name. */
export interface JoinedText {
  readonly kind: 'joined_text';
  readonly items: readonly Term[];
  readonly person: Wording | null;
}

export interface WindowTerm {
  readonly kind: 'window';
  /** rank, row number; or null where `of` is carried over rows. */
  readonly rank: string | null;
  readonly place: string | null;
  readonly of: Term | null;
  readonly reach: 'all' | 'running' | 'moving';
  readonly frame: string | null;
  readonly within: readonly Term[];
  readonly order: readonly Sort[];
}

/** The one value of another query. */
export interface QueryValue {
  readonly kind: 'query';
  readonly query: Clauses;
}

export interface Tuple {
  readonly kind: 'tuple';
  readonly items: readonly Term[];
}

// ------------------------------------------------------------------------------------------- conditions

export type Relation = 'equal' | 'not_equal' | 'above' | 'at_least' | 'below' | 'at_most';

export type Condition =
  | { readonly kind: 'all' | 'any'; readonly items: readonly Condition[] }
  | { readonly kind: 'not'; readonly item: Condition }
  | { readonly kind: 'compare'; readonly of: Term; readonly relation: Relation; readonly to: Term }
  | {
      readonly kind: 'range';
      readonly of: Term;
      readonly low: Term;
      readonly high: Term;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'match';
      readonly of: Term;
      readonly how: 'contains' | 'starts_with' | 'ends_with' | 'like' | 'pattern' | 'glob';
      readonly to: Term;
      /** The escape character of a pattern, or null. */
      readonly sign: Term | null;
      readonly negated: boolean;
    }
  | { readonly kind: 'among'; readonly of: Term; readonly values: readonly Term[]; readonly negated: boolean }
  | { readonly kind: 'known'; readonly of: Term; readonly negated: boolean }
  /** There is a row of another table that belongs to this one; `are` if it is this one with more columns. */
  | {
      readonly kind: 'exists';
      readonly thing: Thing;
      readonly are: boolean;
      readonly query: Clauses | null;
      /** Whether the other rows belong to this one by reference; else the query is rendered as it is. */
      readonly related: boolean;
      /** What this row does to the other ones, if the vocabulary has it: owns. */
      readonly verb: string | null;
      readonly negated: boolean;
    }
  | { readonly kind: 'member'; readonly of: Term; readonly query: Clauses; readonly negated: boolean }
  /** Equal to the highest or lowest value. */
  | {
      readonly kind: 'extreme';
      readonly of: Term;
      readonly highest: boolean;
      /** The rows compared: null for these, else those of a query. */
      readonly among: Clauses | null;
    }
  /** The row that ranks first in a query, or rows that refer to it. */
  | {
      readonly kind: 'first';
      readonly of: Term;
      readonly query: Clauses;
      /** Whether these rows rank first themselves. */
      readonly itself: boolean;
      /** Whether these rows refer to the first one by a key. */
      readonly tied: boolean;
    }
  | { readonly kind: 'constant'; readonly holds: boolean }
  | { readonly kind: 'true'; readonly of: Term };

// -------------------------------------------------------------------------------------------- the query

export type Clauses = ListClauses | CombinedClauses | FixedClauses;

/** A part of a query's result: one column, or the several names of one person. */
export interface Shown {
  readonly term: Term;
  /** The noun of the table it is read from; null for several or none. */
  readonly owner: Thing | null;
  /** A `label` names a row to people; a `key` only identifies it. */
  readonly role: 'label' | 'key' | 'other';
  /** The thing that a label names: the studio, the director. */
  readonly stands: Thing | null;
  /** Number of result columns. */
  readonly columns: readonly number[];
}

export interface Sort {
  readonly of: Term;
  readonly direction: 'asc' | 'desc';
}

/** The rows that LIMIT and OFFSET leave. Rows may be given by the user; a number is null if it is computed. */
export interface Limit {
  readonly rows: number | Given | null;
  readonly skipped: number | null;
  readonly computed?: { readonly rows: Term | null; readonly skipped: Term | null };
}

export interface ListClauses {
  readonly kind: 'list';
  /** The noun for the rows; null for values of no table. */
  readonly subject: Thing | null;
  readonly shown: readonly Shown[];
  /** One per result column. */
  readonly columns: readonly Term[];
  /** Rows, groups of rows, or numbers about all rows together. */
  readonly about: 'rows' | 'groups' | 'all';
  readonly distinct: boolean;
  /** The groups, if rows are grouped. */
  readonly groups: Groups | null;
  readonly conditions: readonly Condition[];
  /** The owners of a subquery's rows, by reference: of the studio. */
  readonly whose: readonly Thing[];
  /** Queries that are read like tables. */
  readonly read: readonly Clauses[];
  /** Missing partners that outer joins tolerate: there is no studio, no studio where …. */
  readonly padded: readonly { readonly thing: Thing; readonly where: readonly Condition[] }[];
  readonly order: readonly Sort[];
  readonly limit: Limit | null;
  /** The meaning of each row: a film, a pair of visit and loan; empty if it is obvious. */
  readonly grain: readonly Thing[];
  /** The rows over which values of other things are totalled and averaged: examinations. */
  readonly over: Thing | null;
  /** Tables without a join, whose rows are all combined: every person with every card. */
  readonly crossed: readonly Thing[];
  /** All tables that the query reads. */
  readonly tables: readonly string[];
}

export interface Groups {
  /** All keys, as written. */
  readonly keys: readonly Term[];
  /** Result columns that identify the groups, and keys that no result column shows. */
  readonly shownKeys: readonly Shown[];
  readonly unshown: readonly (Thing | Term)[];
  /** Result columns that come from some row of the group. */
  readonly companions: readonly Shown[];
}

export interface CombinedClauses {
  readonly kind: 'combined';
  readonly op: 'union' | 'union_all' | 'intersect' | 'except';
  /** Whether the second query reads the result repeatedly. */
  readonly recursive: boolean;
  readonly left: Clauses;
  readonly right: Clauses;
  readonly order: readonly Sort[];
  readonly limit: Limit | null;
  readonly tables: readonly string[];
}

/** Rows written in the query itself: VALUES. */
export interface FixedClauses {
  readonly kind: 'fixed';
  readonly columns: readonly Term[];
  readonly tables: readonly string[];
}

/** The noun for rows that combine one of each of several things; null for fewer than two. */
export function combinationOf(things: readonly Thing[]): Thing | null {
  if (things.length < 2) return null;
  const [one, many] = things.length === 2 ? ['pair', 'pairs'] : ['combination', 'combinations'];
  const different = things.filter(
    (thing, i) => things.findIndex((other) => other.one.join() === thing.one.join()) === i,
  );
  const words = different.flatMap((thing) => thing.one);
  const text = listed(different.map((thing) => (different.length === 1 ? thing.many : thing.one).join(' ')));
  return {
    one: [...words, one],
    many: [...words, many],
    text: { one: `${one} of ${text}`, many: `${many} of ${text}` },
  };
}

export function sameThing(a: Thing | null, b: Thing | null): boolean {
  return a !== null && b !== null && a.one.join(' ') === b.one.join(' ');
}

/** The plural in a sentence. */
export function manyOf({ many, text }: Thing): string {
  return text?.many ?? many.join(' ');
}

/** The singular in a sentence. */
export function oneOf({ one, many, text }: Thing): string {
  return (
    text?.one ??
    (many.at(-1) === 'records' && one.at(-1) !== 'record' ? `${one.join(' ')} record` : one.join(' '))
  );
}

/** What rows refer to, by way of what has the role: the owner of the post of a comment is not the comment's. */
export function ownerText(owner: Thing, subject: Thing | null, many = false): string {
  const { roleIn } = owner;
  const via = roleIn === undefined || roleIn === subject?.one.join(' ') ? '' : `${roleIn}'s `;
  return `${via}${many ? manyOf(owner) : oneOf(owner)}`;
}

/** The vocabulary's words for a column, and those that any age, birth or weight has; none for other terms. */
export function wordsFor(term: Term): ColumnWords {
  if (term.kind !== 'property' || term.base === null) return {};
  const { own, owner, scale, base } = term;
  const [text = '', unit] = withoutStart(own.text, owner?.one.join(' ') ?? '')
    .toLowerCase()
    .split(' in ');
  const { highest, lowest, ...compared } = MEASURED[text] ?? {};
  const common =
    scale === 'number' && QUANTITY.test(text)
      ? { ...(unit === undefined ? { quantity: text, ...compared } : {}), highest, lowest }
      : scale === 'date' && BIRTH.test(text)
        ? { highest: 'youngest', lowest: 'oldest' }
        : {};
  return { ...common, ...base.column.words };
}

const LONG: ColumnWords = {
  highest: 'longest',
  lowest: 'shortest',
  above: 'longer than',
  below: 'shorter than',
};

const MEASURED: Readonly<Record<string, ColumnWords>> = {
  age: { highest: 'oldest', lowest: 'youngest', above: 'older than', below: 'younger than' },
  weight: {
    highest: 'heaviest',
    lowest: 'lightest',
    above: 'heavier than',
    below: 'lighter than',
  },
  price: { highest: 'most expensive', lowest: 'cheapest' },
  length: LONG,
  duration: LONG,
};

const BIRTH = /^(birth ?dates?|birthday|date of birth|dob)$/;

/** Quantities that a row itself is above or below: payments above a given amount. */
export const QUANTITY =
  /^(amount|price|age|weight|height|altitude|depth|temperature|distance|size|length|duration)$/;

/** Whether a column refers to a row of another table or of its own. */
export function isReferring({ table, column }: Pick<Base, 'table' | 'column'>): boolean {
  return table.foreign_keys.some(({ columns }) => columns.length === 1 && columns[0] === column.name);
}

/** Whether a term is such a column. */
export function isReference(of: Term): boolean {
  return of.kind === 'property' && of.base !== null && isReferring(of.base);
}

type Node = Record<string, unknown>;

/** Visits every node of a tree of clauses, except choices and catalog entries. */
export function visitNodes(tree: unknown, see: (node: Node) => void): void {
  if (typeof tree !== 'object' || tree === null) return;
  if (!Array.isArray(tree)) see(tree as Node);
  for (const [key, part] of Object.entries(tree)) {
    if (key !== 'choice' && key !== 'base') visitNodes(part, see);
  }
}

/** The columns in a term. */
export function columnsWithin(term: Term): readonly Property[] {
  const found: Property[] = [];
  visitNodes(term, (node) => {
    if (node.kind === 'property') found.push(node as unknown as Property);
  });
  return found;
}

/** The choices in a part of a query, as often as they occur. */
export function choicesWithin(tree: unknown): readonly Choice[] {
  const found: Choice[] = [];
  visitNodes(tree, (node) => {
    if (node.kind === 'given') found.push(node.choice as Choice);
  });
  return found;
}

/** Whether two terms are the same value of the same rows. */
export function sameTerm(a: Term, b: Term): boolean {
  if (a.kind === 'property' && b.kind === 'property') {
    const [one, other] = [a.base, b.base];
    return one?.source === other?.source && one?.column === other?.column && a.own.text === b.own.text;
  }
  return a.kind === b.kind && signature(a) === signature(b);
}

/** A node as text, equal for equal nodes; choices by their identity. */
export function signature(node: unknown): string {
  const seen: unknown[] = [];
  return JSON.stringify(node, (key, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    if (key === 'base' && typeof value === 'object' && value !== null && 'column' in value) {
      const { table, column, source } = value as {
        table: CatalogTable;
        column: { name: string };
        source: string;
      };
      return [table.name, column.name, source];
    }
    if (key !== 'choice') return value;
    if (!seen.includes(value)) seen.push(value);
    return seen.indexOf(value);
  });
}
