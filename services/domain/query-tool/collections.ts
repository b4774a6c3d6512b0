import type { Catalog, CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import type { PropertyType } from '../../../contracts/query-tool.ts';
import { type BooleanValues, booleanValues } from './boolean-values.ts';

/** A column as the tool shows it. */
export interface Property {
  /** The column's name. */
  readonly name: string;
  readonly type: PropertyType;
  readonly column: CatalogColumn;
  /** Of a boolean property: the values that the column really has. */
  readonly truth: BooleanValues | null;
}

/** A table as the tool shows it. */
export interface Collection {
  readonly name: string;
  readonly table: CatalogTable;
  /** In the order of the columns. */
  readonly properties: readonly Property[];
  /** Whether there is an index of its words, so that it can be searched. */
  readonly searchable: boolean;
}

/** The collections of a domain, in the order of its tables; the tables in `indexed` have an index of their words. */
export function collectionsOf({ tables }: Catalog, indexed: readonly string[] = []): Collection[] {
  return tables.map((table) => ({
    name: table.name,
    table,
    properties: table.columns.map((column) => propertyOf(table, column)),
    searchable: indexed.includes(table.name),
  }));
}

function propertyOf(table: CatalogTable, column: CatalogColumn): Property {
  const refers = table.foreign_keys.some(({ columns }) => columns.includes(column.name));
  const truth = refers ? null : booleanValues(column);
  const type = truth ? 'boolean' : column.type === 'string' ? 'text' : 'integer';
  return { name: column.name, type, column, truth };
}
