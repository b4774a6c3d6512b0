import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printExactJson } from '../../../contracts/exact-json.ts';
import { RECORD_VERBS, type RecordChange } from '../../../contracts/records.ts';
import type { Call } from '../../../contracts/sample.ts';
import type { Service } from '../../../contracts/service.ts';
import { judgeDiff } from '../../../eval/answer/judge-diff.ts';
import { readCatalog } from '../../../generator/read/catalog.ts';
import { PrivateCopy } from '../../base/sqlite/private-copy.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { buildApp } from '../app.ts';
import type { DomainCalls } from '../domain-calls.ts';
import { netDiff } from './diff.ts';
import { playRecords } from './play-records.ts';

const SCHEMA = `
  CREATE TABLE client (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT, credit REAL DEFAULT 0);
  CREATE TABLE "order" (
    id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES client (id), day TEXT, status TEXT DEFAULT 'open');
  CREATE TABLE line (
    order_id INTEGER REFERENCES "order" (id) ON DELETE CASCADE, item TEXT, count INTEGER CHECK (count > 0),
    PRIMARY KEY (order_id, item)) WITHOUT ROWID;
  CREATE TABLE invoice (no TEXT PRIMARY KEY, order_id INTEGER REFERENCES "order" (id), total REAL);
  INSERT INTO client VALUES (1, 'Ada', 'Bern', 10.5), (2, 'Bo', 'Basel', 0), (3, 'Cy', NULL, 3), (4, 'Di', 'Bern', 0);
  INSERT INTO "order" VALUES
    (1, 1, '2024-01-01', 'open'), (2, 1, '2024-01-09', 'paid'), (3, 2, '2024-02-01', 'open'), (4, 3, '2024-03-01', 'open');
  INSERT INTO line VALUES (1, 'pen', 3), (1, 'ink', 1), (2, 'pen', 2), (3, 'cup', 9), (4, 'pen', 1);
  INSERT INTO invoice VALUES ('INV-001', 1, 9.5), ('INV-002', 2, 4);
`;
const TABLES = { client: ['id'], order: ['id'], line: ['order_id', 'item'], invoice: ['no'] } as const;

type Made = Pick<Call, 'name' | 'arguments'>;
const call = (name: string, args: Record<string, unknown>): Made => ({ name, arguments: args });

/** Goals, by calls that reach them. */
const GOALS: readonly (readonly Made[])[] = [
  [call('update_client', { key: 1, city: 'Basel' })],
  [call('create_client', { name: 'Eve', city: 'Bern' })],
  [call('delete_order', { key: 3 })],
  [call('update_client', { key: 1, credit: 5.25 }), call('update_client', { key: 2, credit: 5.25 })],
  [
    call('create_order', { client_id: 2, day: '2024-04-01' }),
    call('create_line', { order_id: 5, item: 'pen', count: 2 }),
    call('create_line', { order_id: 5, item: 'cup', count: 1 }),
    call('create_invoice', { order_id: 5, total: 12 }),
  ],
  [call('update_order', { key: 1, status: 'paid' }), call('create_invoice', { order_id: 4, total: 1 })],
  [call('create_client', { name: 'Fay' }), call('update_order', { key: 4, client_id: 5 })],
  [call('update_order', { key: 1, client_id: 4 }), call('update_order', { key: 2, client_id: 4 })],
  [call('delete_line', { key: '1,ink' }), call('update_line', { key: '1,pen', count: 4 })],
  [call('delete_invoice', { key: 'INV-001' }), call('delete_order', { key: 1 })],
  [call('update_client', { key: 3, city: 'Bern', credit: 0 })],
  [call('create_order', { client_id: 1 }), call('create_order', { client_id: 1, status: 'paid' })],
];

let seed = 11;
/** Mulberry32: a generator with a long period. */
function random(below: number): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
}
function pick<T>(of: readonly T[]): T {
  return of[random(of.length)] as T;
}

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  name: ['Ada', 'Zoe', 'Eve', ''],
  city: ['Bern', 'Basel', null, 'bern'],
  credit: [0, 5.25, 5.2500001, 10.5, -1],
  client_id: [1, 2, 3, 4, 5],
  day: ['2024-04-01', '2024-01-01', null],
  status: ['open', 'paid', 'closed'],
  order_id: [1, 2, 3, 4, 5, 6],
  item: ['pen', 'cup', 'ink'],
  count: [1, 2, 3, 4],
  no: ['INV-003', 'INV-009'],
  total: [1, 9.5, 12, null],
};
const KEYS: Readonly<Record<string, readonly unknown[]>> = {
  client: [1, 2, 3, 4, 5],
  order: [1, 2, 3, 4, 5, 6],
  line: ['1,pen', '1,ink', '2,pen', '3,cup', '4,pen', '5,pen'],
  invoice: ['INV-001', 'INV-002', 'INV-003'],
};
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  client: ['name', 'city', 'credit'],
  order: ['client_id', 'day', 'status'],
  line: ['item', 'count'],
  invoice: ['order_id', 'total'],
};

/** Slips as agents make them. */
const SLIPS: readonly ((calls: readonly Made[]) => readonly Made[])[] = [
  // One call fewer, sent twice, in another order.
  (calls) => calls.filter((_, at) => at !== random(calls.length)),
  (calls) => calls.flatMap((each, at) => (at === 0 || random(2) === 0 ? [each, each] : [each])),
  (calls) => [...calls].reverse(),
  // Another row, another value, another column, a field left out.
  (calls) =>
    change(calls, (each, table) => ({
      ...each,
      ...(each.key === undefined ? {} : { key: pick(KEYS[table] ?? []) }),
    })),
  (calls) =>
    change(calls, (each) => {
      const name = pick(Object.keys(each).filter((field) => field !== 'key'));
      return name === undefined ? each : { ...each, [name]: pick(VALUES[name] ?? [null]) };
    }),
  (calls) =>
    change(calls, (each, table) => {
      const [name] = Object.keys(each).filter((field) => field !== 'key');
      const { [name ?? '']: value, ...rest } = each;
      return name === undefined ? each : { ...rest, [pick(COLUMNS[table] ?? [])]: value };
    }),
  (calls) =>
    change(calls, (each) => {
      const { [pick(Object.keys(each))]: _, ...rest } = each;
      return rest;
    }),
  // One row more, another table, everything.
  (calls) => [...calls, pick(GOALS.flat())],
  (calls) => [pick(GOALS.flat()), ...calls],
  (calls) => {
    const table = pick(Object.keys(TABLES));
    return [...calls, call(`delete_${table}`, { key: pick(KEYS[table] ?? []) })];
  },
  (calls) => [...calls, ...(KEYS.line ?? []).map((key) => call('delete_line', { key }))],
  // Done and undone.
  (calls) => [
    ...calls,
    call('update_client', { key: 4, city: 'Chur' }),
    call('update_client', { key: 4, city: 'Bern' }),
  ],
  (calls) => [call('create_client', { name: 'Tmp' }), call('delete_client', { key: 5 }), ...calls],
];

function change(
  calls: readonly Made[],
  work: (args: Record<string, unknown>, table: string) => Record<string, unknown>,
): readonly Made[] {
  const at = random(calls.length);
  return calls.map((each, i) =>
    i === at ? { ...each, arguments: work(each.arguments, each.name.replace(/^[a-z]+_/, '')) } : each,
  );
}

const folder = temporaryFolder();
const file = join(folder.path, 'shop.sqlite');
let service: Service;
let app: Awaited<ReturnType<typeof buildApp>>;
let copy: PrivateCopy;
beforeAll(async () => {
  const db = new Database(file);
  db.exec(SCHEMA);
  const catalog = readCatalog('shop', db);
  db.close();
  const described = { title: 'Shop', reference_time: '2024-06-01 12:00:00', endpoints: [], start_tables: [] };
  service = { format_version: 1, split: 'test', db: 'shop', ...described, catalog };
  app = await buildApp({ domains: [{ service, database: file }], logger: false });
  copy = new PrivateCopy(file);
});
afterAll(async () => {
  copy.close();
  await app.close();
  folder.remove();
});

const play = (calls: readonly Made[]) => playRecords(app.domainCalls as DomainCalls, service, calls);

/**
 * All rows of the database in the state of a run, read by SQLite. Keys that the server made stand for the rows that have
 * them: a new client by its name, a new order and invoice by what they hold.
 */
function endState(journal: Parameters<PrivateCopy['read']>[0]): string {
  return copy.read(journal, '', (db) => {
    const client =
      "CASE WHEN client_id > 4 THEN (SELECT 'new ' || name FROM client WHERE id = client_id) ELSE client_id END";
    const lines =
      '(SELECT group_concat(item || count) FROM (SELECT * FROM line WHERE order_id = o.id ORDER BY item))';
    const invoices =
      "(SELECT group_concat(total) FROM (SELECT total FROM invoice WHERE order_id = o.id AND no > 'INV-002' ORDER BY total))";
    const selects = [
      "SELECT CASE WHEN id > 4 THEN 'new' ELSE id END, name, city, credit FROM client",
      `SELECT CASE WHEN id > 4 THEN 'new' ELSE id END, ${client}, day, status, ${lines}, ${invoices} FROM "order" AS o`,
      'SELECT order_id, item, count FROM line WHERE order_id <= 4 OR order_id IS NULL',
      "SELECT CASE WHEN no > 'INV-002' THEN 'new' ELSE no END, CASE WHEN order_id > 4 THEN 'new' ELSE order_id END, total FROM invoice",
    ];
    const rows = selects.map((sql) =>
      db
        .rows(sql)
        .map((row) => printExactJson(row.map(String)))
        .sort(),
    );
    return printExactJson(rows);
  });
}

/** As the generator marks them: records whose keys the server makes, with the columns that refer to them. */
function marked(diff: readonly RecordChange[], calls: readonly Made[]): RecordChange[] {
  const referring: Readonly<Record<string, RecordChange['generated']>> = {
    client: [{ table: 'order', column: 'client_id' }],
    order: [
      { table: 'line', column: 'order_id' },
      { table: 'invoice', column: 'order_id' },
    ],
    invoice: [],
  };
  return diff.map((each) => {
    const generated = referring[each.table];
    const isMade = each.before === null && calls.some(({ name }) => name === `create_${each.table}`);
    return isMade && generated ? { ...each, generated } : each;
  });
}

test('of 50,000 wrong attempts through the service none is accepted', async () => {
  const counts = { wrong: 0, accepted: 0, right: 0, refused: 0 };
  const goals = await Promise.all(
    GOALS.map(async (calls) => {
      const { journal } = await play(calls);
      return { calls, diff: marked(netDiff(journal), calls), end: endState(journal) };
    }),
  );
  const judged = new Map<string, { readonly passes: boolean; readonly isGoal: boolean }>();
  const judge = async (made: readonly Made[], { diff, end }: (typeof goals)[number]) => {
    const key = printExactJson([end, made]);
    const known = judged.get(key);
    if (known) return known;
    const { journal } = await play(made);
    const verdict = { passes: judgeDiff(diff, netDiff(journal)).passes, isGoal: endState(journal) === end };
    judged.set(key, verdict);
    return verdict;
  };
  while (counts.wrong < 50_000) {
    const goal = pick(goals);
    let made = pick(SLIPS)(goal.calls);
    while (random(2) === 0 && made.length > 0) made = pick(SLIPS)(made);
    const { passes, isGoal } = await judge(made, goal);
    if (isGoal) counts[passes ? 'right' : 'refused']++;
    else counts.wrong++;
    if (passes && !isGoal) counts.accepted++;
    if (passes !== isGoal) expect.soft(made).toEqual(goal.calls);
  }
  console.log({ ...counts, different: judged.size });
  expect(counts).toMatchObject({ wrong: 50_000, accepted: 0, refused: 0 });
  expect(counts.right).toBeGreaterThan(1000);
}, 1_800_000);

test('50,000 hostile requests meet no internal error, and leave the copy sound', async () => {
  const odd: readonly unknown[] = [
    null,
    true,
    '',
    'x'.repeat(5000),
    '\u0000',
    '\ud800',
    "'; DROP TABLE client; --",
    -0,
    1e308,
    2 ** 63,
    -(2 ** 63),
    9007199254740993n,
    {},
    [],
    [[1]],
    { a: { b: [] } },
    '__proto__',
    'é',
    '%',
    '%2',
    '%00',
    '1,2,3',
    '../../etc/passwd',
    '9'.repeat(40),
    ...Object.values(VALUES).flat(),
    ...Object.values(KEYS).flat(),
  ];
  const fields = [
    ...Object.keys(VALUES),
    'id',
    'key',
    'sort',
    'limit',
    'cursor',
    'city__in',
    'name__like',
    'name.like',
  ];
  const fieldsToo = [...fields, 'credit__null', 'constructor', '__proto__', 'rowid', '$where', ''];
  const tables = [...Object.keys(TABLES), 'sqlite_schema', '"order"', 'order;', '', '..', 'line%2Fx'];
  const address = (value: unknown) => encodeURIComponent(String(value).replaceAll('\ud800', ''));
  const journals = Array.from({ length: 20 }, () => [] as Parameters<PrivateCopy['read']>[0][number][]);
  const statuses = new Map<number, number>();
  const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  for (let n = 0; n < 50_000; n++) {
    const args = Object.fromEntries(Array.from({ length: random(4) }, () => [pick(fieldsToo), pick(odd)]));
    if (n % 5 === 0) {
      // Over HTTP, outside any run.
      const key = random(2) === 0 ? '' : `/${address(pick(odd))}`;
      const query = Object.entries(args).map(([name, value]) => `${address(name)}=${address(value)}`);
      const method = pick(['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const);
      const payload = pick([printExactJson(args), '{', '[]', '"x"', '', 'null']);
      const { statusCode } = await app.inject({
        method,
        url: `/v1/test/shop/records/${address(pick(tables))}${key}?${query.join('&')}`,
        ...(method === 'GET' ? {} : { payload, headers: { 'content-type': 'application/json' } }),
      });
      count(statusCode);
      continue;
    }
    const journal = pick(journals);
    if (journal.length > 200) journal.length = 0;
    const table = pick(tables);
    const verb = pick([...RECORD_VERBS, 'drop']);
    // Half of them are nearly right, so that they get far.
    const likely = random(2) === 0 ? (COLUMNS[table] ?? []).filter(() => random(4) > 0) : [];
    for (const column of likely) args[column] = random(8) === 0 ? pick(odd) : pick(VALUES[column] ?? odd);
    if (likely.length > 0 && verb !== 'create' && verb !== 'list') args.key = pick(KEYS[table] ?? odd);
    const name = `${verb}_${table}`;
    const made = { service, name, arguments: pick([args, args, args, args, null, [], 'x']), view: '' };
    const ifMatch = random(10) === 0 ? pick(['*', '"x"', 'W/"', '']) : undefined;
    const answer = await (app.domainCalls as DomainCalls).call('records', made, {
      caller: '',
      journal,
      ifMatch,
    });
    if (answer.step) journal.push(answer.step);
    count(answer.status);
  }
  console.log(Object.fromEntries([...statuses].sort(([a], [b]) => a - b)));
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  expect(statuses.get(201)).toBeGreaterThan(100);
  for (const journal of journals)
    expect(copy.read(journal, '', (db) => db.rows('PRAGMA integrity_check'))).toEqual([['ok']]);
}, 1_800_000);
