import { sameRow, sameRows } from '../../contracts/answer-rows.ts';
import type { Cell, Row } from '../../contracts/catalog.ts';
import { isNumber, type Json, numberText } from '../json/lossless.ts';
import {
  type Decimal,
  kindOfDate,
  type Quantity,
  readDate,
  readDecimal,
  readQuantity,
  toNumber,
  wholeOf,
} from './quantities.ts';
import { isRoundingOf, type Question, quantityFits, roundingReach } from './question.ts';
import { AGGREGATES, MISSING, NO, NOT_RECORDED, YES } from './words.ts';

/** An answer as a table. Cells are JSON scalars, spelled as in the answer. */
export interface AnswerTable {
  /** The column names; null if the answer has none. */
  readonly names: readonly string[] | null;
  readonly rows: readonly (readonly Json[])[];
  /** Whether an empty cell is a missing value, as in drawn tables and CSV; in JSON it is an empty text. */
  readonly blankIsMissing?: boolean;
  /** Whether the rows were the fields of an object with keys such as `2024`, whose written order JavaScript loses. */
  readonly hasLostOrder?: boolean;
}

/** The gold rows, and the rows tied with them at a LIMIT, any choice of which is equally right. */
export interface GoldTable {
  readonly rows: readonly Row[];
  readonly orderGroups: readonly number[] | null;
  /** All rows that may appear in a group, by its number in `orderGroups`. */
  readonly tied: ReadonlyMap<number, readonly Row[]>;
  /** For each column, the names by which an answer may call it. */
  readonly names: readonly (readonly string[])[];
}

/**
 * Whether a table contains the gold rows, in its own column order or in the only other order that the column
 * names, or else the value types, allow. Cells compare as documented in docs/scoring.md.
 */
export function holdsGold(gold: GoldTable, table: AnswerTable, question: Question): boolean {
  if (gold.rows.length !== table.rows.length) return false;
  if (gold.rows.length === 0) return true;
  const width = gold.rows[0]?.length ?? 0;
  if (table.rows.some((row) => row.length !== width)) return false;
  const all = [...gold.rows, ...[...gold.tied.values()].flat()];
  const columns = Array.from(
    { length: width },
    (_, i) =>
      new GoldColumn(
        all.map((row) => row[i] ?? null),
        question,
        gold.names[i] ?? [],
      ),
  );
  const given = Array.from({ length: width }, (_, i) => table.rows.map((row) => row[i] ?? null));
  return placements(gold.names, { ...table, columns: given }, columns).some((placement) => {
    const placed = columns.map((column, i) => column.filled(given[placement[i] as number] ?? [], table));
    const cells = columns.map((column, i) => column.read(placed[i]?.cells ?? []));
    const rows = table.rows.map((_, r) => cells.map((column) => column[r] as Cell));
    const canonical = (row: Row): Row =>
      row.map((cell, i) =>
        cell === '' && placed[i]?.blankIsNull ? null : (columns[i] as GoldColumn).canonical(cell),
      );
    const own = gold.rows.map(canonical);
    return (
      sameUpToTies(gold, own, rows, canonical) || (table.hasLostOrder === true && sameRows(own, rows, null))
    );
  });
}

function sameUpToTies(
  { orderGroups, tied }: GoldTable,
  gold: readonly Row[],
  rows: readonly Row[],
  canonical: (row: Row) => Row,
): boolean {
  if (orderGroups === null || tied.size === 0) return sameRows(gold, rows, orderGroups);
  let start = 0;
  while (start < gold.length) {
    const group = orderGroups[start] as number;
    let end = start + 1;
    while (end < gold.length && orderGroups[end] === group) end++;
    const [mine, theirs] = [rows.slice(start, end), gold.slice(start, end)];
    const choices = tied.get(group)?.map(canonical);
    if (choices === undefined ? !sameRows(theirs, mine, null) : !isAmong(mine, choices)) return false;
    start = end;
  }
  return true;
}

/** Whether the rows can be matched to distinct choices. */
function isAmong(rows: readonly Row[], choices: readonly Row[]): boolean {
  const left = [...choices];
  return rows.every((row) => {
    const at = left.findIndex((choice) => sameRow(choice, row));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

const MOMENTS = ['date', 'time'] as const;
type Kind = 'number' | (typeof MOMENTS)[number] | 'text' | 'mixed' | 'null';

function isMoment(kind: Kind): boolean {
  return kind === 'date' || kind === 'time';
}

/** The values of one gold column, and the spellings an answer may use for them. */
export class GoldColumn {
  readonly kind: Kind;
  readonly #question: Question;
  readonly hasNull: boolean;
  readonly #texts: ReadonlySet<string>;
  /** Values whose case does not matter, by their lower-case form. */
  readonly #words: ReadonlyMap<string, string>;
  readonly #names: ReadonlySet<string>;
  readonly #isFlag: boolean;
  readonly #hasNumerals: boolean;
  /** Whether all values are numbers with a currency or percent sign. */
  readonly #areQuantities: boolean;
  /** Whether all values are numbers with a decimal comma. */
  readonly #haveCommas: boolean;
  /** Numbers that an answer may round, ascending, each with one that the answer cannot distinguish from it. */
  readonly #numbers: ReadonlySet<number>;
  readonly #reals: readonly number[];
  readonly #same: number[];

  constructor(cells: readonly Cell[], question: Question, names: readonly string[]) {
    this.#question = question;
    this.#names = new Set(names.flatMap((name) => [name.toLowerCase(), ...wordsOfName(name)]));
    const values = cells.filter((cell) => cell !== null);
    const texts = values.filter((cell) => typeof cell === 'string').map(clean);
    this.hasNull = values.length < cells.length;
    this.#texts = new Set(texts);
    this.#words = wordsAmong(this.#texts, question);
    this.kind =
      values.length === 0
        ? 'null'
        : texts.length === 0
          ? 'number'
          : texts.length < values.length
            ? 'mixed'
            : (MOMENTS.find((kind) => texts.every((text) => kindOfDate(text) === kind)) ?? 'text');
    const numbers = values.filter((cell) => typeof cell === 'number');
    // If the SQL rounds unasked, its whole numbers are rounded as well. Among reals, 123 is a real, which 123.0 rounds.
    const areReals = question.unasked !== null || numbers.some((value) => !Number.isInteger(value));
    const reals = areReals ? numbers : [];
    this.#isFlag =
      question.isYesNo && values.every((cell) => cell === 0 || cell === 1 || truthOf(cell) !== null);
    this.#hasNumerals = texts.some((text) => readDecimal(text) !== null);
    this.#areQuantities = this.kind === 'text' && texts.every((text) => quantityText(text) !== text);
    this.#haveCommas = this.kind === 'text' && haveDecimalCommas(texts);
    this.#numbers = new Set(numbers);
    this.#reals = [...new Set(reals)].sort((a, b) => a - b);
    this.#same = this.#reals.map((_, i) => i);
  }

  /**
   * The cells with NULL for blanks, where the table writes missing values so: an empty text is a blank as well, but
   * not in a table that has both blanks and words such as `NULL`.
   */
  filled(cells: readonly Json[], { blankIsMissing = false }: Pick<AnswerTable, 'blankIsMissing'>) {
    const isWord = (cell: Json) => typeof cell === 'string' && MISSING.test(cell.trim());
    const blankIsNull = blankIsMissing && this.hasNull && !(this.#texts.has('') && cells.some(isWord));
    return { cells: blankIsNull ? cells.map((cell) => (cell === '' ? null : cell)) : cells, blankIsNull };
  }

  /** The gold value in the form that `read` returns for equal values. */
  canonical(cell: Cell): Cell {
    if (typeof cell === 'string') {
      const text = clean(cell);
      // Among numbers, `1` reads like 1.
      if (this.kind === 'mixed' && /\d/.test(text) && String(Number(text)) === text)
        return this.canonical(Number(text));
      if (this.#isFlag) return truthOf(text) === true ? 'yes' : 'no';
      return isMoment(this.kind)
        ? (readDate(text) ?? text)
        : this.#areQuantities
          ? quantityText(text)
          : this.#haveCommas
            ? (plainNumber(text) ?? text)
            : text;
    }
    if (typeof cell !== 'number') return cell;
    const at = firstFrom(this.#reals, cell);
    return this.#reals[at] === cell ? (this.#reals[this.#rootOf(at)] as number) : cell;
  }

  /** Reads a column of an answer as values of this column. A cell that does not fit stays a text. */
  read(cells: readonly Json[]): Cell[] {
    const read = cells.map((cell) => this.#readCell(cell));
    // A later cell may show that the numbers of earlier ones cannot be distinguished from others.
    return read.map((cell) => (typeof cell === 'number' ? this.canonical(cell) : cell));
  }

  /** Whether every cell of an answer's column has this column's type. */
  takes(cells: readonly Json[]): boolean {
    return cells.every((given) => {
      const cell = this.#readCell(given);
      if (cell === null) return this.hasNull;
      if (this.kind === 'number') return typeof cell !== 'string';
      if (typeof cell !== 'string' || this.kind === 'null') return this.kind === 'mixed';
      if (isMoment(this.kind)) return kindOfDate(cell) === this.kind;
      if (this.kind === 'mixed') return true;
      if (this.#haveCommas) return readDecimal(cell) !== null;
      return !isNumber(given) && (this.#hasNumerals || readDecimal(cell) === null);
    });
  }

  #readCell(given: Json): Cell {
    if (given === null) return null;
    if (typeof given === 'boolean' || typeof given === 'string') {
      const truth = typeof given === 'boolean' ? given : truthOf(given);
      if (this.#isFlag && truth !== null) {
        return this.kind === 'text' ? (truth ? 'yes' : 'no') : truth ? 1 : 0;
      }
      if (typeof given === 'boolean') return String(given);
    }
    if (!isNumber(given) && typeof given !== 'string') return JSON.stringify(given);
    const text = isNumber(given) ? numberText(given) : clean(given);
    if (this.#texts.has(text) && !(isNumber(given) && this.kind === 'mixed')) return this.canonical(text);
    if (this.hasNull && !isNumber(given) && isMissing(text)) return null;
    if (isMoment(this.kind)) return this.hasNull && NEVER.test(text) ? null : (readDate(text) ?? text);
    if (this.#areQuantities) return quantityText(text);
    if (this.#haveCommas) return plainNumber(text) ?? text;
    if (this.kind !== 'number' && this.kind !== 'mixed')
      return this.#words.get(text.toLowerCase()) ?? this.#withoutUnit(text);
    const decimal = isNumber(given) ? readDecimal(text) : this.#numbered(text);
    const quantity: Quantity | null =
      decimal === null ? readQuantity(text) : { ...decimal, isPercent: false, currency: null, unit: null };
    if (quantity === null) return text;
    const cells = quantityFits(quantity, this.#question, true).map((value) => this.#snap(value));
    return cells.find((cell) => this.#holds(cell)) ?? cells[0] ?? text;
  }

  /** `110/20 kV` is `110/20` if the column's name includes `kV`. */
  #withoutUnit(text: string): string {
    const [, value = '', unit = ''] = /^(.*\d)\s?(\p{L}{1,12})$/su.exec(text) ?? [];
    return this.#names.has(unit.toLowerCase()) && this.#texts.has(value) ? value : text;
  }

  /** `Q2` of quarters and `Week 7` of weeks is the number behind the word. */
  #numbered(text: string): Decimal | null {
    const [, word = '', digits = ''] = /^(\p{L}+)\s?(\d{1,4})$/u.exec(text.toLowerCase()) ?? [];
    const isKnown = word === 'q' ? this.#question.words.has('quarter') : this.#names.has(word);
    return isKnown && !AGGREGATES.has(word) ? readDecimal(digits) : null;
  }

  #holds(cell: Cell): boolean {
    return typeof cell === 'number' && this.#numbers.has(cell);
  }

  /** The number as a cell; if it rounds a gold number, that number. */
  #snap(value: Decimal): Cell {
    const [number, reach] = [toNumber(value), roundingReach(value, this.#question)];
    let found: number | null = null;
    for (let i = firstFrom(this.#reals, number - reach); i < this.#reals.length; i++) {
      const real = this.#reals[i] as number;
      if (real > number + reach) break;
      if (!isRoundingOf(real, value, this.#question)) continue;
      if (found === null) found = this.#rootOf(i);
      else this.#same[this.#rootOf(i)] = found;
    }
    return found === null ? asCell(value) : (this.#reals[found] as number);
  }

  #rootOf(at: number): number {
    let root = at;
    while (this.#same[root] !== root) root = this.#same[root] as number;
    return root;
  }
}

/** Normalizes differences that readers cannot see: Unicode composition, kinds of blanks, and surrounding blanks. */
export function clean(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[\u2010\u2011]/g, '-')
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[\u00a0\u202f](?!\d)|(?<!\d)[\u00a0\u202f]/g, ' ')
    .trim()
    .replace(/^–(?=\d)/, '-');
}

/**
 * Texts of letters and blanks whose case does not matter (`Female`, `female`), by their lower-case form.
 * Codes (`HBC`), names with signs, and texts that differ only in case compare exactly.
 */
export function wordsAmong(
  texts: Iterable<string>,
  { text: question }: Question,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (/\b(?:spell\w*|capital|upper|lower|case[- ]sensitive)\b/i.test(question)) return found;
  const several = new Set<string>();
  for (const text of texts) {
    const small = text.toLowerCase();
    if (!/^[\p{L} ]{3,}$/u.test(text) || /^\p{Lu}{3,5}$/u.test(text)) continue;
    if (found.has(small)) several.add(small);
    found.set(small, text);
  }
  for (const small of several) found.delete(small);
  return found;
}

/** `14.82 EUR` for a number with a currency or percent sign in any spelling; other texts unchanged. */
export function quantityText(text: string): string {
  const quantity = readQuantity(text);
  if (quantity === null || (quantity.currency === null && !quantity.isPercent) || quantity.unit !== null)
    return text;
  return `${toNumber(quantity)} ${quantity.currency ?? ''}${quantity.isPercent ? '%' : ''}`;
}

function isMissing(text: string): boolean {
  return MISSING.test(text) || (text !== '' && text.replace(NOT_RECORDED, '') === '');
}

/** In a column of dates: has not happened. */
const NEVER = /^(?:never|not yet(?: \p{L}+)?|present|ongoing)$/iu;

/** Whether a text is a code, such as `R0739`: one word with digits. */
export function isCode(text: string): boolean {
  return /^\p{L}*(?:[^\s\d]*\d)+[^\s\d]*$/u.test(text);
}

/** Whether all texts have a decimal comma, such as `4,3`; `4,300` is ambiguous. */
function haveDecimalCommas(texts: readonly string[]): boolean {
  return texts.length > 0 && texts.every((text) => /^-?\d+,\d+$/.test(text) && !/,\d{3}$/.test(text));
}

/** The number in plain notation, without its unit; null for any other text. */
function plainNumber(text: string): string | null {
  const quantity = readQuantity(text);
  return quantity === null || quantity.isPercent ? null : String(toNumber(quantity));
}

/** The answer that a word gives to a yes/no question; null for other words. */
export function truthOf(word: Json): boolean | null {
  if (typeof word !== 'string') return null;
  const text = word.trim().toLowerCase();
  return YES.has(text) ? true : NO.has(text) ? false : null;
}

/** Index of the first number in an ascending list that is not smaller. */
function firstFrom(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A bigint if a double cannot represent the integer. */
function asCell(value: Decimal): number | bigint {
  const whole = wholeOf(value);
  if (whole === null) return toNumber(value);
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
}

/** Possible positions of the gold columns in the answer: for each placement, the index of every gold column. */
function placements(
  goldNames: readonly (readonly string[])[],
  { names, blankIsMissing, columns: given }: Omit<AnswerTable, 'rows'> & { readonly columns: Json[][] },
  columns: readonly GoldColumn[],
): number[][] {
  const width = columns.length;
  const takes = (i: number, j: number) => {
    const column = columns[i] as GoldColumn;
    return column.takes(column.filled(given[j] ?? [], { blankIsMissing }).cells);
  };
  const named = names === null ? new Map<number, number>() : matchNames(goldNames, names, takes);
  const left = indexes(width).filter((i) => !named.has(i));
  const taken = new Set(named.values());
  const free = indexes(width).filter((i) => !taken.has(i));
  const inOrder = indexes(width).map((i) => named.get(i) ?? (free[left.indexOf(i)] as number));
  const byType = onlyMatching(left.map((i) => free.map((j) => takes(i, j))));
  if (byType === null) return [inOrder];
  const placed = indexes(width).map(
    (i) => named.get(i) ?? (free[byType[left.indexOf(i)] as number] as number),
  );
  return [inOrder, placed];
}

/** Where the names are letter by letter those of the gold SQL, or those that were served: they may read alike. */
function inFull(goldNames: readonly (readonly string[])[], names: readonly string[]): Map<number, number> {
  const places = [0, 1].flatMap((kind) => {
    const found = goldNames.map((each) => names.indexOf(each[kind] ?? ''));
    return found.includes(-1) || new Set(found).size < names.length ? [] : [found];
  });
  const [found = [], other = found] = places;
  return new Map(found.every((j, i) => j === other[i]) ? found.entries() : []);
}

/** Matches gold columns to column names of the answer, one to one. */
function matchNames(
  goldNames: readonly (readonly string[])[],
  names: readonly string[],
  fits: (gold: number, given: number) => boolean,
): Map<number, number> {
  const found = inFull(goldNames, names);
  const pass = (matches: (gold: string, name: string) => boolean, isWeak = false) => {
    const taken = new Set(found.values());
    const pairs = goldNames.flatMap((gold, i) =>
      found.has(i)
        ? []
        : names.flatMap((name, j) =>
            !taken.has(j) && gold.some((each) => matches(each, name)) && (!isWeak || fits(i, j))
              ? [[i, j] as const]
              : [],
          ),
    );
    for (const [i, j] of pairs) {
      const isOnly = pairs.every(([a, b]) => (a === i) === (b === j));
      if (isOnly) found.set(i, j);
    }
  };
  pass((gold, name) => gold.trim().toLowerCase() === name.trim().toLowerCase());
  pass((gold, name) => sameName(gold, name));
  // `total_visits` matches `visits` if no other column has that name, and `highest` matches `max_price`.
  pass((gold, name) => {
    const [own, given] = [meaningOfName(gold), meaningOfName(name)];
    return isWithin(own, given) || isWithin(given, own);
  }, true);
  return found;
}

/** Whether two column names differ only in spelling: case, blanks, quotes, a table prefix. */
export function sameName(a: string, b: string): boolean {
  const [first, second] = [wordsOfName(a), wordsOfName(b)];
  return first.length > 0 && first.join(' ') === second.join(' ');
}

function wordsOfName(name: string): string[] {
  const last = /\(/.test(name) ? name : name.replace(/^.*\.(?=[^.]+$)/, '');
  return (
    last
      .normalize('NFC')
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function meaningOfName(name: string): string[] {
  return wordsOfName(name).map((word) => AGGREGATE_OF.get(word) ?? word);
}

const AGGREGATE_OF = new Map(
  [...AGGREGATES].flatMap(([name, words]) => words.map((word) => [word, name] as const)),
);

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.length > 0 && some.every((word) => all.includes(word));
}

/** The only perfect matching of rows to columns in a table of possible pairs; null if none or several exist. */
export function onlyMatching(possible: readonly (readonly boolean[])[]): number[] | null {
  const matching = findMatching(possible);
  if (matching === null || possible.length > MOST_COLUMNS) return null;
  const isOnly = matching.every(
    (taken, i) =>
      findMatching(possible.map((row, r) => (r === i ? row.map((can, c) => can && c !== taken) : row))) ===
      null,
  );
  return isOnly ? matching : null;
}

const MOST_COLUMNS = 40;

function findMatching(possible: readonly (readonly boolean[])[]): number[] | null {
  const rowOf = new Map<number, number>();
  const place = (row: number, seen: Set<number>): boolean => {
    for (const [column, can] of (possible[row] as readonly boolean[]).entries()) {
      if (!can || seen.has(column)) continue;
      seen.add(column);
      const before = rowOf.get(column);
      if (before === undefined || place(before, seen)) {
        rowOf.set(column, row);
        return true;
      }
    }
    return false;
  };
  for (const row of indexes(possible.length)) if (!place(row, new Set())) return null;
  const matching: number[] = [];
  for (const [column, row] of rowOf) matching[row] = column;
  return matching;
}

function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
