import type { CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import { isCompactDate, isEpoch } from '../../english/words/column-text.ts';

/**
 * What a column can be asked about: `key` joins, `name` tells rows apart for people, `category` has few values,
 * `number` is measured, `year` and `date` are times, and of `unclear` ones nothing sensible can be asked.
 */
export type ColumnKind = 'key' | 'name' | 'category' | 'number' | 'year' | 'date' | 'unclear';

const MAX_CATEGORIES = 40;
const MAX_NAME_LENGTH = 60;

/** Values of a column that were looked at. */
export interface SeenValues {
  /** Distinct ones, in whatever order. */
  readonly values: readonly (string | number | bigint)[];
}

/** The kind of a column, with the reason when it is unclear. */
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
  if (texts.some((text) => /^\s*[[{]/.test(text))) return unclear('holds JSON');
  if (texts.some((text) => text.includes('\n') || text.includes('\uFFFD'))) return unclear('holds free text');
  if (texts.some((text) => /:\/\/|@\w/.test(text))) return unclear('holds addresses');
  if (isFew(table, column)) return { kind: 'category' };
  if (texts.some((text) => text.length > MAX_NAME_LENGTH)) return unclear('holds free text');
  if (texts.every((text) => /^[\d.,+\-/:() ]*(x\d+)?$/.test(text))) return unclear('holds numbers in texts');
  return { kind: 'name' };
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
    /^([a-z]{1,3}|col|column|field|attr|var|unnamed)[_ ]?\d*$/i.test(name)
  );
}

/** What the numbers of a column are: amounts and counts, which can be added up; years; or what stands for something. */
export type NumberUse = 'quantity' | 'year' | 'code';

/** By the column's place in the schema, what it is called and said to be, and its values. */
export function numberUse(table: CatalogTable, column: CatalogColumn, { values }: SeenValues): NumberUse {
  if (isKey(table, column) || isCode(column.name) || hasLegend(column) || isIdentifier(column)) return 'code';
  if (isCountedMoment(column) || isCompactDate(column) || isJulianDay(column)) return 'code';
  return values.length > 0 && values.every(isYear) ? 'year' : 'quantity';
}

const CODE_WORDS = new Set(
  `zip postal postcode phone telephone tel telefon fax mobile cell hotline code number no nr num lat lng lon latitude longitude isbn issn ean
  iban bic swift ssn sku barcode serial passport licence license badge type kind class klass klasse classe category status state gender sex
  chamber room floor platform version plz cep siret siren dni nif week weekday month rank rang rango`.split(
    /\s+/,
  ),
);

/** English in any place; the words of other languages at the end, or the beginning of a name (`Postleitzahl`, `kundnr`, `numéro_client`). */
const CODE =
  /zip|postal|phone|téléphone|teléfono|telefono|fax|code|number|(?:\p{L}nr|nummer|leitzahl|kennzahl)$|(?:^|_)(?:numero|número|numéro)(?:_|$)/iu;

/** Whether a number of this name stands for something, and measures nothing. */
export function isCode(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u);
  // A number of seats is a quantity; a phone number and a number alone are none.
  if (/^(no|nr|num|number|count)$/.test(words[0] ?? '') && words[1] === 'of') return false;
  return CODE_WORDS.has(words.at(-1) ?? '') || CODE.test(name);
}

/** Whether a description says what each of some whole numbers stands for: 1 = single, 2 = family. */
function hasLegend({ type, value_description }: CatalogColumn): boolean {
  const entries = value_description?.match(/(?<![\d.])-?\d+ ?[=:] ?\p{L}/gu) ?? [];
  return type === 'integer' && entries.length >= 2;
}

/** Whether whole numbers are long, of one length, and differ in each row, as those of phones and accounts do. */
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

/** Whether numbers count days as astronomers do, from 4713 BC or from 1858. */
function isJulianDay({ name, description, statistics: { min, max } }: CatalogColumn): boolean {
  if (!/(^|[^a-z])[mbh]?jd$/i.test(name) && !/\bjulian (date|day)/i.test(description ?? '')) return false;
  return typeof min === 'number' && typeof max === 'number' && min >= 15_000 && max < 2_600_000;
}

/**
 * Whether whole numbers are seconds or milliseconds since 1970: by their size, and by what the column is called or said to
 * be. Nobody adds such moments up, or asks for those above 1700000000000.
 */
export function isCountedMoment(column: CatalogColumn): boolean {
  if (isEpoch(column)) return true;
  const { type, statistics, name, description, value_description } = column;
  const { min, max } = statistics;
  if (type !== 'integer' || typeof min !== 'number' || typeof max !== 'number') return false;
  if (min < 1e8 || max >= 5e12) return false;
  const said = `${description ?? ''} ${value_description ?? ''}`;
  return (
    /\b1970\b|\bepoch\b|\bunix time/i.test(said) || (min >= 1e11 && /(^|_)(ms|millis)$|Millis$/.test(name))
  );
}

function isYear(value: string | number | bigint): boolean {
  const year = Number(value);
  return Number.isInteger(year) && year >= 1500 && year <= 2100;
}
