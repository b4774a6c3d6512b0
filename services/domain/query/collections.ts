import type { Catalog, CatalogColumn, CatalogTable, ForeignKey } from '../../../contracts/catalog.ts';
import type { PropertyType } from '../../../contracts/query-tool.ts';
import type { Service } from '../../../contracts/service.ts';
import { cached } from '../../base/concurrency.ts';
import type { Bound } from '../tools/conditions.ts';
import { uniqueKey } from '../tools/plan.ts';

export interface Property {
  /** The column's name. In joined tables it follows the table's name, as in a start table. */
  readonly name: string;
  readonly type: PropertyType;
  /** For a column of both numbers and texts: the other type, whose filters and metrics also apply. */
  readonly alsoType: PropertyType | null;
  readonly column: CatalogColumn;
  readonly table: string;
  /** For a boolean property: the two values in the column. */
  readonly truth: BooleanValues | null;
}

/** A table or a join of two tables, in the tool's description. */
export interface Collection {
  readonly name: string;
  /** The table of the rows; for joined tables, the one with the foreign key. */
  readonly table: CatalogTable;
  readonly joined: JoinedTables | null;
  readonly properties: readonly Property[];
  /** Whether a full-text index exists, so that it can be searched. */
  readonly searchable: boolean;
  readonly byVectors: boolean;
  /** The text whose topics the split lists. A search matches those topics, in whatever words. */
  readonly about: Property | null;
}

/** The collections of a domain: its tables in order, then the joins. Tables in `indexed` have a full-text index. */
export function collectionsOf(
  catalog: Catalog,
  indexed: readonly string[] = [],
  byVectors = false,
): Collection[] {
  const plain = catalog.tables.map((table) => ({
    name: table.name,
    table,
    joined: null,
    properties: table.columns.map((column) => propertyOf(table, column)),
  }));
  const taken = new Set(plain.map(({ name }) => name.toLowerCase()));
  const joined = joinedTables(catalog).map((tables) => joinedCollection(tables, taken));
  return [...plain, ...joined].map((each) => ({
    ...each,
    searchable: indexed.includes(each.name),
    byVectors,
    about: each.properties.find(({ type, column }) => type === 'text' && column.facets) ?? null,
  }));
}

function joinedCollection(joined: JoinedTables, taken: Set<string>) {
  const { from, to } = joined;
  const names = new Set<string>();
  const properties = [from, to].flatMap((table) =>
    table.columns.map((column) => ({
      ...propertyOf(table, column),
      name: uniqueKey(`${table.name}_${column.name}`, names),
    })),
  );
  return { name: uniqueKey(`${from.name}_with_${to.name}`, taken), table: from, joined, properties };
}

function propertyOf(table: CatalogTable, column: CatalogColumn): Property {
  const refers = table.foreign_keys.some(({ columns }) => columns.includes(column.name));
  const truth = refers ? null : booleanValues(column);
  const { storage } = column.statistics;
  const numbers = storage.integer + storage.real;
  const texts = storage.text + storage.blob;
  const isText = column.type === 'string' && numbers <= texts;
  const type = truth ? 'boolean' : isText ? 'text' : 'integer';
  const alsoType = truth || numbers === 0 || texts === 0 ? null : isText ? 'integer' : 'text';
  return { name: column.name, type, alsoType, column, table: table.name, truth };
}

export function hasType(property: Property, type: PropertyType): boolean {
  return property.type === type || property.alsoType === type;
}

/** A property's type, as shown in descriptions and returned by the metric TYPE. */
export function typeName({ type, alsoType }: Property): string {
  if (alsoType === null) return TYPE_NAMES[type];
  return type === 'integer' ? 'number, some are text' : 'text, some are numbers';
}

const TYPE_NAMES: Readonly<Record<PropertyType, string>> = {
  integer: 'number',
  text: 'text',
  boolean: 'boolean',
};

/** A join: each row of the first table with the one row that its foreign key refers to. */
export interface JoinedTables {
  readonly from: CatalogTable;
  readonly to: CatalogTable;
  readonly key: ForeignKey;
}

/** As many collections as a database of the paper has; a longer description would not be read. */
const MOST = 3;

/**
 * The joins that a domain offers: none if one table has a text, a number and a boolean; otherwise pairs that have all
 * three together, in table order.
 */
export function joinedTables({ tables }: Catalog): JoinedTables[] {
  const kinds = new Map(tables.map((table) => [table.name, kindsOf(table)]));
  const hasAll = (...of: readonly CatalogTable[]) =>
    new Set(of.flatMap(({ name }) => [...(kinds.get(name) ?? [])])).size === 3;
  if (tables.some((table) => hasAll(table))) return [];
  return tables
    .filter(({ view, has_rowid }) => !view && has_rowid)
    .flatMap((from) =>
      from.foreign_keys.flatMap((key): JoinedTables[] => {
        const to = tables.find(({ name }) => name === key.references_table);
        return to && to !== from && isOne(to, key) && hasAll(from, to) ? [{ from, to, key }] : [];
      }),
    )
    .slice(0, MOST);
}

/** Types of the informative columns, that is, all but keys. */
function kindsOf({ columns, foreign_keys }: CatalogTable): Set<'text' | 'number' | 'boolean'> {
  const refers = (name: string) => foreign_keys.some((key) => key.columns.includes(name));
  const told = columns.filter(({ name, primary_key }) => primary_key === 0 && !refers(name));
  return new Set(
    told.map((column) => {
      if (booleanValues(column)) return 'boolean';
      return column.type === 'string' ? 'text' : 'number';
    }),
  );
}

/** Whether a key refers to at most one row, so that the join repeats no row of the first table. */
function isOne({ rows, columns }: CatalogTable, { references_columns }: ForeignKey): boolean {
  const [name, ...others] = references_columns;
  const column = columns.find((each) => each.name === name);
  return others.length === 0 && column?.statistics.distinct === rows;
}

export interface BooleanValues {
  readonly true: Bound;
  readonly false: Bound;
}

/** Lower-case pairs for no and yes, also in German, Dutch, Swedish, French and Spanish. */
const PAIRS = '0 1, n y, no yes, f t, false true, n j, nein ja, nee ja, nej ja, non oui, no si, no sí'
  .split(', ')
  .map((pair) => pair.split(' '));

/** The values of a column that only means yes or no; null for any other column. */
export function booleanValues({ primary_key, statistics }: CatalogColumn): BooleanValues | null {
  const { distinct, min, max, storage } = statistics;
  if (primary_key > 0 || distinct !== 2 || storage.blob > 0 || storage.real > 0) return null;
  if (storage.text === 0) return Number(min) === 0 && Number(max) === 1 ? { true: 1n, false: 0n } : null;
  if (storage.integer > 0 || typeof min !== 'string' || typeof max !== 'string') return null;
  for (const [no, yes] of PAIRS) {
    const [a, b] = [min.toLowerCase(), max.toLowerCase()];
    if (a === no && b === yes) return { false: min, true: max };
    // Upper case sorts before lower case.
    if (a === yes && b === no) return { false: max, true: min };
  }
  return null;
}

export const domainCollections = cached(({ catalog, search_indexes, vectors }: Service) =>
  collectionsOf(catalog, search_indexes, vectors !== undefined),
);
