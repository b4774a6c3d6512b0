import type { Catalog } from '../../../../contracts/catalog.ts';
import type { StartTableDefinition } from '../../../../contracts/start-table.ts';
import { catalogTable } from '../plan/start-columns.ts';

/** Columns of a start table that can each have a tool of their own: with more, a toolset would be mostly getters. */
const MAX_GETTERS = 100;

/** Whether the columns of a start table have getters; those of a wider one are all read by `get_computed_column`. */
export function hasGetters({ alias_to_table_dict }: StartTableDefinition, catalog: Catalog): boolean {
  const widths = Object.values(alias_to_table_dict).map(
    ({ original_table_name }) => catalogTable(catalog, original_table_name).columns.length,
  );
  return widths.reduce((sum, width) => sum + width, 0) <= MAX_GETTERS;
}
