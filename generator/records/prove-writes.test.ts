import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Policy } from '../../contracts/catalog.ts';
import type { Service } from '../../contracts/service.ts';
import { DEFAULT_REFERENCE_TIME, type Question } from '../../contracts/split.ts';
import { PrivateCopy } from '../../services/base/sqlite/private-copy.ts';
import { buildApp } from '../../services/domain/app.ts';
import type { DomainCalls } from '../../services/domain/domain-calls.ts';
import { Oracle } from '../oracle/oracle.ts';
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
    INSERT INTO purchase VALUES (1, 'Ann', 'open'), (2, 'Ann', 'paid'), (3, 'Bob', 'sent');
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

function lower(sql: string) {
  const question: Question = {
    question_id: 0,
    db_id: 'shop',
    question: 'Do.',
    evidence: '',
    difficulty: 'simple',
    sql,
  };
  return lowerWrites(question, context);
}

test('a rule that only a row of a neighbour meets is no reason to reject', async () => {
  expect(await lower("UPDATE purchase SET customer = 'Anna' WHERE customer = 'Ann'")).toMatchObject({
    kept: true,
    calls: [
      { name: 'update_purchase', arguments: { key: 1, customer: 'Anna' } },
      { name: 'update_purchase', arguments: { key: 2, customer: 'Anna' } },
    ],
  });
});

test('what a rule of the domain forbids is rejected, with the refusal', async () => {
  expect(await lower("UPDATE purchase SET status = 'open' WHERE customer = 'Bob'")).toMatchObject({
    kept: false,
    rejection: {
      code: 'WRONG_CHANGES',
      reason: expect.stringMatching(/^update_purchase: .*must not change.*POLICY/),
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
  expect(outcome.diff.map(({ table, generated }) => [table, generated])).toEqual([
    ['line', []],
    ['line', []],
    ['purchase', [{ table: 'line', column: 'purchase_id' }]],
    ['purchase', [{ table: 'line', column: 'purchase_id' }]],
  ]);
});
