import type { Catalog, CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import type { PropertyType } from '../../../contracts/query-tool.ts';
import { uniqueKey } from '../tools/plan/unique-key.ts';
import { type BooleanValues, booleanValues } from './boolean-values.ts';
import { type JoinedTables, joinedTables } from './joined-tables.ts';

/** A column as the tool shows it. */
export interface Property {
  /** The column's name; of joined tables, behind that of its table, as in a start table. */
  readonly name: string;
  readonly type: PropertyType;
  /** Of a column that holds numbers and texts: the other of the two types, whose filters and metrics it takes as well. */
  readonly alsoType: PropertyType | null;
  readonly column: CatalogColumn;
  /** The table that the column is of. */
  readonly table: string;
  /** Of a boolean property: the values that the column really has. */
  readonly truth: BooleanValues | null;
}

/** A table, or two that are joined, as the tool shows it. */
export interface Collection {
  readonly name: string;
  /** The table whose rows these are; of joined tables, the one with the foreign key. */
  readonly table: CatalogTable;
  readonly joined: JoinedTables | null;
  /** In the order of the columns. */
  readonly properties: readonly Property[];
  /** Whether there is an index of its words, so that it can be searched. */
  readonly searchable: boolean;
  /** The text of which the split tells what it may be about: a search is one for that, in whatever words. */
  readonly about: Property | null;
}

/**
 * The collections of a domain: its tables in their order, then those that are offered joined. The collections in
 * `indexed` have an index of their words.
 */
export function collectionsOf(catalog: Catalog, indexed: readonly string[] = []): Collection[] {
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
    about: each.properties.find(({ type, column }) => type === 'text' && column.facets) ?? null,
  }));
}

function joinedCollection(
  joined: JoinedTables,
  taken: Set<string>,
): Omit<Collection, 'searchable' | 'about'> {
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

/** Whether filters and metrics of a type apply to a property. */
export function hasType(property: Property, type: PropertyType): boolean {
  return property.type === type || property.alsoType === type;
}

/** A property's type, as descriptions and the metric TYPE give it. */
export function typeName({ type, alsoType }: Property): string {
  if (alsoType === null) return TYPE_NAMES[type];
  return type === 'integer' ? 'number, some are text' : 'text, some are numbers';
}

const TYPE_NAMES: Readonly<Record<PropertyType, string>> = {
  integer: 'number',
  text: 'text',
  boolean: 'boolean',
};
