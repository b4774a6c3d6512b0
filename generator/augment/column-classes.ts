import type { ApiClass } from '../../contracts/augmentation.ts';
import type { CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import type { Gazetteer, PlacePart } from '../../services/base/scalars/places.ts';
import type { SqlValue } from '../../services/base/sqlite/driver.ts';
import { isCode, kindOf } from '../synthesize/profile/column-kind.ts';

/** What APIs can be asked about a column's values. */
export interface ColumnClasses {
  readonly classes: ReadonlySet<ApiClass>;
  /** Of places: what is known of nearly all of them. */
  readonly parts: readonly PlacePart[];
  /** Why it is of no class, or null. */
  readonly reason: string | null;
}

/** The parts of places that questions are made of. */
export const ASKED_PARTS = [
  'country',
  'province',
  'county',
  'locality',
  'latitude',
  'longitude',
] as const satisfies readonly PlacePart[];

/** A part of the values that must be words, so that their letters are no code's. */
const MOST_ARE_WORDS = 0.8;
/** A part of the values that must be known as places. */
const MOST_ARE_PLACES = 0.9;

/** Which classes of APIs a column is for, by its catalog entry and its different values. */
export function classesOf(
  table: CatalogTable,
  column: CatalogColumn,
  values: readonly SqlValue[],
  places: Gazetteer,
): ColumnClasses {
  const seen = values.filter((value): value is string | number | bigint => value !== null && !isBytes(value));
  const none = (reason: string): ColumnClasses => ({ classes: new Set(), parts: [], reason });
  if (seen.length < 2) return none('has fewer than two values');
  const { kind, reason } = kindOf(table, column, { values: seen });
  if (kind === 'unclear') return none(reason ?? 'is unclear');
  const classes = new Set<ApiClass>();
  if (seen.every((value) => typeof value === 'string')) {
    if (kind === 'date') return none('holds dates');
    if (kind !== 'key' && share(seen, isWord) >= MOST_ARE_WORDS) classes.add('lexical');
    const parts = ASKED_PARTS.filter(
      (part) =>
        share(seen, (name) => isPlace(name, part, places)) >= MOST_ARE_PLACES &&
        // The town of a town is itself.
        !seen.every((name) => partOf(name, part, places) === name),
    );
    if (parts.length > 0) classes.add('geographic');
    if (classes.size === 0) return none('holds codes and no words');
    return { classes, parts, reason: null };
  }
  if (column.type !== 'integer' || !seen.every((value) => Number.isInteger(Number(value))))
    return none('holds numbers with fractions');
  const isKey = column.primary_key > 0;
  if (!isKey && (kind === 'key' || isCode(column.name)))
    return none('holds numbers that stand for something');
  return { classes: new Set(['numeric']), parts: [], reason: null };
}

function isBytes(value: SqlValue): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array;
}

/** A word has a vowel and three letters. */
function isWord(text: string): boolean {
  return /[aeiouy]/i.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) >= 3;
}

function isPlace(name: string, part: PlacePart, places: Gazetteer): boolean {
  return partOf(name, part, places) !== null;
}

function partOf(name: string, part: PlacePart, places: Gazetteer): string | number | null {
  const found = places.find(name, part);
  return 'value' in found ? found.value : null;
}

function share<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  return values.filter(holds).length / values.length;
}
