import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { readCatalog } from '../generator/read/catalog.ts';
import { agentPlugin } from '../services/agents/agent-routes.ts';
import { emitTask } from '../services/agents/describe-task.ts';
import { givenTasks } from '../services/agents/task-book.ts';
import type { JournalStep } from '../services/base/sqlite/private-copy.ts';
import { buildApp } from '../services/domain/app.ts';
import type { DomainCalls } from '../services/domain/domain-calls.ts';

/**
 * What state costs: processor time of a call with journalled changes compared with the same call without, and the memory
 * of many open runs that have written. `npm run bench:records`; both figures are differences within one process.
 */
const RUNS = 16_384;
const CALLS = 3000;

const folder = mkdtempSync(join(tmpdir(), 'rookery-records-'));
const file = join(folder, 'shop.sqlite');
const db = new Database(file);
db.exec(`
  CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), day TEXT, total REAL);
  CREATE INDEX orders_customer ON orders (customer_id);
`);
const customer = db.prepare('INSERT INTO customer VALUES (?, ?, ?)');
const order = db.prepare('INSERT INTO orders VALUES (?, ?, ?, ?)');
db.transaction(() => {
  for (let id = 1; id <= 5000; id++) customer.run(id, `customer ${id}`, `city ${id % 50}`);
  for (let id = 1; id <= 40_000; id++) order.run(id, 1 + (id % 5000), `2024-01-${1 + (id % 28)}`, id / 7);
})();
const catalog = readCatalog('shop', db);
db.close();
const described = { title: 'Shop', reference_time: '2024-01-01 00:00:00', endpoints: [], start_tables: [] };
const service = { format_version: 1 as const, split: 'bench', db: 'shop', ...described, catalog };
const gold = { gold_answer: [], gold_columns: [], ordered: false, order_groups: null, output: [], flags: [] };
const sample = {
  ...{
    sample_id: 'bench/shop/1/records',
    dataset_name: 'shop',
    question_id: 1,
    formulation: 'records' as const,
  },
  ...{ input: '', evidence: '', difficulty: null, query: '', initialization_step: null },
  ...{ ...gold, output_after_executing_api: null, toolset: { path: '', size: 10 } },
};
const tasks = givenTasks([emitTask(sample, service)]);
const plugin = agentPlugin({ tasks, farmHash: 'f'.repeat(64), runs: { place: join(folder, 'runs.sqlite') } });
const app = await buildApp({ domains: [{ service, database: file }], logger: false, plugins: [plugin] });
const calls = app.domainCalls as DomainCalls;

async function call(name: string, args: object, journal: readonly JournalStep[]) {
  const answer = await calls.call(
    'records',
    { service, name, arguments: args, view: '' },
    { caller: '', journal },
  );
  if (answer.status >= 400) throw new Error(answer.body);
  return answer;
}

async function journalOf(changes: number): Promise<JournalStep[]> {
  const journal: JournalStep[] = [];
  for (let n = 0; n < changes; n++) {
    const made =
      n % 2 === 0
        ? await call('update_orders', { key: 100 + n, total: n }, journal)
        : await call('create_orders', { customer_id: n, day: '2024-02-01', total: 5 }, journal);
    if (made.step) journal.push(made.step);
  }
  return journal;
}

/** Microseconds of processor time for one call. */
async function costOf(name: string, args: object, journal: readonly JournalStep[]): Promise<number> {
  for (let n = 0; n < 300; n++) await call(name, args, journal);
  const before = process.cpuUsage();
  for (let n = 0; n < CALLS; n++) await call(name, args, journal);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

const ten = await journalOf(10);
for (const [name, args] of [
  ['get_customer', { key: 77 }],
  ['list_orders', { customer_id: 77 }],
  ['update_orders', { key: 777, total: 1 }],
] as const) {
  const [without, withTen] = [await costOf(name, args, []), await costOf(name, args, ten)];
  const more = withTen - without;
  console.log(
    `${name}: ${without.toFixed(0)} µs, with 10 changes ${withTen.toFixed(0)} µs, ${more.toFixed(0)} µs more`,
  );
}

const inject = async (url: string, payload: object) =>
  (
    await app.inject({
      method: 'POST',
      url,
      payload: JSON.stringify(payload),
      headers: { 'content-type': 'application/json' },
    })
  ).json();
await inject('/runs', { sample_id: sample.sample_id });
const bytes = () => {
  globalThis.gc?.();
  return process.memoryUsage().rss;
};
const idle = bytes();
for (let from = 0; from < RUNS; from += 64) {
  await Promise.all(
    Array.from({ length: 64 }, async (_, n) => {
      const { base } = await inject('/runs', { sample_id: sample.sample_id });
      await inject(`${base}/call/update_orders`, { key: from + n + 1, total: 1 });
    }),
  );
}
console.log(
  `${RUNS} open runs that have written: ${((bytes() - idle) / 1024 / 1024).toFixed(0)} MB over idle`,
);
await app.close();
rmSync(folder, { recursive: true, force: true });
