import type { Catalog, CatalogColumn } from '../../../../contracts/catalog.ts';
import type { StartTableDefinition } from '../../../../contracts/start-table.ts';
import { catalogTable, startColumns } from '../../tools/plan/start-columns.ts';

/** A column that a toolset offers. */
export interface OfferedColumn {
  readonly key: string;
  /** The column's description from the catalog, or null. */
  readonly description: string | null;
  readonly type: CatalogColumn['type'];
}

const MAX_CHARACTERS = 240;

/** The columns of some start tables, each name once. Throws ArgumentError for tables that do not exist. */
export function offeredColumns(
  definitions: readonly StartTableDefinition[],
  catalog: Catalog,
): OfferedColumn[] {
  const columns = new Map<string, OfferedColumn>();
  for (const { key, origin } of definitions.flatMap((definition) => startColumns(definition, catalog))) {
    const column = catalogTable(catalog, origin.table).columns.find(({ name }) => name === origin.column);
    if (column && !columns.has(key))
      columns.set(key, { key, description: describe(column), type: column.type });
  }
  return [...columns.values()];
}

function describe({ name, friendly_name, description, value_description }: CatalogColumn): string | null {
  const parts = [friendly_name, description, value_description].flatMap((text) => {
    const clean = text?.replace(/\s+/g, ' ').trim() ?? '';
    return clean === '' || clean.toLowerCase() === name.toLowerCase() ? [] : [clean];
  });
  const different = parts.filter((part, i) => !parts.slice(0, i).some((other) => same(part, other)));
  const text = different.join('; ');
  if (text === '') return null;
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1).trimEnd()}…`;
}

function same(a: string, b: string): boolean {
  const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return bare(a) === bare(b);
}
