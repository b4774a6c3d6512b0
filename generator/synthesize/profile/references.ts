import type Database from 'better-sqlite3';
import type { Catalog, CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import { quoteIdentifier } from '../../../sql/index.ts';

/** A column whose values are keys of another table. */
export interface Reference {
  readonly from: { readonly table: string; readonly column: string };
  readonly to: { readonly table: string; readonly column: string };
  /** Whether the schema says so; otherwise it follows from names and values. */
  readonly declared: boolean;
}

/** So many distinct values are looked up before a reference is believed. */
const TRIED_VALUES = 500;

/** The references of a database: those declared, and those that names and values show. */
export function inferReferences(catalog: Catalog, connection: Database.Database): Reference[] {
  const declared = catalog.tables.flatMap((table) =>
    table.foreign_keys.flatMap(({ columns, references_table, references_columns }): Reference[] => {
      const [column] = columns;
      const [to] = references_columns;
      if (columns.length !== 1 || column === undefined || to === undefined) return [];
      return [
        { from: { table: table.name, column }, to: { table: references_table, column: to }, declared: true },
      ];
    }),
  );
  const known = new Set(declared.map(({ from }) => `${from.table}\n${from.column}`));
  const inferred = catalog.tables
    .filter(({ view }) => !view)
    .flatMap((table) =>
      table.columns
        .filter(({ name }) => !known.has(`${table.name}\n${name}`))
        .flatMap((column) => referenceOf(table, column, catalog, connection)),
    );
  return [...declared, ...inferred];
}

function referenceOf(
  table: CatalogTable,
  column: CatalogColumn,
  catalog: Catalog,
  connection: Database.Database,
): Reference[] {
  const found = catalog.tables.find((other) => {
    const key = singleKey(other);
    if (key === null || other.name === table.name || other.view || other.rows === 0) return false;
    return namesKey(column.name, other.name, key.name) && holdsOnly(connection, table, column, other, key);
  });
  const key = found && singleKey(found);
  if (!found || !key) return [];
  return [
    {
      from: { table: table.name, column: column.name },
      to: { table: found.name, column: key.name },
      declared: false,
    },
  ];
}

/** The primary key, or else a first column called an id whose values are all different. */
function singleKey(table: CatalogTable): CatalogColumn | null {
  const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
  if (keys.length > 0) return keys.length === 1 ? (keys[0] ?? null) : null;
  const [first] = table.columns;
  const isId =
    first && /id$|code$|no$|nr$|key$/i.test(first.name) && first.statistics.distinct === table.rows;
  return isId ? first : null;
}

/** `customer_id`, `CustomerID` or `customer` for the key of `customers`; or the very name of a key that is no bare `id`. */
function namesKey(column: string, table: string, key: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const one = plain(table).replace(/(ie)?s$/, (end) => (end === 'ies' ? 'y' : ''));
  const name = plain(column);
  if (name === plain(key)) return plain(key) !== 'id';
  return [one, plain(table)].some(
    (noun) => noun.length > 2 && [`${noun}id`, noun, `${noun}code`, `${noun}no`].includes(name),
  );
}

function holdsOnly(
  connection: Database.Database,
  table: CatalogTable,
  column: CatalogColumn,
  other: CatalogTable,
  key: CatalogColumn,
): boolean {
  const name = quoteIdentifier(column.name);
  const stray = connection
    .prepare(
      `SELECT COUNT(*), COUNT(k.v) FROM (SELECT DISTINCT ${name} AS v FROM (SELECT ${name} FROM ${quoteIdentifier(table.name)} ` +
        `WHERE ${name} IS NOT NULL LIMIT 20000) LIMIT ${TRIED_VALUES}) AS t ` +
        `LEFT JOIN (SELECT ${quoteIdentifier(key.name)} AS v FROM ${quoteIdentifier(other.name)}) AS k ON k.v = t.v`,
    )
    .raw(true)
    .get() as [number | bigint, number | bigint];
  return Number(stray[0]) > 0 && stray[0] === stray[1];
}
