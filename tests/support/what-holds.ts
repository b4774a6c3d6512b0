import Database from 'better-sqlite3';
import type { Catalog, CatalogTable } from '../../contracts/catalog.ts';
import { quoteIdentifier as q } from '../../sql/index.ts';

/** Rows that would break a dependency if two columns had nothing to do with each other. */
const EVIDENCE = 8;

/** A rule that rows of a database keep, as SQL that counts what breaks it. */
export interface Rule {
  readonly name: string;
  readonly broken: string;
}

/** Columns on which others of their table depend, and columns without repeats, by more than chance, asked of SQLite itself. */
export function dependencies(file: string, { tables }: Catalog): Rule[] {
  const db = new Database(file, { readonly: true });
  try {
    return tables
      .filter(({ view }) => !view)
      .flatMap((table) => [...dependenciesIn(db, table), ...singlesIn(db, table)]);
  } finally {
    db.close();
  }
}

function dependenciesIn(db: Database.Database, { name, columns, rows }: CatalogTable): Rule[] {
  const table = q(name);
  const sameness = columns.map((column) =>
    Number(
      db
        .prepare(
          `SELECT sum(n * n) * 1.0 / max(1, ${rows * rows}) FROM (SELECT count(*) AS n FROM ${table} GROUP BY ${q(column.name)})`,
        )
        .pluck()
        .get(),
    ),
  );
  return columns.flatMap((x) =>
    columns.flatMap((y, at): Rule[] => {
      const again = rows - x.statistics.nulls - x.statistics.distinct;
      if (x === y || again * (1 - (sameness[at] ?? 1)) < EVIDENCE) return [];
      const [a, b] = [q(x.name), q(y.name)];
      const broken = `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${a} IS NOT NULL GROUP BY ${a} COLLATE BINARY HAVING count(DISTINCT ${b} COLLATE BINARY) + max(${b} IS NULL) > 1)`;
      const holds = db.prepare(broken).pluck().get() === 0;
      return holds ? [{ name: `${name}: ${x.name} → ${y.name}`, broken }] : [];
    }),
  );
}

/** Texts but dates, and whole numbers so close to each other that some would be there twice if they were drawn. */
function singlesIn(db: Database.Database, { name, columns }: CatalogTable): Rule[] {
  return columns.flatMap(({ name: column }): Rule[] => {
    const [table, c] = [q(name), q(column)];
    const broken = `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${c} IS NOT NULL GROUP BY ${c} COLLATE BINARY HAVING count(*) > 1)`;
    const texts = `min(typeof(${c}) = 'text' AND ${c} NOT GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' AND NOT (${c} GLOB '[12][0-9]*' AND length(${c}) = 8) AND NOT json_valid(${c}))`;
    const numbers = `min(typeof(${c}) = 'integer') AND count(*) * (count(*) - 1) / 2.0 >= ${EVIDENCE} * (max(${c}) - min(${c}) + 1) AND NOT min(${c} BETWEEN 19000101 AND 20991231)`;
    const believed = `SELECT count(*) >= ${EVIDENCE} AND (${texts} OR ${numbers}) FROM ${table} WHERE ${c} IS NOT NULL`;
    const holds = db.prepare(broken).pluck().get() === 0 && db.prepare(believed).pluck().get() === 1;
    return holds ? [{ name: `${name}: ${column} is unique`, broken }] : [];
  });
}

/** How many rows break each declared foreign key; SQLite's own check refuses keys whose columns are not unique. */
export function brokenKeys(file: string, { tables }: Catalog): Map<string, number> {
  const db = new Database(file, { readonly: true });
  const counts = tables.flatMap(({ name, foreign_keys }) =>
    foreign_keys.map(({ columns, references_table, references_columns }): [string, number] => {
      const known = columns.map((column) => `${q(column)} IS NOT NULL`).join(' AND ');
      const to = `SELECT ${references_columns.map(q).join(', ')} FROM ${q(references_table)}`;
      const broken = `SELECT count(*) FROM ${q(name)} WHERE ${known} AND (${columns.map(q).join(', ')}) NOT IN (${to} WHERE ${references_columns.map((key) => `${q(key)} IS NOT NULL`).join(' AND ')})`;
      return [`${name} (${columns})`, Number(db.prepare(broken).pluck().get())];
    }),
  );
  db.close();
  return new Map(counts);
}

/** What a database breaks: rules, and what SQLite itself finds wrong with indexes and checks. */
export function whatBreaks(file: string, rules: readonly Rule[]): string[] {
  const db = new Database(file, { readonly: true });
  const wrong = rules.filter(({ broken }) => db.prepare(broken).pluck().get() !== 0).map(({ name }) => name);
  const found = db.pragma('integrity_check') as { integrity_check: string }[];
  db.close();
  return [...wrong, ...found.map(({ integrity_check }) => integrity_check).filter((each) => each !== 'ok')];
}
