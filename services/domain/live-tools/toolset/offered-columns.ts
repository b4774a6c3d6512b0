import type { Catalog, CatalogColumn } from '../../../../contracts/catalog.ts';
import type { StartTableDefinition } from '../../../../contracts/start-table.ts';
import { describeColumn } from '../../tools/plan/describe-column.ts';
import { catalogTable, startColumns } from '../../tools/plan/start-columns.ts';

/** A column that a toolset offers. */
export interface OfferedColumn {
  readonly key: string;
  /** The column's description from the catalog, or null. */
  readonly description: string | null;
  readonly type: CatalogColumn['type'];
}

/** The columns of some start tables, each name once. Throws ArgumentError for tables that do not exist. */
export function offeredColumns(
  definitions: readonly StartTableDefinition[],
  catalog: Catalog,
): OfferedColumn[] {
  const columns = new Map<string, OfferedColumn>();
  for (const { key, origin } of definitions.flatMap((definition) => startColumns(definition, catalog))) {
    const column = catalogTable(catalog, origin.table).columns.find(({ name }) => name === origin.column);
    if (column && !columns.has(key))
      columns.set(key, { key, description: describeColumn(column), type: column.type });
  }
  return [...columns.values()];
}
