import type { Catalog, CatalogTable } from '../../../../contracts/catalog.ts';
import type { StartTableDefinition } from '../../../../contracts/start-table.ts';
import { nearestNames } from '../../../../contracts/wording.ts';
import { fieldError } from '../../../base/arguments/argument-error.ts';
import type { PlanColumn } from './plan.ts';
import { uniqueKey } from './unique-key.ts';

/** A column of a start table, and which of its aliases holds it. */
export interface StartColumn extends PlanColumn {
  readonly alias: string;
  readonly origin: { readonly table: string; readonly column: string };
}

/**
 * The columns of a start table in join order, called `<modified table name>_<column>` with everything but
 * letters, digits and `_` made `_`; equal names are numbered from 2. Throws ArgumentError for an unknown table.
 */
export function startColumns(definition: StartTableDefinition, catalog: Catalog): StartColumn[] {
  const taken = new Set<string>();
  return Object.entries(definition.alias_to_table_dict).flatMap(([alias, names]) => {
    const table = catalogTable(catalog, names.original_table_name);
    return table.columns.map((column) => ({
      key: uniqueKey(`${names.modified_table_name}_${column.name}`, taken),
      origin: { table: table.name, column: column.name },
      alias,
    }));
  });
}

/** The catalog's table of that name, in any case. Throws ArgumentError with the nearest names. */
export function catalogTable(catalog: Catalog, name: string): CatalogTable {
  const wanted = name.toLowerCase();
  const found = catalog.tables.find((table) => table.name.toLowerCase() === wanted);
  if (found) return found;
  const names = catalog.tables.map((table) => table.name);
  throw fieldError(
    'alias_to_table_dict',
    'unknown_table',
    `there is no table ${name}`,
    nearestNames(name, names),
  );
}
