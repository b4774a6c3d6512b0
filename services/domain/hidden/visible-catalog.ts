import type { Catalog } from '../../../contracts/catalog.ts';

/** A view as the database has it. */
export interface ViewText {
  readonly name: string;
  readonly sql: string;
}

/**
 * The catalog without hidden tables, and without views that may read one: all whose text holds the name of a hidden table
 * or view. That may take a view too many, but never leaves one.
 */
export function visibleCatalog(
  catalog: Catalog,
  hidden: readonly string[],
  views: readonly ViewText[],
): Catalog {
  const gone = new Set(hidden.map((name) => name.toLowerCase()));
  if (gone.size === 0) return catalog;
  let found = true;
  while (found) {
    const reading = views.filter(({ name, sql }) => !gone.has(name.toLowerCase()) && names(sql, gone));
    for (const { name } of reading) gone.add(name.toLowerCase());
    found = reading.length > 0;
  }
  const known = new Set(views.map(({ name }) => name.toLowerCase()));
  const tables = catalog.tables.filter(
    ({ name, view }) => !gone.has(name.toLowerCase()) && (!view || known.has(name.toLowerCase())),
  );
  return { ...catalog, tables };
}

function names(sql: string, gone: ReadonlySet<string>): boolean {
  const text = sql.toLowerCase();
  return [...gone].some((name) =>
    // As it is, and with its quotes doubled as they stand in quotes.
    [name, name.replaceAll('"', '""'), name.replaceAll('`', '``')].some((spelling) =>
      text.includes(spelling),
    ),
  );
}
