import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/index.ts';

/** The size of a domain. */
export interface DomainSize {
  readonly sourceBytes: number;
  readonly tables: number;
  readonly rows: number;
  readonly faults: readonly string[];
}

/** What a domain of the bundled split may weigh. */
const LIMITS = { sourceBytes: 1_200_000, tables: [5, 15], rows: [1_000, 50_000] } as const;

/** Measures a domain's sources and its built database. */
export function checkSources(folder: string, database: string): DomainSize {
  const sourceBytes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => statSync(join(folder, file)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
  const db = new Database(database, { readonly: true });
  const names = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
  const counts = names.map((name) =>
    db
      .prepare<[], number>(`SELECT COUNT(*) FROM ${quoteIdentifier(name)}`)
      .pluck()
      .get(),
  );
  db.close();
  const rows = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const faults = [
    ...(sourceBytes > LIMITS.sourceBytes
      ? [`${sourceBytes} bytes of sources; at most ${LIMITS.sourceBytes}`]
      : []),
    ...outside('tables', names.length, LIMITS.tables),
    ...outside('rows', rows, LIMITS.rows),
    ...names.filter((_, index) => counts[index] === 0).map((name) => `table ${name} is empty`),
  ];
  return { sourceBytes, tables: names.length, rows, faults };
}

function outside(what: string, value: number, [min, max]: readonly [number, number]): string[] {
  return value < min || value > max ? [`${value} ${what}; ${min} to ${max} are asked for`] : [];
}
