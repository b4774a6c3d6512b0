import type { Catalog, CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import type { ApiClass } from '../../contracts/split.ts';
import { type Gazetteer, type PlacePart, placeKey } from '../../services/base/scalars/gazetteer.ts';
import type { Connection, SqlValue } from '../../services/base/sqlite/driver.ts';
import {
  exprsOf,
  holdsAggregate,
  type Query,
  queriesOf,
  quoteIdentifier,
  type Select,
  type SourceId,
  type TableSource,
} from '../../sql/index.ts';
import { isOrdinal } from '../synthesize/asked-columns.ts';
import { isCode, kindOf } from '../synthesize/profile.ts';

export interface ColumnClasses {
  readonly classes: ReadonlySet<ApiClass>;
  /** Parts known for nearly all of the places. */
  readonly parts: readonly PlacePart[];
  /** Why it has no class, or null. */
  readonly reason: string | null;
}

/** The parts of places that questions ask about. */
const ASKED_PARTS: readonly PlacePart[] = [
  'country',
  'province',
  'county',
  'locality',
  'latitude',
  'longitude',
];

/** Share of values that must be words; letters in other columns are codes. */
const MOST_ARE_WORDS = 0.8;
const MOST_ARE_PLACES = 0.9;
/** With this share of places that are their own part, asking for the part just repeats the place. */
const MANY_ARE_THEMSELVES = 0.5;
/** Fewer distinct numbers are flags or grades. */
const FEW_NUMBERS = 7;

/** The classes of APIs that apply to a column, by its catalog entry and distinct values. */
export function classesOf(
  table: CatalogTable,
  column: CatalogColumn,
  values: readonly SqlValue[],
  places: Gazetteer,
): ColumnClasses {
  const seen = values.filter((value): value is string | number | bigint => value !== null && !isBytes(value));
  if (seen.length < 2) return none('has fewer than two values');
  const texts = seen.filter((value) => typeof value === 'string');
  if (texts.length === seen.length) return textClasses(table, column, texts, places);
  const { kind, reason } = kindOf(table, column, { values: seen });
  if (kind === 'unclear') return none(reason ?? 'is unclear');
  if (column.type !== 'integer' || !seen.every((value) => Number.isInteger(Number(value))))
    return none('holds numbers with fractions');
  if (seen.length < FEW_NUMBERS) return none('has too few numbers to measure anything');
  if (kind === 'year' || /year$/i.test(column.name)) return none('holds years');
  if (kind === 'key' || isCode(column.name) || isOrdinal(column.name))
    return none('holds numbers that stand for something');
  return { classes: new Set(['numeric']), parts: [], reason: null };
}

/** A known place is one whatever it looks like; other values must be words. */
function textClasses(
  table: CatalogTable,
  column: CatalogColumn,
  values: readonly string[],
  places: Gazetteer,
): ColumnClasses {
  const parts = ASKED_PARTS.filter(
    (part) =>
      share(values, (name) => partOf(name, part, places) !== null) >= MOST_ARE_PLACES &&
      // The town of a town is itself, as is the country of a country.
      share(values, (name) => isItself(name, part, places)) < MANY_ARE_THEMSELVES,
  );
  const { kind, reason } = kindOf(table, column, { values });
  // People may ask how long a name is, but hardly how long a position or a colour.
  const isName =
    (kind === 'name' && !isCode(column.name)) || (kind === 'category' && /name|title/i.test(column.name));
  const isWords = isName && share(values, isWord) >= MOST_ARE_WORDS;
  const classes = new Set<ApiClass>([
    ...(isWords ? (['lexical'] as const) : []),
    ...(parts.length > 0 ? (['geographic'] as const) : []),
  ]);
  return classes.size > 0
    ? { classes, parts, reason: null }
    : none(reason ?? `holds ${kind === 'date' ? 'dates' : 'codes'} and no words`);
}

function none(reason: string): ColumnClasses {
  return { classes: new Set(), parts: [], reason };
}

function isBytes(value: SqlValue): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array;
}

/** A word has a vowel and three letters. */
function isWord(text: string): boolean {
  return /^\D*[aeiouy]\D*$/i.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) >= 3;
}

function partOf(name: string, part: PlacePart, places: Gazetteer): string | number | null {
  const found = places.find(name, part);
  return 'value' in found ? found.value : null;
}

/** Whether the part names the place itself: the country of the USA is the United States. */
function isItself(name: string, part: PlacePart, places: Gazetteer): boolean {
  const whole = partOf(name, part, places);
  if (placeKey(String(whole)) === placeKey(name)) return true;
  return (
    part === 'country' &&
    whole !== null &&
    (['province', 'locality', 'latitude'] as const).every((smaller) => partOf(name, smaller, places) === null)
  );
}

function share<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  return values.filter(holds).length / values.length;
}

export interface ClassifiedColumn {
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
  readonly classes: ColumnClasses;
}

/** Columns with more distinct values are skipped. */
const MOST_VALUES = 5000;

/** The columns that have a class, of those whose values are to be read. */
export function readColumns(
  { tables }: Catalog,
  connection: Pick<Connection, 'prepareAdHoc'>,
  places: Gazetteer,
  isAsked: (column: CatalogColumn) => boolean = () => true,
): ClassifiedColumn[] {
  return tables
    .filter(({ view }) => !view)
    .flatMap((table) =>
      table.columns.filter(isAsked).flatMap((column) => {
        const name = quoteIdentifier(column.name);
        const sql = `SELECT DISTINCT ${name} FROM ${quoteIdentifier(table.name)} WHERE ${name} IS NOT NULL LIMIT ${MOST_VALUES}`;
        const values = connection.prepareAdHoc(sql).all().flat();
        const classes = classesOf(table, column, values, places);
        return classes.reason === null ? [{ table, column, classes }] : [];
      }),
    );
}

/** A query that can be augmented: one SELECT over tables, each mentioned once. */
export interface AugmentableQuery {
  readonly select: Select;
  readonly sources: readonly TableSource[];
  /** Sources on the optional side of an outer join. */
  readonly optional: ReadonlySet<SourceId>;
  /** Whether it returns aggregates over all rows. */
  readonly isFigure: boolean;
  /** Whether its rows are rows of its tables. */
  readonly isList: boolean;
}

/** Throws NOT_AUGMENTABLE for constructs under which an added condition would be ambiguous. */
export function augmentableQuery(query: Query): AugmentableQuery {
  if (query.kind !== 'select') throw refused(query.kind === 'values' ? 'VALUES' : 'a set operation');
  if (query.with.length > 0) throw refused('WITH');
  if (queriesOf(query).length > 1) throw refused('a subquery');
  if (exprsOf(query).some(({ kind }) => kind === 'window')) throw refused('a window function');
  const sources = query.from.flatMap(({ source }) => (source.kind === 'table' ? [source] : []));
  if (sources.length === 0) throw refused('no table');
  if (new Set(sources.map(({ table }) => table)).size < sources.length)
    throw refused('a table that is read twice');
  if (query.from.some(({ join }) => join === 'right' || join === 'full')) throw refused('RIGHT or FULL JOIN');
  const aggregates = query.columns.filter(({ expr }) => holdsAggregate(expr)).length;
  const isGrouped = query.groupBy.length > 0 || query.having !== null;
  return {
    select: query,
    sources,
    optional: new Set(query.from.flatMap(({ join, source }) => (join === 'left' ? [source.id] : []))),
    isFigure:
      !isGrouped && aggregates === query.columns.length && query.orderBy.length === 0 && query.limit === null,
    isList: !isGrouped && aggregates === 0,
  };
}

function refused(construct: string): QueryError {
  return new QueryError('NOT_AUGMENTABLE', `the query has ${construct}`, construct);
}
