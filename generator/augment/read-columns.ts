import type { Catalog, CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import type { Gazetteer } from '../../services/base/scalars/places.ts';
import type { Connection } from '../../services/base/sqlite/driver.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { type ColumnClasses, classesOf } from './column-classes.ts';

/** A column that APIs can be asked about. */
export interface AskedColumn {
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
  readonly classes: ColumnClasses;
}

/** More different values are not looked at. */
const MOST_VALUES = 5000;

/** The columns of a domain that APIs can be asked about, in the catalog's order. Throws SqliteError. */
export function readColumns(
  { tables }: Catalog,
  connection: Pick<Connection, 'prepareAdHoc'>,
  places: Gazetteer,
): AskedColumn[] {
  return tables
    .filter(({ view }) => !view)
    .flatMap((table) =>
      table.columns.flatMap((column) => {
        const name = quoteIdentifier(column.name);
        const sql = `SELECT DISTINCT ${name} FROM ${quoteIdentifier(table.name)} WHERE ${name} IS NOT NULL LIMIT ${MOST_VALUES}`;
        const values = connection.prepareAdHoc(sql).all().flat();
        const classes = classesOf(table, column, values, places);
        return classes.reason === null ? [{ table, column, classes }] : [];
      }),
    );
}
