import type { Catalog, Facet } from '../../contracts/catalog.ts';

const HEADER = 'table,column,name,description,value_description';

/**
 * `descriptions/<db>.csv`: a line a table and a line a column, with what is known of each; the rest is left to fill in.
 */
export function describeTables(catalog: Catalog): string {
  const hasFacets = catalog.tables.some(({ columns }) => columns.some(({ facets }) => facets));
  const lines = catalog.tables
    .filter(({ view }) => !view)
    .flatMap((table) => [
      csvLine([table.name, '', table.friendly_name, table.description, '', ...(hasFacets ? [''] : [])]),
      ...table.columns.map((column) =>
        csvLine([
          table.name,
          column.name,
          column.friendly_name,
          column.description,
          column.value_description,
          ...(hasFacets ? [(column.facets ?? []).map(facetLine).join('\n')] : []),
        ]),
      ),
    ]);
  return `${[hasFacets ? `${HEADER},facets` : HEADER, ...lines].join('\n')}\n`;
}

function facetLine({ phrases, terms }: Facet): string {
  return phrases.join(' / ') + (terms.length > 0 ? ` = ${terms.join(', ')}` : '');
}

/** Whether anything is known of a database that its schema does not say. */
export function isDescribed(catalog: Catalog): boolean {
  return catalog.tables.some((table) =>
    [table, ...table.columns].some((one) => one.friendly_name !== null || one.description !== null),
  );
}

function csvLine(cells: readonly (string | null)[]): string {
  return cells
    .map((cell) => (/[",\n\r]/.test(cell ?? '') ? `"${cell?.replaceAll('"', '""')}"` : (cell ?? '')))
    .join(',');
}
