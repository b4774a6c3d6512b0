import type { Catalog, CatalogColumn } from '../../contracts/catalog.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { openReadonly } from '../read/open-database.ts';

/** A column with more texts than these, or longer ones, holds names rather than kinds. */
const MOST_VALUES = 100;
const MOST_CHARACTERS = 60;

/** The catalog with the values of the columns that hold few different texts, read from the original database. */
export function listValues(catalog: Catalog, file: string): Catalog {
  const connection = openReadonly(file);
  try {
    return {
      ...catalog,
      tables: catalog.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) => {
          if (table.view || !holdsKinds(column)) return column;
          const name = quoteIdentifier(column.name);
          const values = connection
            .prepare(
              `SELECT DISTINCT ${name} COLLATE BINARY FROM ${quoteIdentifier(table.name)} WHERE ${name} IS NOT NULL`,
            )
            .pluck()
            .all()
            .filter((value) => typeof value === 'string');
          const isShort = values.every((value) => value.length <= MOST_CHARACTERS);
          return isShort && values.length > 0 ? { ...column, values: values.sort() } : column;
        }),
      })),
    };
  } finally {
    connection.close();
  }
}

function holdsKinds({ statistics: { storage, distinct } }: CatalogColumn): boolean {
  return storage.text > 0 && storage.blob === 0 && distinct > 0 && distinct <= MOST_VALUES;
}
