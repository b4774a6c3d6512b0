import type { CatalogTable } from '../../contracts/catalog.ts';
import type { DealtEndpoint } from './dealt-endpoint.ts';

/** What a second reader reads: each domain's tables, then each endpoint's texts, without its name, columns and SQL. */
export function writeSheet(dealt: readonly DealtEndpoint[]): string {
  const services = [...new Set(dealt.map(({ service }) => service))];
  return services
    .map((one) => {
      const own = dealt.filter(({ service }) => service === one);
      return [
        `# ${one.db}`,
        ...one.catalog.tables.map((table) => tableText(table)),
        ...own.map(endpointText),
      ].join('\n\n');
    })
    .join('\n\n');
}

/** A table as a reader sees it: its columns with their descriptions, its keys, and values where a function gives them. */
export function tableText(
  { name, columns, foreign_keys }: CatalogTable,
  valuesOf: (column: string) => string = () => '',
): string {
  const keys = foreign_keys.map(
    (key) => `  (${key.columns.join(', ')}) → ${key.references_table} (${key.references_columns.join(', ')})`,
  );
  const lines = columns.map((column) => {
    const texts = [column.friendly_name, column.description, column.value_description];
    const prose = texts.filter((text) => text !== null && text !== column.name).join('; ');
    const values = valuesOf(column.name);
    const kind = `${column.declared_type}${column.primary_key > 0 ? ' key' : ''}`;
    return `  ${column.name} ${kind}${prose && `: ${prose}`}${values && ` [${values}]`}`;
  });
  return [`${name}`, ...lines, ...keys].join('\n');
}

function endpointText({ id, endpoint }: DealtEndpoint): string {
  const parameters = endpoint.parameters.map(
    ({ name, type, array, description }) => `- ${name} (${type}${array ? ' list' : ''}): ${description}`,
  );
  return [`## ${id}`, endpoint.summary, endpoint.description, ...parameters].join('\n');
}
