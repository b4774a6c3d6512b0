import type { CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import { isEpoch } from '../../english/words/column-text.ts';

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
  const { statistics, name } = column;
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
  if (isCode(name)) return unclear('is a number that stands for something');
  return { kind: values.every(isYear) ? 'year' : 'number' };
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
  if (texts.every((text) => /^[\d.,+\-/: ]*$/.test(text))) return unclear('holds numbers in texts');
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

/** Whether a number of this name stands for something, and measures nothing. */
export function isCode(name: string): boolean {
  return /zip|postal|postcode|phone|fax|code|number|(^|_)(no|nr|num|lat|lng|lon|latitude|longitude)$/i.test(
    name,
  );
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
