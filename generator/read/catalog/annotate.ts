import type { Catalog, CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import type { Annotations, ColumnAnnotation, TableAnnotation } from './annotations.ts';
import { matchName } from './match-name.ts';

/** The catalog with the annotations of the split's files; annotations of names that do not exist are ignored. */
export function annotate(catalog: Catalog, annotations: Annotations): Catalog {
  const names = catalog.tables.map((table) => table.name);
  const meant = annotations.tables.map((said) => ({ said, name: matchName(names, said.table) }));
  return {
    ...catalog,
    tables: catalog.tables.map((table) => annotateTable(table, ofName(meant, table.name))),
  };
}

function annotateTable(table: CatalogTable, said: readonly TableAnnotation[]): CatalogTable {
  const names = table.columns.map((column) => column.name);
  const meant = said
    .flatMap((one) => one.columns)
    .map((column) => ({ said: column, name: matchName(names, column.column) }));
  return {
    ...table,
    friendly_name: firstSaid(said, 'friendly_name', table.name),
    description: firstSaid(said, 'description'),
    columns: table.columns.map((column) => annotateColumn(column, ofName(meant, column.name))),
  };
}

function annotateColumn(column: CatalogColumn, said: readonly ColumnAnnotation[]): CatalogColumn {
  const facets = said.find((one) => one.facets)?.facets;
  return {
    ...column,
    ...(facets ? { facets: [...facets] } : {}),
    friendly_name: firstSaid(said, 'friendly_name', column.name),
    description: firstSaid(said, 'description'),
    value_description: firstSaid(said, 'value_description'),
  };
}

function ofName<T>(meant: readonly { said: T; name: string | null }[], name: string): T[] {
  return meant.filter((one) => one.name === name).map((one) => one.said);
}

/** A name that only repeats the real one adds no information. */
function firstSaid<K extends string>(
  said: readonly Readonly<Record<K, string | null>>[],
  key: K,
  unless?: string,
): string | null {
  return said.map((one) => one[key]).find((text) => text !== null && text !== unless) ?? null;
}
