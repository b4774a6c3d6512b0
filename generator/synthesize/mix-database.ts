import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Catalog, CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import { OptionError } from '../../contracts/errors.ts';
import { PROPERTY_TYPES, type PropertyType } from '../../contracts/query-tool.ts';
import { type Collection, collectionsOf } from '../../services/domain/query/collections.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { readCatalog } from '../read/catalog.ts';
import { openReadonly, privateFolder } from '../read/open-database.ts';
import { Random } from '../variants/random.ts';
import { type DerivedProperty, derivedProperties } from './derive-properties.ts';
import type { SynthesisDomain } from './find-databases.ts';

/** How many tables a database has, and how many properties of each type each of them. */
export interface Mix {
  /** All that have the properties, unless given. */
  readonly collections?: number | undefined;
  /** All of them, unless given. */
  readonly properties?: Readonly<Record<PropertyType, number>> | undefined;
}

/** Parses `2t1n1b`: two texts, one number, one boolean; null for any other text. */
export function readProperties(text: string): NonNullable<Mix['properties']> | null {
  const [whole, texts, numbers, booleans] = /^(?:(\d)t)?(?:(\d)n)?(?:(\d)b)?$/.exec(text) ?? [];
  if (!whole) return null;
  return { text: Number(texts ?? 0), integer: Number(numbers ?? 0), boolean: Number(booleans ?? 0) };
}

/** A table with the properties of a mix. */
interface MixedTable {
  readonly file: string;
  readonly table: CatalogTable;
  /** Its own columns. */
  readonly columns: readonly CatalogColumn[];
  readonly derived: readonly DerivedProperty[];
}

/**
 * A copy of a database with other numbers of tables and columns. Tables are drawn by the seed, from other databases too
 * if it has too few; each has its first properties of each type, and others computed from its own if it has too few.
 * Without keys, indexes and views. Throws OPTION_INVALID if tables lack.
 */
export function mixDatabase(
  domain: SynthesisDomain,
  { collections, properties }: Mix,
  seed: string,
  others: readonly SynthesisDomain[] = [],
): SynthesisDomain {
  const { db, catalog } = domain;
  const able = mixedTables(domain, properties);
  const count = collections ?? able.length;
  const random = new Random(`${seed}\n${db}\ncollections`);
  const drawn = [...able];
  while (drawn.length > count) drawn.splice(random.below(drawn.length), 1);
  const lent = drawn.length < count ? others.flatMap((other) => mixedTables(other, properties)) : [];
  while (drawn.length < count && lent.length > 0) {
    const [next] = lent.splice(random.below(lent.length), 1);
    const isNew = drawn.every(({ table }) => table.name.toLowerCase() !== next?.table.name.toLowerCase());
    if (next && isNew) drawn.push(next);
  }
  if (drawn.length < Math.max(1, count)) {
    const [option, what] = properties ? ['--properties', 'with these properties'] : ['--collections', ''];
    throw new OptionError(option, `${db} and the others have ${drawn.length} tables ${what}`.trimEnd());
  }
  const file = join(privateFolder(), `${db}.sqlite`);
  const tables = copyTables(file, drawn, db);
  return { ...domain, file, tried: file, unread_views: [], catalog: { ...catalog, tables } };
}

/** A domain's tables that have the properties, or from which those can be computed that lack. */
function mixedTables({ catalog, tried }: SynthesisDomain, wanted: Mix['properties']): MixedTable[] {
  const connection = openReadonly(tried);
  try {
    return collectionsOf(catalog)
      .filter(({ joined, table }) => joined === null && !table.view)
      .flatMap((each) => {
        const mixed = mixedTable(each, wanted, connection);
        return mixed ? [{ file: tried, ...mixed }] : [];
      });
  } finally {
    connection.close();
  }
}

function mixedTable(
  collection: Collection,
  wanted: Mix['properties'],
  connection: Database.Database,
): Omit<MixedTable, 'file'> | null {
  const { table, properties } = collection;
  if (!wanted) return { table, columns: table.columns, derived: [] };
  const kept = PROPERTY_TYPES.flatMap((type) =>
    properties.filter((property) => property.type === type).slice(0, wanted[type]),
  );
  const derived = PROPERTY_TYPES.flatMap((type) => {
    const lacking = wanted[type] - kept.filter((property) => property.type === type).length;
    return lacking > 0 ? derivedProperties(collection, type, connection).slice(0, lacking) : [];
  });
  const all = PROPERTY_TYPES.reduce((sum, type) => sum + wanted[type], 0);
  if (kept.length + derived.length < all) return null;
  const names = new Set(kept.map(({ name }) => name));
  return { table, columns: table.columns.filter(({ name }) => names.has(name)), derived };
}

/** Copies the tables, and gives them as a catalog has them. */
function copyTables(to: string, tables: readonly MixedTable[], db: string): CatalogTable[] {
  const copy = new Database(to);
  try {
    for (const { file, table, columns, derived } of tables) {
      const name = quoteIdentifier(table.name);
      const definitions = [
        ...columns.map(
          ({ name, declared_type, not_null, collation }) =>
            `${quoteIdentifier(name)} ${declared_type}${not_null ? ' NOT NULL' : ''}${collation === 'BINARY' ? '' : ` COLLATE ${collation}`}`,
        ),
        ...derived.map((each) => `${quoteIdentifier(each.name)} ${each.declaredType}`),
      ];
      const values = [
        ...columns.map((column) => quoteIdentifier(column.name)),
        ...derived.map(({ sql }) => sql),
      ];
      copy.prepare('ATTACH ? AS original').run(file);
      copy.exec(`CREATE TABLE main.${name} (${definitions.join(', ')})`);
      // A window would sort the rows.
      const order = table.has_rowid ? ' ORDER BY rowid' : '';
      copy.exec(`INSERT INTO main.${name} SELECT ${values.join(', ')} FROM original.${name}${order}`);
      copy.exec('DETACH original');
    }
    const read = readCatalog(db, copy);
    return tables.map((each) => describedTable(each, read));
  } finally {
    copy.close();
  }
}

function describedTable({ table, columns, derived }: MixedTable, read: Catalog): CatalogTable {
  const made = read.tables.find(({ name }) => name === table.name);
  const added = derived.flatMap(({ name, friendlyName, description }): CatalogColumn[] => {
    const column = made?.columns.find((each) => each.name === name);
    return column ? [{ ...column, friendly_name: friendlyName, description }] : [];
  });
  return {
    ...table,
    columns: [...columns.map((column) => ({ ...column, primary_key: 0 })), ...added],
    foreign_keys: [],
    has_rowid: true,
  };
}
