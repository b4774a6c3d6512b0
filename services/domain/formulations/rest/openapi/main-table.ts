import type { Catalog } from '../../../../../contracts/catalog.ts';
import type { Endpoint } from '../../../../../contracts/service.ts';

/** The table that an endpoint is listed under: the first that its SQL names in a FROM, or the domain's name. */
export function mainTable({ sql }: Endpoint, { db, tables }: Catalog): string {
  const found = tables
    .map(({ name }) => ({ name, at: sql.indexOf(`FROM ${quoted(name)} `) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  return found[0]?.name ?? db;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
