import Database from 'better-sqlite3';
import type { Catalog } from '../../contracts/catalog.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { openUnsafely, storedRows, storedTables } from '../oracle/engines.ts';
import type { Stored } from '../oracle/oracle.ts';
import { dropSearchIndexes, rebuildSearchIndexes } from '../oracle/served-copy.ts';
import { type Content, contentOf, fits, nextDay } from './mentions.ts';
import type { Random } from './random.ts';

export interface ColumnShape {
  readonly name: string;
  readonly nullable: boolean;
  /** Unique, alone or as part of the primary key, so that changes would collide. */
  readonly unique: boolean;
  readonly foreign: boolean;
  readonly primaryKey: boolean;
  /** null where any value of its type will do. */
  readonly content: Content | null;
}

export interface TableShape {
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly ColumnShape[];
  /** Columns that identify a row: a visible alias of the row id, or the primary key. */
  readonly identity: readonly string[];
  readonly rows: number;
}

/** The tables whose rows something identifies. */
export function tableShapes(db: Database.Database, catalog: Catalog): TableShape[] {
  return storedTables(db).flatMap(({ name: table, columns, identity }): TableShape[] => {
    if (identity.length === 0) return [];
    const unique = uniqueColumns(db, table);
    const foreign = new Set(
      (catalog.tables.find(({ name }) => name === table)?.foreign_keys ?? []).flatMap((fk) => fk.columns),
    );
    const count = db.prepare(`SELECT count(*) FROM ${quoteIdentifier(table)}`).pluck();
    const stored = columns.filter(({ hidden }) => hidden === 0);
    const contents = contentsOf(
      db,
      table,
      stored.map(({ name }) => name),
    );
    const shapes = stored.map(({ name, notnull, pk }, i) => ({
      name,
      nullable: notnull === 0 && pk === 0,
      unique: pk > 0 || unique.has(name),
      foreign: foreign.has(name),
      primaryKey: pk > 0,
      content: contents[i] ?? null,
    }));
    return [{ name: table, identity, rows: count.get() as number, columns: shapes }];
  });
}

/** Rows sampled to judge the content of columns. */
const LOOKED_AT = 200;

function contentsOf(db: Database.Database, table: string, names: readonly string[]): (Content | null)[] {
  if (names.length === 0) return [];
  const list = names.map((name) => quoteIdentifier(name)).join(', ');
  const rows = storedRows(db, `SELECT ${list} FROM ${quoteIdentifier(table)} LIMIT ${LOOKED_AT}`);
  return names.map((_, i) => contentOf(rows.map((row) => row[i] ?? null)));
}

function uniqueColumns(db: Database.Database, table: string): Set<string> {
  const names = db
    .prepare(
      `SELECT c.name FROM pragma_index_list(?) AS i, pragma_index_info(i.name) AS c
       WHERE i."unique" = 1 AND c.name IS NOT NULL`,
    )
    .pluck()
    .all(table) as string[];
  return new Set(names);
}

type Values = Readonly<Record<string, Stored>>;

/** `row` identifies the changed row. */
export type Change =
  | { readonly kind: 'delete'; readonly table: TableShape; readonly row: Values }
  | { readonly kind: 'update'; readonly table: TableShape; readonly row: Values; readonly set: Values }
  | { readonly kind: 'insert'; readonly table: TableShape; readonly values: Values };

/** Makes the changes in order, without triggers and foreign keys; skips those that the schema refuses. */
export function applyChanges(file: string, changes: readonly Change[], isSearched = true): void {
  const db = openUnsafely(file);
  try {
    db.pragma('foreign_keys = OFF');
    const make = changeMaker(db);
    db.transaction(() => {
      withoutTriggers(db, () => {
        for (const change of changes) make(change);
      });
      // Rebuilding them takes longer than all changes.
      if (isSearched) rebuildSearchIndexes(db);
      else dropSearchIndexes(db);
    })();
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** Makes one change and returns how many rows changed: 0 if the schema refuses it or the row is gone. */
export function changeMaker(db: Database.Database): (change: Change) => number {
  const statements = new Map<string, Database.Statement<Stored[]>>();
  return (change) => {
    const sql = sqlOf(change);
    const statement = statements.get(sql) ?? db.prepare<Stored[]>(sql);
    statements.set(sql, statement);
    try {
      return statement.run(...valuesOf(change)).changes;
    } catch (error) {
      if (!(error instanceof Database.SqliteError) || !isRefusal(error.code)) throw error;
      return 0;
    }
  };
}

/** A constraint, a non-integer row id, or a value that breaks an index or a generated column. */
function isRefusal(code: string): boolean {
  return (
    code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_MISMATCH' || code.startsWith('SQLITE_ERROR')
  );
}

function sqlOf(change: Change): string {
  const table = quoteIdentifier(change.table.name);
  const where = change.table.identity.map((name) => `${quoteIdentifier(name)} IS ?`).join(' AND ');
  switch (change.kind) {
    case 'delete':
      return `DELETE FROM ${table} WHERE ${where}`;
    case 'update': {
      const set = Object.keys(change.set).map((name) => `${quoteIdentifier(name)} = ?`);
      return `UPDATE OR IGNORE ${table} SET ${set.join(', ')} WHERE ${where}`;
    }
    case 'insert': {
      const names = Object.keys(change.values);
      const holes = names.map(() => '?').join(', ');
      return `INSERT OR IGNORE INTO ${table} (${names.map(quoteIdentifier).join(', ')}) VALUES (${holes})`;
    }
  }
}

function valuesOf(change: Change): Stored[] {
  if (change.kind === 'insert') return Object.values(change.values);
  const row = change.table.identity.map((name) => change.row[name] ?? null);
  return change.kind === 'delete' ? row : [...Object.values(change.set), ...row];
}

function withoutTriggers(db: Database.Database, work: () => void): void {
  const triggers = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${quoteIdentifier(name)}`);
  work();
  for (const { sql } of triggers) db.exec(sql);
}

/** Rows of a table that are read and may change, to bound the cost for large tables. */
const MAX_ROWS = 2000;

const DROP = 0.04;
const CHANGE_ROW = 0.2;
const CHANGE_CELL = 0.3;

export type StoredRow = Record<string, Stored>;

/** Removes some rows; swaps, nudges or nulls a few values in others. Keeps keys, so that rows still join. */
export function perturbTable(db: Database.Database, table: TableShape, random: Random): Change[] {
  const rows = sampleRows(db, table, random);
  const changes: Change[] = [];
  for (const row of rows) {
    if (random.chance(DROP)) {
      changes.push({ kind: 'delete', table, row: identityOf(table, row) });
    } else if (random.chance(CHANGE_ROW)) {
      const set: StoredRow = {};
      for (const column of table.columns) {
        if (column.unique || !random.chance(column.foreign ? CHANGE_CELL / 2 : CHANGE_CELL)) continue;
        set[column.name] = otherValue(row[column.name] ?? null, column, rows, random);
      }
      if (Object.keys(set).length > 0) {
        changes.push({ kind: 'update', table, row: identityOf(table, row), set });
      }
    }
  }
  return changes;
}

export function identityOf(table: TableShape, row: StoredRow): StoredRow {
  return Object.fromEntries(table.identity.map((name) => [name, row[name] ?? null]));
}

function otherValue(value: Stored, column: ColumnShape, rows: readonly StoredRow[], random: Random): Stored {
  if (column.nullable && random.chance(0.1)) return null;
  if (!column.foreign && random.chance(0.3)) return nudgeWithin(value, column.content, random);
  return random.pick(rows)?.[column.name] ?? value;
}

/** All rows, or up to 2,000 in runs of neighbours from random places. */
export function sampleRows(db: Database.Database, table: TableShape, random: Random): StoredRow[] {
  const names = new Set([...table.identity, ...table.columns.map(({ name }) => name)]);
  const all = `SELECT ${[...names].map((name) => `t.${quoteIdentifier(name)} AS ${quoteIdentifier(name)}`).join(', ')} FROM ${quoteIdentifier(table.name)} AS t`;
  const read = (sql: string, ...values: Stored[]) =>
    db
      .prepare<Stored[], StoredRow>(sql)
      .safeIntegers()
      .all(...values);
  const key = table.identity.map((name) => `t.${quoteIdentifier(name)}`).join(', ');
  if (table.rows <= MAX_ROWS || table.columns[0] === undefined)
    return read(`${all} ORDER BY ${key} LIMIT ${MAX_ROWS}`);

  // Each run costs one step down the table's tree.
  const [first] = table.identity;
  const runs = 40;
  const at = `t.${quoteIdentifier(first ?? 'rowid')}`;
  const bounds = db.prepare(
    `SELECT min(${at}) AS low, max(${at}) AS high FROM ${quoteIdentifier(table.name)} AS t`,
  );
  const { low, high } = bounds.safeIntegers().get() as { low: Stored; high: Stored };
  if (typeof low !== 'bigint' || typeof high !== 'bigint')
    return read(`${all} ORDER BY ${key} LIMIT ${MAX_ROWS}`);
  const found = new Map<string, StoredRow>();
  for (let run = 0; run < runs; run++) {
    const from = low + BigInt(Math.floor(Number(high - low) * random.next()));
    for (const row of read(`${all} WHERE ${at} >= ? ORDER BY ${key} LIMIT ${MAX_ROWS / runs}`, from)) {
      found.set(table.identity.map((name) => String(row[name])).join('\n'), row);
    }
  }
  return [...found.values()];
}

/** Slightly changes a value: a number by a small step, a text by a letter or its case. */
export function nudge(value: Stored, random: Random): Stored {
  const up = random.chance(0.5);
  switch (typeof value) {
    case 'bigint':
      return value >= 1n << 62n || value <= -(1n << 62n) ? value : value + (up ? 1n : -1n);
    case 'number':
      return random.chance(0.5) ? value + (up ? 1 : -1) : value * (up ? 1.01 : 0.99);
    case 'string':
      return nudgeText(value, random);
    default:
      return value;
  }
}

function nudgeText(text: string, random: Random): string {
  // Numbers and dates stored as text stay numbers and dates.
  const digits = [...text.matchAll(/\d/g)];
  const digit = random.pick(digits);
  if (digit && digits.length * 2 >= text.length) {
    const other = (Number(digit[0]) + 1 + random.below(8)) % 10;
    return text.slice(0, digit.index) + other + text.slice(digit.index + 1);
  }
  const other = [
    text.toUpperCase(),
    text.toLowerCase(),
    `${text}s`,
    `x${text}`,
    ` ${text}`,
    text.slice(0, -1),
  ];
  return random.pick(other.filter((each) => each !== text)) ?? text;
}

/** As `nudge`, within the column's content: JSON stays JSON, a day a day. */
export function nudgeWithin(value: Stored, content: Content | null, random: Random): Stored {
  if (content === null || value === null || !fits(value, content)) return nudge(value, random);
  if (content === 'json') return nudgeJson(String(value), random);
  return nextDay(value, random.chance(0.5));
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Nudges one of the values in a JSON text, if there is one. */
export function nudgeJson(text: string, random: Random): string {
  const json = JSON.parse(text) as Json;
  const places = leaves(json, []);
  const place = random.pick(places);
  if (!place) return text;
  return JSON.stringify(withValue(json, place.path, nudged(place.value, random)));
}

/** Sets the value at a path such as `$.a.b[0]`; null where the path leads nowhere. */
export function setInJson(text: Stored, path: string, value: Stored): string | null {
  const steps = stepsOf(path);
  if (typeof text !== 'string' || !steps || Buffer.isBuffer(value)) return null;
  const json = JSON.parse(text) as Json;
  const plain = typeof value === 'bigint' ? Number(value) : (value as Json);
  return reaches(json, steps.slice(0, -1)) ? JSON.stringify(withValue(json, steps, plain)) : null;
}

type JsonStep = string | number;

interface Leaf {
  readonly path: readonly JsonStep[];
  readonly value: Json;
}

function leaves(json: Json, path: readonly JsonStep[]): Leaf[] {
  if (Array.isArray(json)) return json.flatMap((item, i) => leaves(item, [...path, i]));
  if (typeof json !== 'object' || json === null) return [{ path, value: json }];
  return Object.entries(json).flatMap(([name, item]) => leaves(item, [...path, name]));
}

function nudged(value: Json, random: Random): Json {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value + (random.chance(0.5) ? 1 : -1);
  if (typeof value !== 'number' && typeof value !== 'string') return value;
  return nudge(value, random) as Json;
}

function withValue(json: Json, [step, ...rest]: readonly JsonStep[], value: Json): Json {
  if (step === undefined) return value;
  if (Array.isArray(json)) return json.map((item, i) => (i === step ? withValue(item, rest, value) : item));
  if (typeof json !== 'object' || json === null) return json;
  return { ...json, [step]: withValue(json[step] ?? null, rest, value) };
}

function reaches(json: Json, [step, ...rest]: readonly JsonStep[]): boolean {
  if (step === undefined) return typeof json === 'object' && json !== null;
  if (typeof json !== 'object' || json === null) return false;
  const inner = (json as Record<JsonStep, Json>)[step];
  return inner !== undefined && reaches(inner, rest);
}

/** null for a path with anything but names and indexes, or empty. */
function stepsOf(path: string): JsonStep[] | null {
  const steps: JsonStep[] = [];
  const pattern = /\.([A-Za-z_]\w*)|\."([^"]+)"|\[(\d+)\]/y;
  pattern.lastIndex = 1;
  while (pattern.lastIndex < path.length) {
    const found = pattern.exec(path);
    if (!found) return null;
    steps.push(found[1] ?? found[2] ?? Number(found[3]));
  }
  return path.startsWith('$') && steps.length > 0 ? steps : null;
}
