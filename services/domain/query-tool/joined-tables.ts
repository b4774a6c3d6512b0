import type { Catalog, CatalogTable, ForeignKey } from '../../../contracts/catalog.ts';
import { booleanValues } from './boolean-values.ts';

/** Two tables as one: each row of the first with the one row that its foreign key names. */
export interface JoinedTables {
  readonly from: CatalogTable;
  readonly to: CatalogTable;
  readonly key: ForeignKey;
}

/** As many as the paper's databases have collections: a tool that tells of many more is read by nobody. */
const MOST = 3;

/**
 * The tables of a domain that are offered joined: none where a table has a text, a number and a boolean of its own;
 * else pairs that have them together, in the order of the tables.
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

/** Kinds of columns that say something: keys do not. */
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

/** Whether a key names one row at most, so that no row of the first table is there twice. */
function isOne({ rows, columns }: CatalogTable, { references_columns }: ForeignKey): boolean {
  const [name, ...others] = references_columns;
  const column = columns.find((each) => each.name === name);
  return others.length === 0 && column?.statistics.distinct === rows;
}
