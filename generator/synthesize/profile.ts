import type Database from 'better-sqlite3';
import type { Catalog, CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { isCompactDate, isEpoch } from '../english/column-text.ts';
import { COMMON_WORDS, isPerson, lowerWords, singular } from '../english/words.ts';

/** Enough for useful literals, quick on a file of any size. */
const SAMPLED_ROWS = 20_000;
const COMMON_VALUES = 12;

export type Value = string | number | bigint;

export interface ProfiledColumn {
  readonly table: string;
  readonly column: CatalogColumn;
  readonly kind: ColumnKind;
  /** For a numeric column. */
  readonly use: NumberUse | null;
  /** Frequent values of a category with their share of the rows, most frequent first. */
  readonly common: readonly { readonly value: Value; readonly share: number }[];
  /** Values at even steps through the sorted sample, of numbers, years and dates. */
  readonly steps: readonly Value[];
  readonly nulls: number;
}

export interface ProfiledTable {
  readonly table: CatalogTable;
  readonly columns: readonly ProfiledColumn[];
  /** The column that names its rows to people. */
  readonly label: ProfiledColumn | null;
  /** A single column that identifies its rows. */
  readonly key: string | null;
}

export interface Profile {
  readonly tables: readonly ProfiledTable[];
  readonly references: readonly Reference[];
  /** Columns not asked about, with the reason. */
  readonly leftOut: readonly { readonly table: string; readonly column: string; readonly reason: string }[];
}

/** Profiles a sample of every table. Throws SqliteError. */
export function profileDatabase(catalog: Catalog, connection: Database.Database): Profile {
  const leftOut: { table: string; column: string; reason: string }[] = [];
  const references = inferReferences(catalog, connection);
  const tables = catalog.tables
    .filter(({ view, rows }) => !view && rows > 0)
    .map((table): ProfiledTable => {
      const columns = table.columns.map((column) => {
        const seen = readSample(connection, table.name, column.name);
        const isReference = references.some(
          ({ from }) => from.table === table.name && from.column === column.name,
        );
        const { kind, reason } = isReference
          ? { kind: 'key' as const, reason: undefined }
          : holdsKeys(connection, table, column, catalog)
            ? { kind: 'unclear' as const, reason: 'holds keys of another table' }
            : kindOf(table, column, seen);
        if (reason !== undefined) leftOut.push({ table: table.name, column: column.name, reason });
        return profileColumn(table, column, kind, seen);
      });
      const usable = columns.filter(({ kind }) => kind !== 'unclear');
      return { table, columns: usable, label: labelOf(table, usable), key: keyOf(table) };
    });
  return { tables, references, leftOut };
}

interface Sample {
  readonly values: readonly Value[];
  readonly counts: ReadonlyMap<Value, number>;
  readonly rows: number;
}

function readSample(connection: Database.Database, table: string, column: string): Sample {
  const name = quoteIdentifier(column);
  const statement = connection.prepare<[], [Value | Buffer | null]>(
    `SELECT ${name} FROM ${quoteIdentifier(table)} LIMIT ${SAMPLED_ROWS}`,
  );
  const counts = new Map<Value, number>();
  let rows = 0;
  for (const [value] of statement.safeIntegers(true).raw(true).iterate()) {
    rows++;
    if (value !== null && !Buffer.isBuffer(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return { values: [...counts.keys()], counts, rows };
}

function profileColumn(
  table: CatalogTable,
  column: CatalogColumn,
  kind: ColumnKind,
  sample: Sample,
): ProfiledColumn {
  const { name, rows } = table;
  const spelled = new Set<string>();
  const byCount = [...sample.counts]
    .sort(([a, m], [b, n]) => n - m || (String(a) < String(b) ? -1 : 1))
    .filter(([value]) => typeof value !== 'string' || isUsualSpelling(value, spelled));
  const sorted = byCount.map(([value]) => value).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] as Value;
  return {
    table: name,
    column,
    kind,
    use: column.type === 'string' ? null : numberUse(table, column, sample),
    common:
      kind === 'category'
        ? byCount.slice(0, COMMON_VALUES).map(([value, n]) => ({ value, share: n / sample.rows }))
        : [],
    steps: sorted.length === 0 ? [] : [0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9].map(at),
    nulls: rows === 0 ? 0 : column.statistics.nulls / rows,
  };
}

/** Whether a text is whole, and spelled as most of its kind before it are: not `saltmere` after `Saltmere`, nor with blanks around it. */
function isUsualSpelling(text: string, spelled: Set<string>): boolean {
  const folded = text.trim().toLowerCase();
  const isFirst = !spelled.has(folded);
  spelled.add(folded);
  return isFirst && text !== '' && text === text.trim() && !isBroken(text);
}

/** The column that names rows: the first name; columns called `name` or the like come before others. */
export function labelOf(table: CatalogTable, columns: readonly ProfiledColumn[]): ProfiledColumn | null {
  const names = columns.filter(({ kind, column }) => kind === 'name' && !namesSomebodyElse(table, column));
  const called = names.find(({ column }) => /name|title|label/i.test(column.name));
  const distinct = names.find(({ column }) => column.statistics.distinct * 2 > table.rows);
  return called ?? distinct ?? null;
}

/** The critic of a review and the mechanic of a repair, which name no review and no repair. */
function namesSomebodyElse({ name, columns }: CatalogTable, column: CatalogColumn): boolean {
  const of = lowerWords(column.name).filter((word) => word !== 'name');
  const isOfPeople =
    isPerson({ one: singular(lowerWords(name)) }) || columns.some((one) => OF_PEOPLE.test(one.name));
  return isPerson({ one: of }) && !isOfPeople;
}

const OF_PEOPLE = /birth|born|gender|sex|hire|salary|wage|e?mail|phone/i;

function keyOf(table: CatalogTable): string | null {
  const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
  return keys.length === 1 ? (keys[0]?.name ?? null) : null;
}

/** `name` identifies rows to people, a `flag` says yes or no, an `ordinal` which one; no sensible question uses an `unclear` column. */
export type ColumnKind =
  | 'key'
  | 'name'
  | 'category'
  | 'flag'
  | 'ordinal'
  | 'number'
  | 'year'
  | 'date'
  | 'unclear';

const MAX_CATEGORIES = 40;
const MAX_NAME_LENGTH = 60;

/** Sampled values of a column. */
interface SeenValues {
  /** Distinct, in no particular order. */
  readonly values: readonly (string | number | bigint)[];
}

/** With the reason when the kind is unclear. */
export function kindOf(
  table: CatalogTable,
  column: CatalogColumn,
  { values }: SeenValues,
): { readonly kind: ColumnKind; readonly reason?: string } {
  const { statistics } = column;
  const unclear = (reason: string) => ({ kind: 'unclear' as const, reason });
  if (isKey(table, column)) return { kind: 'key' };
  if (statistics.distinct === 0) return unclear('holds only NULL');
  if (statistics.storage.blob > 0) return unclear('holds bytes');
  if (statistics.distinct === 1) return unclear('holds one value only');
  if (isCryptic(column)) return unclear('its name says nothing, and it has no description');
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length === values.length) return textKind(table, column, texts, unclear);
  if (texts.length > 0) return unclear('mixes texts and numbers');
  if (isCountedMoment(column)) return unclear('counts seconds or milliseconds from 1970');
  if (isFew(table, column)) return { kind: 'category' };
  const use = numberUse(table, column, { values });
  if (use === 'code') return unclear('is a number that stands for something');
  return { kind: use === 'year' ? 'year' : 'number' };
}

function textKind(
  table: CatalogTable,
  column: CatalogColumn,
  texts: readonly string[],
  unclear: (reason: string) => { readonly kind: 'unclear'; readonly reason: string },
): { readonly kind: ColumnKind; readonly reason?: string } {
  if (texts.every((text) => /^\d{4}-\d{2}-\d{2}([ T]|$)/.test(text))) return { kind: 'date' };
  // Some names begin with a bracket, and some files hold a few broken letters.
  const some = (test: (text: string) => boolean) => texts.filter(test).length * 20 > texts.length;
  if (some((text) => /^\s*[[{]/.test(text))) return unclear('holds JSON');
  if (some(isBroken)) return unclear('holds free text');
  if (texts.some((text) => /:\/\/|@\w/.test(text))) return unclear('holds addresses');
  if (texts.every((text) => /^\d[\d.,x]*( ?\p{L}{1,4})?$/u.test(text)))
    return unclear('holds amounts in texts');
  if (isFew(table, column)) return { kind: isPartOfName(column.name) ? 'name' : 'category' };
  if (texts.some((text) => text.length > MAX_NAME_LENGTH)) return unclear('holds free text');
  if (texts.every((text) => /^[\d.,+\-/:() ]*(x\d+)?$/.test(text))) return unclear('holds numbers in texts');
  return { kind: 'name' };
}

/** Parts of the names of people, which are no categories. */
const PARTS = new Set(
  'first name,last name,middle name,full name,given name,family name,maiden name,nick name,forename,surname,firstname,lastname,fname,lname,fnm,lnm'.split(
    ',',
  ),
);

const isFirstName = (name: string) => /^(first|given|fore|f_?n(ame|m)$)/i.test(name);
const isLastName = (name: string) => /^(last|sur|family|l_?n(ame|m)$)/i.test(name);

/** A label, and the last name that belongs to a first one. */
export function peopleOf(
  label: ProfiledColumn,
  columns: readonly ProfiledColumn[],
): readonly ProfiledColumn[] {
  if (!isFirstName(label.column.name)) return [label];
  const last = columns.find(({ kind, column }) => kind === 'name' && isLastName(column.name));
  return last ? [label, last] : [label];
}

export function isPartOfName(name: string): boolean {
  const words = lowerWords(name);
  return PARTS.has(words.slice(-2).join(' ')) || PARTS.has(words.at(-1) ?? '');
}

/** Whether a text has several lines, or bytes that are no characters. */
function isBroken(text: string): boolean {
  return text.includes('\n') || text.includes('\uFFFD');
}

function isKey(table: CatalogTable, { name, primary_key }: CatalogColumn): boolean {
  return (
    primary_key > 0 ||
    table.foreign_keys.some(({ columns }) => columns.includes(name)) ||
    /(^|_)id$|[a-z]I[dD]$/i.test(name)
  );
}

function isFew({ rows }: CatalogTable, { statistics }: CatalogColumn): boolean {
  return statistics.distinct <= MAX_CATEGORIES && statistics.distinct * 3 <= rows;
}

function isCryptic({ name, description, friendly_name }: CatalogColumn): boolean {
  return (
    description === null &&
    friendly_name === null &&
    !COMMON_WORDS.has(name.toLowerCase()) &&
    /^([a-z]{1,3}|col|column|field|attr|var|unnamed)[_ ]?\d*$/i.test(name)
  );
}

/** Quantities can be added up; codes stand for something else. */
type NumberUse = 'quantity' | 'year' | 'code';

/** By the column's place in the schema, its name and description, and its values. */
export function numberUse(table: CatalogTable, column: CatalogColumn, { values }: SeenValues): NumberUse {
  if (isKey(table, column) || isCode(column.name) || hasLegend(column) || isIdentifier(column)) return 'code';
  // The advisor 1121 is somebody.
  if (isPerson({ one: lowerWords(column.name) })) return 'code';
  if (isCountedMoment(column) || isCompactDate(column) || isJulianDay(column)) return 'code';
  return values.length > 0 && values.every(isYear) ? 'year' : 'quantity';
}

const AGGREGATES = ['AVG', 'SUM', 'MAX', 'MIN'] as const;

/** The aggregates that make sense of a column's numbers, by the vocabulary; sums also by the column's name. */
export function aggregatesOf(column: CatalogColumn): readonly (typeof AGGREGATES)[number][] {
  const { words } = column;
  const isYear = lowerWords(column.name).at(-1) === 'year';
  const makesSense = {
    AVG: words?.average ?? !isYear,
    SUM: addsUp(column),
    MAX: words?.rank,
    MIN: words?.rank,
  };
  return AGGREGATES.filter((name) => makesSense[name] !== false);
}

/** Rates, averages, ages, levels, measures of one thing: of several rows they have no total. */
const NO_TOTAL = new Set(
  `percent percentage pct rate rates ratio share avg average mean median age expectancy score scores level grade gpa rank rating
  price index density temp temperature speed velocity pressure humidity height width depth altitude elevation diameter radius
  latitude longitude lat lon lng difficulty priority severity stars wage hourly horsepower mpg acceleration per
  max min maximum minimum year`.split(/\s+/),
);

/** Whether the numbers of several rows have a total. */
export function addsUp({ name, friendly_name, words, type, statistics }: CatalogColumn): boolean {
  if (words?.sum !== undefined) return words.sum;
  const { min, max } = statistics;
  const isShare = type === 'number' && Number(min) >= 0 && Number(max) <= 1;
  return !isShare && !lowerWords(`${name} ${friendly_name ?? ''}`).some((word) => NO_TOTAL.has(word));
}

const CODE_WORDS = new Set(
  `zip postal postcode phone telephone tel telefon fax mobile cell hotline code number no nr num lat lng lon latitude longitude isbn issn ean
  iban bic swift ssn sku barcode serial passport licence license badge type kind class klass klasse classe category status state gender sex
  chamber room floor platform version plz cep siret siren dni nif week weekday month rank rang rango major`.split(
    /\s+/,
  ),
);

/** English in any place; other languages at the end, or as a prefix (`Postleitzahl`, `kundnr`). */
const CODE =
  /zip|postal|phone|téléphone|teléfono|telefono|fax|code|number|(?:\p{L}nr|nummer|leitzahl|kennzahl)$|(?:^|_)(?:numero|número|numéro)(?:_|$)/iu;

/** Whether the name is that of a code rather than a quantity. */
export function isCode(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u);
  // A number of seats is a quantity; a phone number and a number alone are not.
  if (/^(no|nr|num|number|count)$/.test(words[0] ?? '') && words[1] === 'of') return false;
  return CODE_WORDS.has(words.at(-1) ?? '') || CODE.test(name);
}

/** Whether the description explains whole numbers: 1 = single, 2 = family. */
function hasLegend({ type, value_description, words }: CatalogColumn): boolean {
  if (type === 'integer' && words?.codes !== undefined) return true;
  const entries = value_description?.match(/(?<![\d.])-?\d+ ?[=:] ?\p{L}/gu) ?? [];
  return type === 'integer' && entries.length >= 2;
}

/** Whether whole numbers are long, of one length, and unique, like those of phones and accounts. */
function isIdentifier({ type, statistics: { rows, nulls, distinct, min, max } }: CatalogColumn): boolean {
  const length = String(min).length;
  return (
    type === 'integer' &&
    distinct >= 20 &&
    distinct === rows - nulls &&
    length >= 7 &&
    String(max).length === length
  );
}

/** Whether numbers are Julian days, from 4713 BC or (modified) from 1858. */
function isJulianDay({ name, description, statistics: { min, max } }: CatalogColumn): boolean {
  if (!/(^|[^a-z])[mbh]?jd$/i.test(name) && !/\bjulian (date|day)/i.test(description ?? '')) return false;
  return typeof min === 'number' && typeof max === 'number' && min >= 15_000 && max < 2_600_000;
}

/** Whether whole numbers are Unix times, which no question adds up or compares. */
function isCountedMoment(column: CatalogColumn): boolean {
  if (isEpoch(column)) return true;
  const { type, statistics, name, description, value_description } = column;
  const { min, max } = statistics;
  if (type !== 'integer' || typeof min !== 'number' || typeof max !== 'number') return false;
  if (min < 1e8 || max >= 5e12) return false;
  const text = `${description ?? ''} ${value_description ?? ''}`;
  return (
    /\b1970\b|\bepoch\b|\bunix time/i.test(text) || (min >= 1e11 && /(^|_)(ms|millis)$|Millis$/.test(name))
  );
}

function isYear(value: string | number | bigint): boolean {
  const year = Number(value);
  return Number.isInteger(year) && year >= 1500 && year <= 2100;
}

/** A column whose values are keys of another table. */
export interface Reference {
  readonly from: { readonly table: string; readonly column: string };
  readonly to: { readonly table: string; readonly column: string };
  /** Whether the schema declares it; otherwise it is inferred from names and values. */
  readonly declared: boolean;
}

/** Distinct values looked up before a reference is believed. */
const TRIED_VALUES = 500;

/** Declared references, and those shown by names and values. */
function inferReferences(catalog: Catalog, connection: Database.Database): Reference[] {
  const all = catalog.tables.flatMap((table) =>
    table.foreign_keys.flatMap(({ columns, references_table, references_columns }): Reference[] => {
      const [column] = columns;
      const [to] = references_columns;
      if (columns.length !== 1 || column === undefined || to === undefined) return [];
      return [
        { from: { table: table.name, column }, to: { table: references_table, column: to }, declared: true },
      ];
    }),
  );
  const declared = all.filter((one) => leadsToOneRow(one, all, catalog));
  const known = new Set(declared.map(({ from }) => `${from.table}\n${from.column}`));
  const inferred = catalog.tables
    .filter(({ view }) => !view)
    .flatMap((table) =>
      table.columns
        .filter(({ name }) => !known.has(`${table.name}\n${name}`))
        .flatMap((column) => referenceOf(table, column, catalog, connection)),
    );
  return [...declared, ...inferred];
}

/**
 * Whether a declared reference leads to one row. Some schemas also declare the way back, from a key to its references; of
 * two keys that refer to each other, that of the larger table is no reference.
 */
function leadsToOneRow({ from, to }: Reference, all: readonly Reference[], { tables }: Catalog): boolean {
  const [own, other] = [from, to].map((end) => tables.find(({ name }) => name === end.table));
  const column = other?.columns.find(({ name }) => name === to.column);
  if (!own || !other || !column) return false;
  if (singleKey(other) !== column && column.statistics.distinct < other.rows) return false;
  const isBack = (one: Reference) =>
    one.from.table === to.table &&
    one.from.column === to.column &&
    one.to.table === from.table &&
    one.to.column === from.column;
  return !all.some(isBack) || singleKey(own)?.name !== from.column || own.rows < other.rows;
}

function referenceOf(
  table: CatalogTable,
  column: CatalogColumn,
  catalog: Catalog,
  connection: Database.Database,
): Reference[] {
  const found = catalog.tables.find((other) => {
    const key = singleKey(other);
    if (key === null || other.name === table.name || other.view || other.rows === 0) return false;
    return namesKey(column.name, other.name, key.name) && holdsOnly(connection, table, column, other, key);
  });
  const key = found && singleKey(found);
  if (!found || !key) return [];
  return [
    {
      from: { table: table.name, column: column.name },
      to: { table: found.name, column: key.name },
      declared: false,
    },
  ];
}

/** The primary key, or else a first column called an id whose values are unique. */
function singleKey(table: CatalogTable): CatalogColumn | null {
  const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
  if (keys.length > 0) return keys.length === 1 ? (keys[0] ?? null) : null;
  const [first] = table.columns;
  const isId =
    first && /id$|code$|no$|nr$|key$/i.test(first.name) && first.statistics.distinct === table.rows;
  return isId ? first : null;
}

/** `customer_id`, `CustomerID`, `customer` for the key of `customers`, or the key's name unless `id`. */
function namesKey(column: string, table: string, key: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const one = plain(table).replace(/(ie)?s$/, (end) => (end === 'ies' ? 'y' : ''));
  const name = plain(column);
  if (name === plain(key)) return plain(key) !== 'id';
  return [one, plain(table)].some(
    (noun) => noun.length > 2 && [`${noun}id`, noun, `${noun}code`, `${noun}no`].includes(name),
  );
}

/** Whether different whole numbers are all keys of another table: the capital of a country among cities. */
function holdsKeys(
  connection: Database.Database,
  table: CatalogTable,
  column: CatalogColumn,
  { tables }: Catalog,
): boolean {
  const { distinct, rows, nulls } = column.statistics;
  if (column.type !== 'integer' || column.primary_key > 0 || distinct < 20 || distinct < rows - nulls)
    return false;
  return tables.some((other) => {
    const key = other === table || other.view ? null : singleKey(other);
    return key?.type === 'integer' && holdsOnly(connection, table, column, other, key);
  });
}

function holdsOnly(
  connection: Database.Database,
  table: CatalogTable,
  column: CatalogColumn,
  other: CatalogTable,
  key: CatalogColumn,
): boolean {
  const name = quoteIdentifier(column.name);
  const stray = connection
    .prepare(
      `SELECT COUNT(*), COUNT(k.v) FROM (SELECT DISTINCT ${name} AS v FROM (SELECT ${name} FROM ${quoteIdentifier(table.name)} ` +
        `WHERE ${name} IS NOT NULL LIMIT 20000) LIMIT ${TRIED_VALUES}) AS t ` +
        `LEFT JOIN (SELECT ${quoteIdentifier(key.name)} AS v FROM ${quoteIdentifier(other.name)}) AS k ON k.v = t.v`,
    )
    .raw(true)
    .get() as [number | bigint, number | bigint];
  return Number(stray[0]) > 0 && stray[0] === stray[1];
}
