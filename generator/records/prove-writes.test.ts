import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Policy } from '../../contracts/catalog.ts';
import { dialogue } from '../../contracts/dialogue.ts';
import type { Service } from '../../contracts/service.ts';
import { DEFAULT_REFERENCE_TIME, type Question } from '../../contracts/split.ts';
import { PrivateCopy } from '../../services/base/sqlite/private-copy.ts';
import { buildApp } from '../../services/domain/app.ts';
import type { DomainCalls } from '../../services/domain/domain-calls.ts';
import { Oracle } from '../oracle/oracle.ts';
import { turnsAsQuestions } from '../read/questions.ts';
import { readDomain } from '../read/read-split.ts';
import { lowerWrites, type WritesContext } from './prove-writes.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-prove-writes-'));
const RULE: Policy = {
  id: 'sent',
  rule: 'An order that was sent must not change.',
  table: 'purchase',
  on: ['update'],
  forbid: "before.status = 'sent'",
};
let context: WritesContext;
const apps: Awaited<ReturnType<typeof buildApp>>[] = [];

beforeAll(async () => {
  const file = (name: string) => join(folder, `${name}.sqlite`);
  const db = new Database(file('original'));
  db.exec(`
    CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer TEXT, status TEXT);
    CREATE TABLE line (id INTEGER PRIMARY KEY, purchase_id INTEGER REFERENCES purchase (id), item TEXT);
    CREATE TABLE item (name TEXT PRIMARY KEY, stock INTEGER);
    CREATE TABLE gift (id INTEGER PRIMARY KEY, purchase_id INTEGER REFERENCES purchase (id), item TEXT REFERENCES item (name));
    CREATE TRIGGER given AFTER INSERT ON gift BEGIN UPDATE item SET stock = stock - 1 WHERE name = NEW.item; END;
    CREATE TABLE log (id INTEGER PRIMARY KEY, what TEXT);
    CREATE TRIGGER logged AFTER DELETE ON purchase BEGIN
      INSERT INTO log (what) VALUES ('deleted ' || OLD.id); END;
    INSERT INTO purchase VALUES (1, 'Ann', 'open'), (2, 'Ann', 'paid'), (3, 'Bob', 'sent');
    INSERT INTO item VALUES ('mug', 5), ('pen', 9);
    INSERT INTO line VALUES (1, 1, 'apples'), (2, 1, 'bread'), (3, 3, 'bread');`);
  db.close();
  const read = await readDomain('shop', file('original'));
  const catalog = { ...read.catalog, policies: [RULE] };
  const more = { title: 'Shop', reference_time: DEFAULT_REFERENCE_TIME, endpoints: [], start_tables: [] };
  const service: Service = { format_version: 1, split: 'test', db: 'shop', ...more, catalog };
  const edits = {
    original: '',
    one: "UPDATE purchase SET status = 'sent' WHERE id = 2",
    two: 'DELETE FROM line WHERE id = 3',
  };
  const calls = new Map<string, DomainCalls>();
  const variants = [];
  for (const [label, edit] of Object.entries(edits)) {
    if (label !== 'original') {
      copyFileSync(file('original'), file(label));
      const neighbour = new Database(file(label));
      neighbour.exec(edit);
      neighbour.close();
    }
    const app = await buildApp({ domains: [{ service, database: file(label) }], logger: false });
    apps.push(app);
    calls.set(label, app.domainCalls as DomainCalls);
    variants.push({ label, plain: file(label), served: file(label), isNeighbour: label !== 'original' });
  }
  context = {
    service,
    oracle: new Oracle({ referenceTime: DEFAULT_REFERENCE_TIME, limitMs: 5_000 }),
    variants: variants as unknown as WritesContext['variants'],
    apps: { calls: ({ label }) => calls.get(label) as DomainCalls },
    copy: new PrivateCopy(file('original')),
  };
});

afterAll(async () => {
  await context.oracle.close();
  context.copy.close();
  for (const app of apps) await app.close();
  rmSync(folder, { recursive: true, force: true });
});

async function lower(sql: string, more: Partial<Question> = {}) {
  const question: Question = {
    question_id: 0,
    db_id: 'shop',
    question: 'Do.',
    evidence: '',
    difficulty: 'simple',
    sql,
    ...more,
  };
  const [outcome] = await lowerWrites([question], context);
  if (outcome === undefined) throw new Error('nothing was lowered');
  return outcome;
}

test('the gold diff says which columns of its rows the task leaves open', async () => {
  const outcome = await lower("DELETE FROM purchase WHERE id = 2; INSERT INTO line (item) VALUES ('salt')", {
    open: ['line.item', 'log.what', 'purchase.customer'],
  });
  expect(outcome).toMatchObject({ kept: true });
  const open =
    outcome.kept && outcome.diff.map((change) => [change.table, change.after !== null, change.open]);
  // Nothing is open in a row that goes.
  expect(open).toEqual([
    ['line', true, ['item']],
    ['log', true, ['what']],
    ['purchase', false, undefined],
  ]);
});

test('a rule that only a row of a neighbour meets is no reason to reject', async () => {
  expect(await lower("UPDATE purchase SET customer = 'Anna' WHERE customer = 'Ann'")).toMatchObject({
    kept: true,
    calls: [
      { name: 'update_purchase', arguments: { key: 1, customer: 'Anna' } },
      { name: 'update_purchase', arguments: { key: 2, customer: 'Anna' } },
    ],
  });
});

test('a row that a trigger creates needs no call of its own', async () => {
  expect(await lower("DELETE FROM purchase WHERE status = 'paid'")).toMatchObject({
    kept: true,
    calls: [{ name: 'delete_purchase', arguments: { key: 2 } }],
    diff: [{ table: 'log', after: { what: 'deleted 2' } }, { table: 'purchase' }],
  });
});

test('what a trigger changes is asked for after the record that fires it, however late that can be made', async () => {
  const outcome = await lower(
    "INSERT INTO purchase VALUES (9, 'Cid', 'open'); INSERT INTO gift (purchase_id, item) VALUES (9, 'mug'); SELECT stock FROM item WHERE name = 'mug'",
  );
  expect(outcome).toMatchObject({
    kept: true,
    calls: [{ name: 'create_purchase' }, { name: 'create_gift' }],
    answer: { rows: [[4]] },
  });
});

test('what a rule of the domain forbids is rejected, with the refusal', async () => {
  expect(await lower("UPDATE purchase SET status = 'open' WHERE customer = 'Bob'")).toMatchObject({
    kept: false,
    rejection: {
      code: 'WRONG_CHANGES',
      reason: expect.stringMatching(/^update_purchase was answered with 403 POLICY: .*must not change/),
    },
  });
});

test('several orders with lines that a query finds are left to the server to number', async () => {
  const outcome = await lower(
    "INSERT INTO purchase (customer, status) SELECT customer, 'again' FROM purchase WHERE customer = 'Ann'; INSERT INTO line (purchase_id, item) SELECT MAX(p.id), l.item FROM line l, purchase p WHERE l.purchase_id = 1 GROUP BY l.id",
  );
  expect(outcome).toMatchObject({ kept: true });
  if (!outcome.kept) return;
  expect(outcome.calls.map(({ name, arguments: given }) => [name, 'id' in given])).toEqual([
    ['create_purchase', false],
    ['create_purchase', false],
    ['create_line', false],
    ['create_line', false],
  ]);
  const references = ['line', 'gift'].map((table) => ({ table, column: 'purchase_id' }));
  expect(outcome.diff.map(({ table, generated }) => [table, generated])).toEqual([
    ['line', []],
    ['line', []],
    ['purchase', references],
    ['purchase', references],
  ]);
});

/** Turns as a split states them: their SQL, and which turn they take back. */
async function lowerTurns(turns: readonly (readonly [sql: string, takesBack?: number])[]) {
  const read = dialogue.parse({
    turns: turns.map(([sql, takes_back]) => ({
      ...{ text: sql, question: sql, evidence: '', sql, takes_back },
      ...{ edit: 'write', refs: [], alone: null },
    })),
    user: { temperament: 'plain', slots: [] },
  });
  const questions = turnsAsQuestions({ db_id: 'shop' }, read, 'd1');
  return lowerWrites(questions as [Question, ...Question[]], context);
}

const PAY = "UPDATE purchase SET status = 'paid' WHERE id = 1";
const LINE = "INSERT INTO line (purchase_id, item) VALUES (1, 'cheese')";

test('a turn that takes back brings its records back to what they were, and keeps what else was done', async () => {
  const turns = await lowerTurns([
    ["SELECT id FROM purchase WHERE customer = 'Ann' AND status = 'open'"],
    [PAY],
    [LINE],
    ['', 2],
    ['SELECT item FROM line WHERE purchase_id = 1'],
    ['', 3],
  ]);
  const diffs = turns.map((turn) => (turn.kept ? turn.diff : turn.rejection));
  expect(diffs[0]).toEqual([]);
  expect(diffs[1]).toMatchObject([{ table: 'purchase', after: { status: 'paid' } }]);
  expect(diffs[2]).toMatchObject([{ table: 'line' }, { table: 'purchase' }]);
  expect(diffs[3]).toMatchObject([{ table: 'line', after: { item: 'cheese' } }]);
  expect(diffs.slice(4)).toEqual([diffs[3], []]);
  expect(turns.map((turn) => turn.kept && turn.calls)).toMatchObject([
    [],
    [{ name: 'update_purchase', arguments: { key: 1, status: 'paid' } }],
    [{ name: 'create_line', arguments: { purchase_id: 1, item: 'cheese' } }],
    [{ name: 'update_purchase', arguments: { key: 1, status: 'open' } }],
    [],
    [{ name: 'delete_line', arguments: { key: 4 } }],
  ]);
  expect(turns.map((turn) => turn.kept && turn.answer?.rows)).toEqual([
    [[1]],
    undefined,
    undefined,
    undefined,
    [['apples'], ['bread'], ['cheese']],
    undefined,
  ]);
});

test('a changed mind makes the change that was meant from the start', async () => {
  const [, second] = await lowerTurns([
    ['DELETE FROM line WHERE id = 3'],
    ["DELETE FROM line WHERE purchase_id = 1 AND item = 'bread'", 1],
  ]);
  expect(second).toMatchObject({
    kept: true,
    diff: [{ table: 'line', key: { id: 2 }, after: null }],
    calls: [
      { name: 'create_line', arguments: { id: 3, purchase_id: 3, item: 'bread' } },
      { name: 'delete_line', arguments: { key: 2 } },
    ],
  });
});

test.each<[code: string, turns: (readonly [string, number?])[]]>([
  ['NOTHING_CHANGED', [[PAY], ["UPDATE purchase SET status = 'paid' WHERE customer = 'Ann' AND id = 1"]]],
  [
    'REFERENCE_NOT_UNIQUE',
    [[LINE], ["UPDATE line SET item = 'tea' WHERE id = (SELECT id FROM line WHERE purchase_id = 1)"]],
  ],
  ['CHANGES_LEFT_OPEN', [[PAY], ["SELECT id FROM purchase WHERE customer = 'Ann' LIMIT 1"]]],
  ['WRONG_CHANGES', [[LINE], ["UPDATE purchase SET status = 'open' WHERE id = 3"]]],
])('%s in one turn rejects the whole dialogue and names it', async (code, turns) => {
  const rejection = { code, reason: expect.stringMatching(/^turn d1\.2: /) };
  const rejected = { kept: false, rejection };
  expect(await lowerTurns(turns)).toMatchObject([rejected, rejected]);
});
