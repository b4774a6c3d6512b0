import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../contracts/catalog.ts';
import { WRITE_KINDS } from '../../contracts/records.ts';
import type { Sample } from '../../contracts/sample.ts';
import { DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { generate } from '../generate.ts';
import { Oracle, type WritesAnswer } from '../oracle/oracle.ts';
import { withoutEachCondition } from '../records/one-meaning.ts';
import { databaseFiles, findDatabases } from './find-databases.ts';
import { synthesizeWrites, type WriteSynthesis } from './synthesize-writes.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-synthesize-writes-'));
const file = join(folder, 'shop.sqlite');
const SHOP = `
  CREATE TABLE store (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, seats INTEGER CHECK (seats BETWEEN 0 AND 40));
  CREATE TABLE customer (
    id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, tier TEXT, credit_limit REAL, password_hash TEXT);
  CREATE TABLE purchase (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id),
    store_id INTEGER NOT NULL REFERENCES store (id), bought TEXT NOT NULL, status TEXT, total REAL);
  CREATE TABLE item (
    purchase_id INTEGER REFERENCES purchase (id), line INTEGER, product TEXT, price REAL, quantity INTEGER,
    PRIMARY KEY (purchase_id, line));
  CREATE TABLE membership (
    customer_id INTEGER REFERENCES customer (id), store_id INTEGER REFERENCES store (id), level TEXT,
    PRIMARY KEY (customer_id, store_id));`;

function fill(db: Database.Database): void {
  const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
  const insert = (table: string, rows: readonly (readonly unknown[])[]) => {
    const statement = db.prepare(`INSERT INTO ${table} VALUES (${rows[0]?.map(() => '?').join(', ')})`);
    for (const row of rows) statement.run(...row);
  };
  const [first, last] = [
    'Ada Ben Cleo Dan Eve Finn Gus'.split(' '),
    'Archer Baker Cook Draper Fisher'.split(' '),
  ];
  insert(
    'store',
    many(8, (i) => [
      i + 1,
      `${['North', 'South', 'East', 'West'][i % 4]} ${i < 4 ? 'Gate' : 'Market'}`,
      ['Ely', 'Bath', 'York'][i % 3],
      10 + 2 * i,
    ]),
  );
  insert(
    'customer',
    many(35, (i) => [
      i + 1,
      first[i % 7],
      last[i % 5],
      ['basic', 'gold', 'staff'][(i * i) % 3],
      100 + 50 * (i % 9) + 10 * Math.floor(i / 9),
      `x${i * 7919}`,
    ]),
  );
  insert(
    'purchase',
    many(150, (i) => [
      i + 1,
      1 + ((i * 7) % 30),
      1 + ((i * 5) % 7),
      `2024-0${1 + (i % 9)}-${10 + (i % 19)}`,
      ['open', 'paid', 'sent'][i % 3],
      5 + (i % 40),
    ]),
  );
  insert(
    'item',
    many(300, (i) => [
      1 + (i % 150),
      1 + Math.floor(i / 150),
      ['apples', 'bread', 'candles', 'dates'][(i * 3) % 4],
      2 + (i % 7),
      1 + (i % 5),
    ]),
  );
  insert(
    'membership',
    many(60, (i) => [1 + (i % 30), 1 + ((i + Math.floor(i / 30) * 3) % 7), ['plain', 'plus'][i % 2]]),
  );
}

const RULE: Policy = {
  id: 'sent',
  rule: 'A purchase that was sent must not be changed.',
  table: 'purchase',
  on: ['update'],
  forbid: "before.status = 'sent'",
};

let oracle: Oracle;
const draw = async (more = {}): Promise<WriteSynthesis> => {
  const [found] = await findDatabases(file);
  if (!found) throw new Error('no database');
  const domain = { ...found, catalog: { ...found.catalog, policies: [RULE] } };
  const options = { writes: 100, seed: '7', referenceTime: DEFAULT_REFERENCE_TIME };
  return synthesizeWrites(domain, oracle, { ...options, ...more });
};
let drawn: WriteSynthesis;

beforeAll(async () => {
  const db = new Database(file);
  db.exec(SHOP);
  fill(db);
  db.close();
  oracle = new Oracle({ referenceTime: DEFAULT_REFERENCE_TIME, limitMs: 5_000 });
  drawn = await draw();
});

afterAll(async () => {
  await oracle.close();
  rmSync(folder, { recursive: true, force: true });
});

test('tasks are the same for the same seed, and others for another', async () => {
  const few = { writes: 12 };
  const [one, again, other] = [await draw(few), await draw(few), await draw({ ...few, seed: '8' })];
  expect(again).toEqual(one);
  expect(other.questions.map(({ sql }) => sql)).not.toEqual(one.questions.map(({ sql }) => sql));
});

test.each(WRITE_KINDS)('some ask to %s', (kind) => {
  expect(drawn.questions.filter((question) => question.kind === kind).length).toBeGreaterThan(0);
});

test('nothing is entered in a final state or brought back to a first one', () => {
  const questions = drawn.questions.map(({ question }) => question);
  expect(questions.filter((each) => /status: paid|status\b.* to "?open/i.test(each))).toEqual([]);
});

test('pairs are one to do and one to refuse, and say the same of two rows', async () => {
  const pairs = new Map<string, typeof drawn.questions>();
  for (const each of drawn.questions)
    if (each.pair) pairs.set(each.pair, [...(pairs.get(each.pair) ?? []), each]);
  expect(pairs.size).toBeGreaterThanOrEqual(10);
  const why = new Set<string>();
  for (const both of pairs.values()) {
    expect(both.map(({ refuse = false }) => refuse).sort()).toEqual([false, true]);
    for (const { sql, refuse = false, policies } of both) {
      const { changes, refused } = await oracle.writes(file, sql);
      // SQLite does not enforce the rules of the domain.
      const isAllowed = policies !== 'recorded' || !/status = 'sent'/.test(ruled(changes));
      expect(changes.length > 0 && isAllowed, sql).toBe(!refuse);
      const constraint = refused && `${refused.split(' ')[0]} ${sql.split(' ')[0]}`;
      if (refuse) why.add(constraint ?? policies ?? /NOT EXISTS|INSERT/.exec(sql)?.[0] ?? 'other');
    }
  }
  expect([...why].sort()).toEqual([
    'CHECK UPDATE',
    'FOREIGN DELETE',
    'INSERT',
    'NOT EXISTS',
    'UNIQUE INSERT',
    'UNIQUE UPDATE',
    'other',
    'recorded',
  ]);
});

function ruled(changes: WritesAnswer['changes']): string {
  return changes
    .filter(({ table, before, after }) => table === 'purchase' && before && after)
    .map(({ before }) => `status = '${before?.status}'`)
    .join();
}

test('some change the first few rows by a number, of which none is tied with the next', () => {
  const tops = drawn.questions.filter(({ sql }) => /ORDER BY .* LIMIT \d/.test(sql));
  expect(tops.length).toBeGreaterThan(0);
  const db = new Database(file, { readonly: true });
  for (const { sql, question } of tops) {
    const [, table, where, by, limit] =
      /\(SELECT id FROM (\w+)(.*) ORDER BY (\w+)(?: DESC)? LIMIT (\d)\)$/.exec(sql) ?? [];
    expect(['', '', 'two', 'three', 'four', 'five'][Number(limit)], sql).toBe(
      /\b(two|three|four|five)\b/.exec(question)?.[1],
    );
    const order = sql.slice(sql.indexOf('ORDER BY'), sql.indexOf(' LIMIT'));
    const atTheCut = db
      .prepare(`SELECT ${by} FROM ${table}${where} ${order} LIMIT 2 OFFSET ${Number(limit) - 1}`)
      .pluck();
    expect(new Set(atTheCut.all()).size, sql).toBe(2);
  }
  db.close();
});

test('nothing is to be done that a rule forbids', async () => {
  for (const { sql } of drawn.questions.filter(({ refuse }) => !refuse))
    expect(ruled((await oracle.writes(file, sql)).changes), sql).not.toContain("'sent'");
});

test('nothing is moved to itself or below itself', async () => {
  const tree = join(folder, 'tree.sqlite');
  const db = new Database(tree);
  db.exec(
    'CREATE TABLE section (id INTEGER PRIMARY KEY, name TEXT, parent_id INTEGER REFERENCES section (id))',
  );
  const names =
    'Arts Books Crafts Dance Earth Film Garden Health Inns Jazz Kites Lakes Music Nature Opera'.split(' ');
  // Each but the first is below the one before it.
  names.forEach((name, i) => {
    db.prepare('INSERT INTO section VALUES (?, ?, ?)').run(i + 1, name, i || null);
  });
  db.close();
  const [found] = await findDatabases(tree);
  if (!found) throw new Error('no database');
  const moves = [];
  for (const seed of ['1', '2', '3']) {
    const options = { writes: 40, seed, referenceTime: DEFAULT_REFERENCE_TIME };
    const { questions } = await synthesizeWrites(found, oracle, options);
    moves.push(...questions.filter(({ sql }) => sql.startsWith('UPDATE section SET parent_id')));
  }
  expect(moves.length).toBeGreaterThan(5);
  for (const { sql, question } of moves) {
    const { changes } = await oracle.writes(tree, sql);
    for (const { after } of changes)
      expect(Number(after?.parent_id), question).toBeLessThan(Number(after?.id));
  }
});

test('hashes and names that people go by are never changed, nor are keys but in pairs', () => {
  const updates = drawn.questions
    .filter(({ pair }) => !pair)
    .flatMap(({ sql }) => sql.split('; '))
    .filter((sql) => sql.startsWith('UPDATE'));
  expect(updates.length).toBeGreaterThan(20);
  for (const sql of updates) {
    const set = /\bSET (.*?) WHERE\b/.exec(sql)?.[1] ?? '';
    expect(set).not.toMatch(/password_hash|\bid =|\bline =|first_name|last_name|\bname =/);
  }
});

test('each condition of a task that is done changes which rows it changes', async () => {
  for (const { sql, refuse } of drawn.questions.filter((each) => !each.refuse).slice(0, 25)) {
    const { changes } = await oracle.writes(file, sql);
    expect(refuse).toBeUndefined();
    for (const each of withoutEachCondition(sql).filter(({ isGuard }) => !isGuard)) {
      const without = await oracle.writes(file, each.sql);
      expect(
        without.unclear !== null ||
          String(without.changes.map(({ id }) => id)) !== String(changes.map(({ id }) => id)) ||
          without.answer !== null,
        each.condition,
      ).toBe(true);
    }
  }
});

test('new dates lie after the latest', () => {
  // Rows of tasks to refuse exist already.
  const created = drawn.questions.filter(({ sql, refuse }) => /INSERT INTO purchase /.test(sql) && !refuse);
  expect(created.length).toBeGreaterThan(0);
  for (const { sql } of created)
    expect((/'(\d{4}-\d\d-\d\d)'/.exec(sql)?.[1] ?? '') > '2024-09-18').toBe(true);
});

test('the gold calls of each task change through the app what its SQL changes in the sqlite of a copy', async () => {
  const [split, out] = [join(folder, 'shop-split'), join(folder, 'shop-farm')];
  mkdirSync(split);
  copyFileSync(file, join(split, 'shop.sqlite'));
  mkdirSync(join(split, 'policies'));
  writeFileSync(join(split, 'policies/shop.jsonl'), JSON.stringify(RULE));
  writeFileSync(
    join(split, 'questions.jsonl'),
    drawn.questions.map((each) => JSON.stringify(each)).join('\n'),
  );
  await generate(split, { out, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000, jobs: 1 });
  const samples = readFileSync(join(out, 'eval/shop.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample);
  expect(samples.filter(({ formulation }) => formulation === 'records')).toHaveLength(drawn.questions.length);
  for (const { query, gold_diff, gold_answer, refuse, kind, pair, output, policies } of samples) {
    const { changed, answer } = runOnCopy(query);
    const gold = (gold_diff ?? []).map(({ table, before, after }) => JSON.stringify([table, before, after]));
    expect(gold.sort(), query).toEqual(refuse && policies ? [] : changed.sort());
    expect(output.length > 0, query).toBe(!refuse);
    expect(gold_answer, query).toEqual(answer);
    expect(kind).toBeDefined();
    if (refuse) expect(pair).toBeDefined();
  }
});

/** The rows that statements change, by comparing whole tables, and the rows of a query at their end. */
function runOnCopy(sql: string): { readonly changed: string[]; readonly answer: unknown[][] } {
  const db = new Database(readFileSync(file));
  db.pragma('foreign_keys = on');
  const dump = () =>
    ['store', 'customer', 'purchase', 'item', 'membership'].flatMap((table) => {
      const key = db.prepare(`SELECT name FROM pragma_table_info('${table}') WHERE pk`).pluck().all();
      return (db.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]).map(
        (row) => [`${table} ${key.map((name) => row[String(name)])}`, table, row] as const,
      );
    });
  const before = new Map(dump().map(([id, table, row]) => [id, { table, row }]));
  let answer: unknown[][] = [];
  try {
    db.transaction(() => {
      for (const statement of sql.split('; ')) {
        if (statement.startsWith('SELECT')) answer = db.prepare(statement).raw().all() as unknown[][];
        else db.exec(statement);
      }
    })();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  }
  const after = new Map(dump().map(([id, table, row]) => [id, { table, row }]));
  db.close();
  const changed = [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [old, now] = [before.get(id), after.get(id)];
    const rows = [old?.row ?? null, now?.row ?? null];
    return JSON.stringify(rows[0]) === JSON.stringify(rows[1])
      ? []
      : [JSON.stringify([(old ?? now)?.table, ...rows])];
  });
  return { changed, answer };
}

/**
 * Halls, their bookings, rehearsals within days of a booking's date, with marks that are no names, and stalls, which stand
 * in the hall of their booking.
 */
function fillHalls(db: Database.Database): void {
  db.exec(`
    CREATE TABLE hall (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, seats INTEGER);
    CREATE TABLE keeper (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE booking (
      id INTEGER PRIMARY KEY, hall_id INTEGER NOT NULL REFERENCES hall (id), signed TEXT NOT NULL, ends TEXT NOT NULL,
      visitors INTEGER, status TEXT);
    CREATE TABLE rehearsal (
      id INTEGER PRIMARY KEY, booking_id INTEGER NOT NULL REFERENCES booking (id), held TEXT NOT NULL, leader TEXT, mark TEXT);
    CREATE TABLE stall (
      id INTEGER PRIMARY KEY, booking_id INTEGER NOT NULL REFERENCES booking (id),
      hall_id INTEGER NOT NULL REFERENCES hall (id), keeper_id INTEGER NOT NULL REFERENCES keeper (id), goods TEXT)`);
  const insert = (table: string, ...values: unknown[]) =>
    db.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values);
  const day = (from: number) => new Date(Date.UTC(2020, 0, 1 + from)).toISOString().slice(0, 10);
  const [trees, kinds, people] = ['Oak Elm Ash', 'Hall Barn Court House', 'Ada Ben Cleo Dan Eve'].map(
    (text) => text.split(' '),
  ) as [string[], string[], string[]];
  for (let i = 0; i < 12; i++)
    insert('hall', i + 1, `${trees[i % 3]} ${kinds[i % 4]}`, ['Ely', 'Bath'][i % 2], 40 + 5 * i);
  for (const [i, name] of people.entries()) insert('keeper', i + 1, name);
  for (let i = 0; i < 100; i++) {
    const [at, hall] = [i * 17 + (i % 5), 1 + (i % 12)];
    const status = ['open', 'paid', 'over'][i % 3];
    insert('booking', i + 1, hall, day(at), day(at + 20 + (i % 7)), 1000 + 37 * i, status);
    for (const nth of [0, 1]) {
      const mark = i % 9 === 0 ? 'pos' : `${i % 60}.${nth}`;
      insert(
        'rehearsal',
        2 * i + nth + 1,
        i + 1,
        day(at + 3 + 4 * nth + (i % 3)),
        people[(i + nth) % 3],
        mark,
      );
    }
    insert('stall', i + 1, i + 1, hall, 1 + ((i * 3) % 5), ['tea', 'books', 'hats'][i % 3]);
  }
}

describe('dates, places and figures', () => {
  const hall = join(folder, 'hall.sqlite');
  let tasks: WriteSynthesis;

  beforeAll(async () => {
    const db = new Database(hall);
    fillHalls(db);
    db.close();
    const [domain] = await findDatabases(hall);
    if (!domain) throw new Error('no database');
    tasks = await synthesizeWrites(domain, oracle, {
      writes: 80,
      seed: '7',
      referenceTime: DEFAULT_REFERENCE_TIME,
    });
  });

  test('nothing ends before it began, and nothing belongs to what was years before', async () => {
    let seen = 0;
    for (const { sql, refuse } of tasks.questions) {
      if (refuse) continue;
      const { changes } = await oracle.writes(hall, sql);
      const db = new Database(hall, { readonly: true });
      for (const { table, after } of changes) {
        if (table === 'booking' && after) {
          seen++;
          expect(String(after.signed) <= String(after.ends), sql).toBe(true);
        }
        if (table !== 'rehearsal' || !after) continue;
        const made = changes.find((each) => each.table === 'booking' && each.after?.id === after.booking_id);
        const signed =
          made?.after?.signed ??
          db.prepare('SELECT signed FROM booking WHERE id = ?').pluck().get(after.booking_id);
        const days = (Date.parse(String(after.held)) - Date.parse(String(signed))) / 86_400_000;
        seen++;
        expect(days, sql).toBeGreaterThanOrEqual(0);
        expect(days, sql).toBeLessThan(30);
      }
      db.close();
    }
    expect(seen).toBeGreaterThan(10);
    expect(tasks.refused.get('has dates out of order')).toBeGreaterThan(0);
  });

  test('where something is and what was counted of each row follows from no rule', () => {
    const set = tasks.questions.filter(
      ({ kind, question }) => kind === 'set' || /only if|fewer than/.test(question),
    );
    expect(set.length).toBeGreaterThan(5);
    for (const { sql } of set) expect(sql).not.toMatch(/SET (city|visitors) = (?!visitors|ROUND)/);
  });

  test('of two rows that a new one refers to, none is replaced that the other depends on', async () => {
    const created = tasks.questions.filter(
      ({ sql, refuse }) => !refuse && sql.startsWith('INSERT INTO stall'),
    );
    expect(created.length).toBeGreaterThan(0);
    const db = new Database(hall, { readonly: true });
    const hallOf = db.prepare('SELECT hall_id FROM booking WHERE id = ?').pluck().safeIntegers(true);
    for (const { sql } of created)
      for (const { after } of (await oracle.writes(hall, sql)).changes)
        expect(after?.hall_id, sql).toEqual(hallOf.get(after?.booking_id));
    db.close();
  });

  test('results written as text are no names, and numbers of rows stand after their noun', () => {
    const texts = tasks.questions.map(({ question }) => question).join('\n');
    expect(texts).toContain('rehearsal');
    expect(texts).not.toMatch(/rehearsal \d+\.\d|rehearsal "pos"/);
    expect(texts).not.toMatch(/with the number \d|\.\.|that was (held|signed)/);
  });
});

test('nothing is drawn from tables without keys', async () => {
  const other = join(folder, 'log.sqlite');
  const db = new Database(other);
  db.exec(
    "CREATE TABLE log (text TEXT, day TEXT); INSERT INTO log VALUES ('a', '2024-01-01'), ('a', '2024-01-01')",
  );
  db.close();
  const [domain] = await findDatabases(other);
  if (!domain) throw new Error('no database');
  const { questions } = await synthesizeWrites(domain, oracle, {
    writes: 5,
    seed: '7',
    referenceTime: DEFAULT_REFERENCE_TIME,
  });
  expect(questions).toEqual([]);
});

test('a question of the split that itself changes records is no query whose rows are asked for', async () => {
  const [domain] = await findDatabases(file);
  if (!domain) throw new Error('no database');
  const sql =
    "DELETE FROM purchase WHERE customer_id IN (SELECT id FROM customer WHERE tier = 'staff'); UPDATE store SET seats = 20";
  const question = 'Delete what our staff bought, and give each store twenty seats.';
  const asked = [
    { question_id: 1, db_id: domain.db, question, evidence: '', difficulty: 'simple', sql } as const,
  ];
  const { questions } = await synthesizeWrites(domain, oracle, {
    writes: 12,
    seed: '7',
    referenceTime: DEFAULT_REFERENCE_TIME,
    asked,
  });
  expect(questions.some(({ kind }) => kind === 'set')).toBe(true);
});

test('a split is written with the rules and the glossary of the one that it was drawn from', async () => {
  const [domain] = await findDatabases(file);
  if (!domain) throw new Error('no database');
  const glossary = 'A seat is a place at the counter.';
  const known = { ...domain, catalog: { ...domain.catalog, policies: [RULE], glossary } };
  expect([...databaseFiles([known], folder)]).toEqual(
    expect.arrayContaining([
      { path: 'policies/shop.jsonl', content: `${JSON.stringify(RULE)}\n` },
      { path: 'glossary/shop.md', content: glossary },
    ]),
  );
});
