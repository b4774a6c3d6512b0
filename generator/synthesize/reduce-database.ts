import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { CatalogTable } from '../../contracts/catalog.ts';
import { OptionError } from '../../contracts/errors.ts';
import { type Collection, collectionsOf, type Property } from '../../services/domain/query/collections.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { privateFolder } from '../read/open-database.ts';
import { Random } from '../variants/random.ts';
import type { SynthesisDomain } from './find-databases.ts';

/** How many tables a database keeps, and how many properties of each type each of them. */
export interface Mix {
  /** All that have the properties, unless given. */
  readonly collections?: number | undefined;
  /** All of them, unless given. */
  readonly properties?: Readonly<Record<Property['type'], number>> | undefined;
}

/** Parses `2t1n1b`: two texts, one number, one boolean; null for any other text. */
export function readProperties(text: string): NonNullable<Mix['properties']> | null {
  const [whole, texts, numbers, booleans] = /^(?:(\d)t)?(?:(\d)n)?(?:(\d)b)?$/.exec(text) ?? [];
  if (!whole) return null;
  return { text: Number(texts ?? 0), integer: Number(numbers ?? 0), boolean: Number(booleans ?? 0) };
}

/**
 * A copy of a database with fewer tables and columns: tables drawn by the seed from those that have the properties, and
 * of each its first properties of each type. Without keys, indexes and views. Throws OPTION_INVALID if tables lack.
 */
export function reduceDatabase(
  domain: SynthesisDomain,
  { collections, properties }: Mix,
  seed: string,
): SynthesisDomain {
  const { db, catalog, tried } = domain;
  const able = collectionsOf(catalog)
    .filter(({ joined, table }) => joined === null && !table.view)
    .flatMap((each) => reduced(each, properties) ?? []);
  const count = collections ?? able.length;
  if (able.length < Math.max(1, count)) {
    const [option, what] = properties ? ['--properties', 'with these properties'] : ['--collections', ''];
    throw new OptionError(option, `${db} has ${able.length} tables ${what}`.trimEnd());
  }
  const random = new Random(`${seed}\n${db}\ncollections`);
  const left = [...able];
  while (left.length > count) left.splice(random.below(left.length), 1);
  const file = join(privateFolder(), `${db}.sqlite`);
  copyTables(tried, file, left);
  return { ...domain, file, tried: file, unread_views: [], catalog: { ...catalog, tables: left } };
}

/** The table with its first properties of each type; null if it has too few. */
function reduced({ table, properties: all }: Collection, wanted: Mix['properties']): CatalogTable | null {
  const room = new Map(Object.entries(wanted ?? {}));
  const kept = all.filter(({ type }) => {
    const more = wanted === undefined ? 1 : (room.get(type) ?? 0);
    room.set(type, more - 1);
    return wanted === undefined || more > 0;
  });
  if (wanted && [...room.values()].some((more) => more > 0)) return null;
  const columns = kept.map(({ column }) => ({ ...column, primary_key: 0 }));
  return { ...table, columns, foreign_keys: [], has_rowid: true };
}

function copyTables(from: string, to: string, tables: readonly CatalogTable[]): void {
  const copy = new Database(to);
  try {
    copy.prepare('ATTACH ? AS original').run(from);
    for (const { name, columns } of tables) {
      const table = quoteIdentifier(name);
      const names = columns.map((column) => quoteIdentifier(column.name));
      const definitions = columns.map(
        ({ declared_type, not_null, collation }, i) =>
          `${names[i]} ${declared_type}${not_null ? ' NOT NULL' : ''}${collation === 'BINARY' ? '' : ` COLLATE ${collation}`}`,
      );
      copy.exec(`CREATE TABLE main.${table} (${definitions.join(', ')})`);
      copy.exec(`INSERT INTO main.${table} SELECT ${names.join(', ')} FROM original.${table}`);
    }
    copy.exec('DETACH original');
  } finally {
    copy.close();
  }
}
