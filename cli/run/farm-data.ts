import { join } from 'node:path';
import type { Catalog } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { searchIndex } from '../../contracts/search-index.ts';
import type { Row } from '../../contracts/value.ts';
import { Oracle } from '../../generator/oracle/oracle.ts';
import type { FarmData } from '../../runner/agents/agent.ts';
import { quoteIdentifier } from '../../sql/index.ts';

/** The limits of a service, and of a baseline. */
const LIMITS = { limitMs: 10_000, maxRows: 10_000, maxBytes: 16 * 1024 * 1024, children: 2 };

/**
 * The databases of a farm folder, read in child processes, so that any statement can be stopped. `originals` are those
 * of the split: the served copies have the same rows, but other indexes, and an answer that SQL leaves open (a bare
 * column, a tie at a LIMIT) may be another one.
 */
export function openFarmData(
  folder: string,
  referenceTime: string,
  catalogs: ReadonlyMap<string, Catalog>,
  originals: ReadonlyMap<string, string> = new Map(),
): FarmData & { close(): Promise<void> } {
  const oracle = new Oracle({ referenceTime, ...LIMITS });
  const fileOf = (db: string) => originals.get(db) ?? join(folder, 'databases', `${db}.sqlite`);
  const texts = new Map<string, Promise<string>>();
  const columns = new Map<string, Promise<readonly Row[number][]>>();
  const once = (key: string, make: () => Promise<string>) => {
    const known = texts.get(key) ?? make();
    texts.set(key, known);
    return known;
  };
  const rowsOf = async (db: string, sql: string) => (await oracle.run(fileOf(db), sql)).rows;

  // Many questions are about the same few columns.
  async function valuesOf(db: string, table: string, column: string, max: number) {
    const [from, name] = [quoteIdentifier(table), quoteIdentifier(column)];
    const sql = `SELECT ${name} FROM ${from} WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${max}`;
    try {
      return (await rowsOf(db, sql)).map(([value]) => value ?? null);
    } catch (error) {
      if (error instanceof QueryError) return [];
      throw error;
    }
  }

  return {
    ddl: (db) =>
      once(`ddl ${db}`, async () => {
        const rows = await rowsOf(db, TABLES);
        return rows.map(([sql]) => `${sql};`).join('\n');
      }),
    descriptions: (db) => once(`descriptions ${db}`, async () => describe(catalogs.get(db))),
    firstRows: (db, count) =>
      once(`rows ${count} ${db}`, async () => {
        const tables = (catalogs.get(db)?.tables ?? []).map(({ name }) => name);
        const shown = await Promise.all(
          tables.map(async (table) => {
            const { columns, rows } = await oracle.run(
              fileOf(db),
              `SELECT * FROM ${quoteIdentifier(table)} LIMIT ${count}`,
            );
            return [`${table} (${columns.join(', ')})`, ...rows.map((row) => JSON.stringify(row))].join('\n');
          }),
        );
        return shown.join('\n\n');
      }),
    async query(db, sql) {
      try {
        const { columns, rows } = await oracle.run(fileOf(db), sql);
        return { columns, rows };
      } catch (error) {
        if (error instanceof QueryError) return `${error.code}: ${error.message}`;
        throw error;
      }
    },
    values(db, table, column, max) {
      const key = JSON.stringify([db, table, column, max]);
      const known = columns.get(key) ?? valuesOf(db, table, column, max);
      columns.set(key, known);
      return known;
    },
    close: () => oracle.close(),
  };
}

/** Without what the served copy has beside the tables of the split: statistics, and indexes of words. */
const OWN = ['sqlite_', searchIndex('')]
  .map((name) => `substr(name, 1, ${name.length}) <> '${name}'`)
  .join(' AND ');
const TABLES = `SELECT sql FROM sqlite_master WHERE type IN ('table', 'view') AND sql IS NOT NULL AND ${OWN} ORDER BY rowid`;

function describe(catalog: Catalog | undefined): string {
  const lines = (catalog?.tables ?? []).flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name, friendly_name, description, value_description }) => {
      const told = [friendly_name, description, value_description].filter(
        (text) => text !== null && text !== '',
      );
      return told.length === 0 ? [] : [`${table}.${name}: ${told.join('; ')}`];
    }),
  );
  return lines.join('\n');
}
