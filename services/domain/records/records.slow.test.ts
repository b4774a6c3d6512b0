import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../../contracts/catalog.ts';
import { records as contract, type PolicyMode, RECORD_VERBS } from '../../../contracts/records.ts';
import type { Service } from '../../../contracts/service.ts';
import { readCatalog } from '../../../generator/read/catalog.ts';
import { type Journal, JournalStep, PrivateCopy } from '../../base/sqlite/private-copy.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { buildApp } from '../app.ts';
import type { CallAnswer, DomainCalls } from '../domain-calls.ts';
import { openaiTools } from '../tools/provider-formats.ts';
import { brokenRules, netDiff } from './diff.ts';
import { recordTools } from './records.ts';

const SCHEMA = `
  CREATE TABLE clinic (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, beds INT CHECK (beds >= 0));
  CREATE TABLE pet (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, weight REAL,
    clinic_id INTEGER REFERENCES clinic (id), mother INTEGER REFERENCES pet (id) ON DELETE SET NULL,
    since TEXT DEFAULT CURRENT_TIMESTAMP);
  CREATE TABLE visit (
    pet_id INTEGER NOT NULL REFERENCES pet (id) ON DELETE CASCADE, day TEXT NOT NULL, note TEXT DEFAULT 'none',
    cost REAL, PRIMARY KEY (pet_id, day)) WITHOUT ROWID;
  CREATE TABLE key (id INTEGER PRIMARY KEY, clinic_id INTEGER REFERENCES clinic (id) ON DELETE RESTRICT,
    "in use" INTEGER CHECK ("in use" IN (0, 1)), copies INTEGER, CONSTRAINT few CHECK (copies < 9 OR (copies = 99)));
  CREATE TABLE invoice (no TEXT PRIMARY KEY, total, paid INTEGER GENERATED ALWAYS AS (total = 0) VIRTUAL);
  CREATE TABLE gauge (id INTEGER PRIMARY KEY, shown INTEGER) STRICT;
  INSERT INTO gauge VALUES (1, 1);
  CREATE TABLE log (what TEXT);
  CREATE TRIGGER logged AFTER INSERT ON clinic BEGIN INSERT INTO log VALUES ('new ' || NEW.name); END;
  CREATE TRIGGER refused BEFORE DELETE ON invoice WHEN OLD.no = 'INV-00001' BEGIN
    SELECT RAISE(ABORT, 'the first invoice stays'); END;
  INSERT INTO clinic VALUES (1, 'North', 4), (2, 'South', 8), (3, 'Empty', 0);
  INSERT INTO pet (id, name, weight, clinic_id, mother) VALUES
    (1, 'Bella', 4.5, 1, NULL), (2, 'Rex', 20.0, 1, NULL), (3, 'Puppy', 2.5, 2, 1);
  INSERT INTO visit VALUES (1, '2024-01-01', 'a', 10.0), (1, '2024-01-02', 'b', 12.5), (2, '2024-01-01', 'c', NULL);
  INSERT INTO invoice (no, total) VALUES ('INV-00001', 5), ('INV-00002', 0);
  INSERT INTO log VALUES ('begin'), ('begin');
`;

const folder = temporaryFolder();
const file = join(folder.path, 'vets.sqlite');
let service: Service;
let calls: DomainCalls;
let app: Awaited<ReturnType<typeof buildApp>>;
beforeAll(async () => {
  const db = new Database(file);
  db.exec(SCHEMA);
  const catalog = readCatalog('vets', db);
  db.close();
  const described = { title: 'Vets', reference_time: '2024-06-01 12:00:00', endpoints: [], start_tables: [] };
  service = { format_version: 1, split: 'test', db: 'vets', ...described, catalog };
  app = await buildApp({ domains: [{ service, database: file }], logger: false });
  calls = app.domainCalls as DomainCalls;
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

test('outside a run, HEAD gives the headers of GET', async () => {
  const url = '/v1/test/vets/records/pet/2';
  const [head, get] = await Promise.all(
    (['HEAD', 'GET'] as const).map((method) => app.inject({ method, url })),
  );
  expect([head?.statusCode, head?.body, head?.headers.etag]).toEqual([200, '', get?.headers.etag]);
  expect(get?.headers.etag).toBeDefined();
  const list = await app.inject({ method: 'HEAD', url: '/v1/test/vets/records/pet' });
  expect(list.statusCode).toBe(200);
});

/** A run: what it changes lasts for its later calls. */
class Run {
  readonly journal: JournalStep[] = [];

  async call(
    name: string,
    args: object = {},
    ifMatch?: string,
  ): Promise<CallAnswer & { json: ReturnType<typeof JSON.parse> }> {
    const call = { service, name, arguments: args, view: '' };
    const answer = await calls.call('records', call, { caller: 'run x', journal: this.journal, ifMatch });
    // As it comes back from the record of a run.
    if (answer.step) this.journal.push(new JournalStep(answer.step.text));
    return { ...answer, json: answer.body === '' ? null : JSON.parse(answer.body) };
  }
}

describe('rules of a domain', () => {
  const POLICIES: Policy[] = [
    {
      id: 'paid-visits',
      rule: 'A visit that was paid must not change.',
      table: 'visit',
      on: ['update', 'delete'],
      forbid: 'before.cost IS NOT NULL',
    },
    {
      id: 'fixed-mothers',
      rule: 'A mother once known stays.',
      table: 'pet',
      on: ['update'],
      forbid: 'before.mother IS NOT NULL AND before.mother IS NOT after.mother',
    },
    {
      id: 'room',
      rule: 'A clinic has at most two pets more than beds.',
      table: 'pet',
      on: ['create', 'update'],
      forbid:
        '(SELECT count(*) FROM pet WHERE clinic_id = after.clinic_id) > (SELECT beds + 2 FROM clinic WHERE id = after.clinic_id)',
    },
    // The column has the affinity of an integer, so that it equals a text of digits.
    {
      id: 'big',
      rule: 'No clinic of 99 beds.',
      table: 'clinic',
      on: ['create'],
      forbid: "after.beds = '99'",
    },
    // Conditions that read what a trigger or a cascade changes.
    {
      id: 'one-entry',
      rule: 'A clinic may be entered in the log once.',
      table: 'clinic',
      on: ['create'],
      forbid: "(SELECT count(*) FROM log WHERE what = 'new ' || after.name) > 1",
    },
    {
      id: 'last-visit',
      rule: 'The last pet with visits stays.',
      table: 'pet',
      on: ['delete'],
      forbid: 'NOT EXISTS (SELECT 1 FROM visit)',
    },
    // A rule on rows that only a trigger writes.
    { id: 'no-log', rule: 'No X in the log.', table: 'log', on: ['create'], forbid: "after.what LIKE '%X%'" },
    { id: 'two-pets', rule: 'At most two pets change.', table: 'pet', on: ['update'], at_most: 2 },
  ];
  const withRules = () => ({ ...service, catalog: { ...service.catalog, policies: POLICIES } });
  let ruled: DomainCalls;
  let app: Awaited<ReturnType<typeof buildApp>>;
  beforeAll(async () => {
    app = await buildApp({ domains: [{ service: withRules(), database: file }], logger: false });
    ruled = app.domainCalls as DomainCalls;
  });
  afterAll(() => app.close());

  /** Codes of the answers, and the rules that the run broke. */
  async function play(policies: PolicyMode | undefined, ...made: readonly (readonly [string, object])[]) {
    const journal: JournalStep[] = [];
    const codes: (string | number)[] = [];
    for (const [name, args] of made) {
      const call = { service: withRules(), name, arguments: args, view: '' };
      const answer = await ruled.call('records', call, { caller: '', journal, policies });
      if (answer.step) journal.push(new JournalStep(answer.step.text));
      const body = JSON.parse(answer.body);
      codes.push(body.code === 'POLICY' ? body.errors[0].code : (body.code ?? answer.status));
    }
    return { codes, broken: brokenRules(journal), diff: netDiff(journal) };
  }

  test('are enforced: 403 with the rule, and nothing is changed', async () => {
    const played = await play(
      undefined,
      ['update_visit', { key: '1,2024-01-01', note: 'x' }],
      ['update_visit', { key: '2,2024-01-01', note: 'x' }],
      ['update_pet', { key: 3, mother: 2 }],
      ['update_pet', { key: 3, name: 'P' }],
      // Its mother is set to NULL, and its visits go: both by the schema.
      ['delete_pet', { key: 1 }],
      ['update_clinic', { key: 3, beds: 0 }],
      ['create_pet', { name: 'a', clinic_id: 3 }],
      ['create_pet', { name: 'b', clinic_id: 3 }],
      ['create_pet', { name: 'c', clinic_id: 3 }],
      ['create_clinic', { name: 'Big', beds: 99 }],
    );
    const rules = ['paid-visits', 200, 'fixed-mothers', 200, 'paid-visits', 200, 201, 201, 'room', 'big'];
    expect(played.codes).toEqual(rules);
    expect(played.broken).toEqual([]);
    expect(played.diff.map(({ table }) => table).sort()).toEqual(['pet', 'pet', 'pet', 'visit']);
    const call = { service: withRules(), name: 'delete_visit', arguments: { key: '1,2024-01-01' }, view: '' };
    const refused = await ruled.call('records', call, { caller: '', journal: [] });
    expect([refused.status, refused.step, JSON.parse(refused.body)]).toMatchObject([
      403,
      undefined,
      { code: 'POLICY', detail: 'A visit that was paid must not change.' },
    ]);
  });

  test('hold of what triggers and foreign keys change, and see it in other tables', async () => {
    const [a, b] = [
      ['create_clinic', { name: 'A' }],
      ['create_clinic', { name: 'X' }],
    ] as const;
    const renamed = ['update_clinic', { key: 4, name: 'B' }] as const;
    expect((await play(undefined, a, renamed, a)).codes).toEqual([201, 200, 'one-entry']);
    expect((await play(undefined, b)).codes).toEqual(['no-log']);
    const free = (key: string) => ['update_visit', { key, cost: null }] as const;
    const visits = ['1,2024-01-01', '1,2024-01-02'].map(free);
    const gone = await play('recorded', ...visits, ['delete_pet', { key: 1 }], ['delete_pet', { key: 2 }]);
    expect([gone.codes, gone.broken]).toEqual([
      [200, 200, 200, 200],
      ['fixed-mothers', 'last-visit', 'paid-visits'],
    ]);
    const one = await play('recorded', ['delete_pet', { key: 2 }]);
    expect(one.broken).toEqual([]);
  });

  test('count the rows that a run changes on the whole', async () => {
    const rename = (key: number, name: string) => ['update_pet', { key, name }] as const;
    const played = await play(undefined, rename(1, 'A'), rename(2, 'B'), rename(2, 'BB'), rename(3, 'C'));
    expect(played.codes).toEqual([200, 200, 200, 'two-pets']);
    // What is as it was is no change.
    const undone = await play(undefined, rename(1, 'A'), rename(2, 'B'), rename(2, 'Rex'), rename(3, 'C'));
    expect(undone.codes).toEqual([200, 200, 200, 200]);
  });

  test('are recorded: the call succeeds, and the journal says which it broke', async () => {
    const made = [
      ['update_visit', { key: '1,2024-01-01', note: 'x' }],
      ['update_visit', { key: '1,2024-01-01', note: 'a' }],
      ['update_pet', { key: 3, mother: 2 }],
    ] as const;
    const played = await play('recorded', ...made);
    expect([played.codes, played.broken]).toEqual([
      [200, 200, 200],
      ['fixed-mothers', 'paid-visits'],
    ]);
    expect(played.diff).toHaveLength(1);
  });

  test('are told to callers without their SQL', async () => {
    const document = (await app.inject('/openapi/vets.records.json')).json();
    const catalog = (
      await app.inject({ url: '/catalog/vets', headers: { accept: 'application/json' } })
    ).json();
    const told = POLICIES.map(({ id, rule, table, on }) => ({ id, rule, table, on }));
    expect([document['x-policies'], catalog.policies]).toEqual([told, told]);
  });
});

describe('the record API', () => {
  test('creates, reads, changes and deletes records that later calls of the run see', async () => {
    const run = new Run();
    const made = await run.call('create_pet', { name: 'Milo', weight: 3, clinic_id: 2 });
    expect([made.status, made.headers?.location, made.json]).toEqual([
      201,
      '/v1/test/vets/records/pet/4',
      { id: 4, name: 'Milo', weight: 3, clinic_id: 2, mother: null, since: '2024-06-01 12:00:00' },
    ]);
    expect((await run.call('get_pet', { key: 4 })).json.name).toBe('Milo');
    const changed = await run.call('update_pet', { key: 4, weight: 3.5, mother: 1 });
    expect([changed.status, changed.json.weight, changed.json.mother]).toEqual([200, 3.5, 1]);
    expect((await run.call('delete_pet', { key: 1 })).json).toEqual({ deleted: true });
    expect((await run.call('get_pet', { key: 4 })).json.mother).toBeNull();
    expect((await run.call('list_visit')).json.data).toHaveLength(1);
    // Another run sees none of it.
    expect((await new Run().call('list_pet')).json.data).toHaveLength(3);
    expect((await new Run().call('get_pet', { key: 4 })).status).toBe(404);
  });

  test('gives keys as a server would, never one that was used', async () => {
    const run = new Run();
    await run.call('create_pet', { name: 'A' });
    await run.call('delete_pet', { key: 4 });
    expect((await run.call('create_pet', { name: 'B' })).json.id).toBe(5);
    expect((await run.call('create_invoice', { total: 7 })).json).toEqual({
      no: 'INV-00003',
      total: 7,
      paid: 0,
    });
    expect((await run.call('create_visit', { day: '2024-02-01' })).json.code).toBe('CONSTRAINT_VIOLATED');
  });

  test('names what SQLite leaves out of its error: references that RESTRICT deletion, and conditions', async () => {
    const run = new Run();
    const errors = async (name: string, args: object) => (await run.call(name, args)).json.errors;
    await run.call('create_key', { clinic_id: 3 });
    const message = 'other records refer to this clinic: pet, key';
    expect(await errors('delete_clinic', { key: 3 })).toEqual([
      { field: 'id', code: 'foreign_key', message },
    ]);
    expect(await errors('create_key', { in_use: 2 })).toEqual([
      { field: 'in_use', code: 'check', message: 'the rule "in use" IN (0, 1) must hold' },
    ]);
    expect(await errors('create_key', { copies: 9 })).toEqual([
      { field: 'copies', code: 'check', message: 'the rule copies < 9 OR (copies = 99) must hold' },
    ]);
  });

  test('names constraint, column and rule', async () => {
    const run = new Run();
    const problem = async (name: string, args: object) => {
      const { status, json } = await run.call(name, args);
      return [status, json.code, json.errors?.[0].field, json.errors?.[0].code];
    };
    expect(await problem('create_clinic', { name: 'North' })).toEqual([
      409,
      'CONSTRAINT_CONFLICT',
      'name',
      'unique',
    ]);
    expect(await problem('create_clinic', { name: 'X', beds: -1 })).toEqual([
      422,
      'CONSTRAINT_VIOLATED',
      'beds',
      'check',
    ]);
    expect(await problem('create_clinic', { beds: 1 })).toEqual([
      422,
      'CONSTRAINT_VIOLATED',
      'name',
      'not_null',
    ]);
    expect(await problem('update_pet', { key: 1, clinic_id: 9 })).toEqual([
      409,
      'CONSTRAINT_CONFLICT',
      'clinic_id',
      'foreign_key',
    ]);
    expect(await problem('delete_clinic', { key: 1 })).toEqual([
      409,
      'CONSTRAINT_CONFLICT',
      'id',
      'foreign_key',
    ]);
    expect(await problem('create_pet', { name: 5 })).toEqual([
      422,
      'CONSTRAINT_VIOLATED',
      'name',
      'wrong_type',
    ]);
    // Beyond 64 bits there are only reals.
    for (const beds of [9223372036854775808n, 2 ** 63])
      expect(await problem('create_clinic', { name: 'X', beds })).toEqual([
        422,
        'CONSTRAINT_VIOLATED',
        'beds',
        'wrong_type',
      ]);
    expect(await problem('create_gauge', { shown: 1.5 })).toEqual([
      422,
      'CONSTRAINT_VIOLATED',
      'shown',
      'wrong_type',
    ]);
    expect(await problem('create_pet', { name: ['a'] })).toEqual([
      400,
      'INVALID_PARAMETERS',
      'name',
      'wrong_type',
    ]);
    expect(await problem('create_pet', { nam: 'a' })).toEqual([
      400,
      'INVALID_PARAMETERS',
      'nam',
      'unknown_parameter',
    ]);
    expect(await problem('update_invoice', { key: 'INV-00001', paid: 1 })).toEqual([
      400,
      'INVALID_PARAMETERS',
      'paid',
      'read_only',
    ]);
    expect(await problem('delete_invoice', { key: 'INV-00001' })).toEqual([
      422,
      'CONSTRAINT_VIOLATED',
      'invoice',
      'rule',
    ]);
    expect(await problem('update_visit', { key: '1,2024-09-09', note: 'x' })).toEqual([
      404,
      'UNKNOWN_RECORD',
      undefined,
      undefined,
    ]);
    expect(await problem('get_log', { key: 1 })).toEqual([404, 'UNKNOWN_TOOL', 'tool', 'unknown_tool']);
    expect(run.journal).toEqual([]);
  });

  test('lists with filters, order and pages', async () => {
    const run = new Run();
    const names = async (args: object) =>
      (await run.call('list_pet', args)).json.data.map((row: { readonly name: string }) => row.name);
    expect(await names({ weight__gte: 4, sort: '-weight' })).toEqual(['Rex', 'Bella']);
    expect(await names({ 'weight.lt': '4.5' })).toEqual(['Puppy']);
    expect(await names({ mother__null: true })).toEqual(['Bella', 'Rex']);
    expect(await names({ name__in: ['Rex', 'Puppy'] })).toEqual(['Rex', 'Puppy']);
    const first = (await run.call('list_pet', { limit: 2 })).json;
    expect([first.row_count, first.truncated]).toEqual([2, true]);
    const second = (await run.call('list_pet', { limit: 2, cursor: first.next_cursor })).json;
    expect([second.data[0].name, second.next_cursor, second.truncated]).toEqual(['Puppy', null, false]);
    expect((await run.call('list_pet', { wieght: 1 })).json.errors[0].suggestions).toContain('weight');
    // Wrong parameters have the names that they were given.
    const wrong = (await run.call('list_pet', { 'id.gte': 'x', clinic_id__in: 'y', sort: 'wieght' })).json;
    expect(wrong.errors.map(({ field }: { readonly field: string }) => field).sort()).toEqual([
      'clinic_id__in',
      'id.gte',
      'sort',
    ]);
    expect(wrong.detail).toContain('id.gte must be an integer');
  });

  test('offers no generated column to be written', () => {
    const tools = new Map(recordTools(service).map((tool) => [tool.name, tool.parameters.properties]));
    const named = (tool: string) => Object.keys(tools.get(tool) ?? {});
    expect([named('create_invoice'), named('update_invoice')]).toEqual([
      ['no', 'total'],
      ['key', 'no', 'total'],
    ]);
    expect(named('list_invoice')).toContain('paid');
  });

  test('can be called in OpenAI formats without a loss: null is a value where one writes, and absent where one reads', async () => {
    const run = new Run();
    const tools = new Map(
      openaiTools(recordTools(service)).map((tool) => [tool.function.name, tool.function]),
    );
    expect(tools.get('update_pet')).toMatchObject({
      strict: false,
      parameters: { required: ['key'], properties: { weight: { type: ['number', 'null'] } } },
    });
    expect((await run.call('update_pet', { key: 1, weight: null })).json).toMatchObject({
      name: 'Bella',
      weight: null,
      clinic_id: 1,
    });
    const list = tools.get('list_pet');
    expect([list?.strict, tools.get('delete_pet')?.strict]).toEqual([true, true]);
    const absent = Object.fromEntries(
      Object.keys(list?.parameters.properties ?? {}).map((name) => [name, null]),
    );
    expect((await run.call('list_pet', { ...absent, name: 'Rex' })).json.data).toMatchObject([{ id: 2 }]);
  });

  test('changes a record only while it is the one that was read', async () => {
    const run = new Run();
    const { headers } = await run.call('get_pet', { key: 2 });
    await run.call('update_pet', { key: 2, weight: 21 });
    expect((await run.call('update_pet', { key: 2, weight: 22 }, headers?.etag)).status).toBe(412);
    const now = await run.call('get_pet', { key: 2 });
    expect((await run.call('update_pet', { key: 2, weight: 22 }, now.headers?.etag)).status).toBe(200);
    expect((await run.call('delete_pet', { key: 2 }, now.headers?.etag)).status).toBe(412);
  });

  test('refuses writes outside a run, and more changes than a run may make', async () => {
    const denied = await app.inject({
      method: 'POST',
      url: '/v1/test/vets/records/pet',
      payload: { name: 'x' },
    });
    expect([denied.statusCode, denied.json().code]).toEqual([403, 'WRITES_NEED_RUN']);
    expect((await app.inject('/v1/test/vets/records/visit/1,2024-01-02')).json().note).toBe('b');
    const run = new Run();
    const rows = Array.from({ length: 999 }, (_, n) => BigInt(n + 10));
    run.journal.push(
      JournalStep.of(
        rows.map((n) => ({ table: 'log', id: [n], key: [], before: null, after: { what: 'x' } })),
      ),
    );
    expect(await run.call('create_pet', { name: 'the last' })).toMatchObject({ status: 201 });
    expect(await run.call('create_pet', { name: 'one more' })).toMatchObject({ status: 413 });
    expect((await run.call('list_pet', { name: 'one more' })).json.data).toEqual([]);
  });
});

/** Keys of a few records, some of which do not exist. */
const KEYS: Readonly<Record<string, () => readonly unknown[]>> = {
  clinic: () => [pick([1, 2, 3, 4, 5])],
  pet: () => [pick([1, 2, 3, 4, 5, 6])],
  visit: () => [pick([1, 2, 4]), pick(['2024-01-01', '2024-01-02', '2024-03-01'])],
  invoice: () => [pick(['INV-00001', 'INV-00002', 'INV-00003', 'x,y'])],
};
const VALUES: Readonly<Record<string, () => Record<string, unknown>>> = {
  clinic: () =>
    some({ name: pick(['North', 'West', 'East', null]), beds: pick([-1, 0, 7, null]), id: pick([3, 9]) }),
  pet: () =>
    some({
      name: pick(['Z', null, 'Ö']),
      weight: pick([1.5, 2, null, 1e300]),
      clinic_id: pick([1, 2, 7, null]),
      mother: pick([1, 3, 4, null]),
    }),
  visit: () =>
    some({
      pet_id: pick([1, 2, 3, 9]),
      day: pick(['2024-01-01', '2024-03-01']),
      note: pick(['n', null]),
      cost: pick([5, 0.1]),
    }),
  invoice: () => some({ no: pick(['INV-00009', 'INV-00001', 'x,y']), total: pick([0, 3, 9007199254740991]) }),
};
let seed = 7;
function random(): number {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
}
function pick<T>(of: readonly T[]): T {
  return of[Math.floor(random() * of.length)] as T;
}
function some(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(() => random() < 0.6));
}
const TABLES = { clinic: ['id'], pet: ['id'], visit: ['pet_id', 'day'], invoice: ['no'] } as const;

/** The same statement on a database of its own, by SQLite itself. Returns whether it was carried out. */
function onCopy(
  db: Database.Database,
  verb: string,
  table: keyof typeof TABLES,
  key: readonly unknown[],
  values: Record<string, unknown>,
): boolean {
  const where = TABLES[table].map((column) => `${column} = ?`).join(' AND ');
  const columns = Object.keys(values);
  const bound = Object.values(values).map((value) =>
    Number.isSafeInteger(value) ? BigInt(value as number) : value,
  );
  try {
    if (verb === 'create') {
      const list =
        columns.length === 0 ? 'DEFAULT VALUES' : `(${columns}) VALUES (${columns.map(() => '?')})`;
      db.prepare(`INSERT INTO ${table} ${list}`).run(...bound);
      return true;
    }
    if (!db.prepare(`SELECT 1 FROM ${table} WHERE ${where}`).get(...key)) return false;
    if (verb === 'delete') db.prepare(`DELETE FROM ${table} WHERE ${where}`).run(...key);
    else if (columns.length > 0)
      db.prepare(`UPDATE ${table} SET ${columns.map((column) => `${column} = ?`)} WHERE ${where}`).run(
        ...bound,
        ...key,
      );
    return true;
  } catch {
    return false;
  }
}

function everything(rows: (sql: string) => unknown): unknown {
  return ['clinic', 'pet', 'visit', 'invoice', 'log'].map((table) =>
    rows(`SELECT *, ${table === 'visit' ? 1 : 'rowid'} FROM ${table} ORDER BY 1, 2`),
  );
}

test('any calls through a run do what the same statements do to a database of its own', async () => {
  const copy = new PrivateCopy(file);
  for (let round = 0; round < 40; round++) {
    const run = new Run();
    const own = join(folder.path, 'own.sqlite');
    copyFileSync(file, own);
    const db = new Database(own);
    db.pragma('foreign_keys = on');
    for (let n = 0; n < 25; n++) {
      const table = pick(Object.keys(TABLES)) as keyof typeof TABLES;
      const verb = pick(['create', 'update', 'update', 'delete']);
      const key = (KEYS[table] as () => readonly unknown[])();
      const values = verb === 'delete' ? {} : (VALUES[table] as () => Record<string, unknown>)();
      // What a server adds is stated to SQLite.
      const stated = { ...values };
      if (verb === 'create' && table === 'pet') stated.since = '2024-06-01 12:00:00';
      if (verb === 'create' && table === 'invoice' && !('no' in values)) stated.no = nextInvoice(db);
      if (verb === 'create' && table === 'visit' && !('day' in values && 'pet_id' in values)) continue;
      const text = key
        .map((each) => String(each).replace(/[%,]/g, key.length > 1 ? encodeURIComponent : (c) => c))
        .join(',');
      const answer = await run.call(
        `${verb}_${table}`,
        verb === 'create' ? values : { ...values, key: text },
      );
      expect(answer.status).not.toBe(500);
      expect([verb, table, text, values, answer.status < 400]).toEqual([
        verb,
        table,
        text,
        values,
        onCopy(db, verb, table, key, stated),
      ]);
    }
    db.defaultSafeIntegers(true);
    const there = copy.read(run.journal as Journal, '', (state) => everything((sql) => state.rows(sql)));
    expect(there).toEqual(everything((sql) => db.prepare(sql).raw().all()));
    db.close();
  }
  expect(copy.read([], 'x', (state) => state.rows('PRAGMA integrity_check'))).toEqual([['ok']]);
  copy.close();
});

function nextInvoice(db: Database.Database): string {
  const last = db.prepare('SELECT no FROM invoice ORDER BY length(no) DESC, no DESC').pluck().get() as
    | string
    | undefined;
  const [, prefix = '', digits = ''] = /^(.*?)(\d+)$/.exec(last ?? '') ?? [];
  return `${prefix}${String(Number(digits) + 1).padStart(digits.length, '0')}`;
}

test('hostile requests are answered without an internal error, and leave the copy sound', async () => {
  const odd = [
    null,
    true,
    '',
    'x'.repeat(70_000),
    '\u0000',
    "'; DROP TABLE pet; --",
    Number.POSITIVE_INFINITY,
    -0,
    2 ** 63,
    {},
    [],
    [[]],
    { a: 1 },
    '__proto__',
    'é',
    '%',
    '%2',
    '1,2,3',
    '9'.repeat(40),
  ];
  const names = ['pet', 'visit', 'invoice', 'clinic', 'log', 'sqlite_schema', '"pet"', ''];
  const columns = [
    'id',
    'name',
    'key',
    'weight',
    'pet_id',
    'day',
    'no',
    'total',
    'paid',
    'sort',
    'limit',
    'cursor',
    'weight__in',
    'name__like',
    'constructor',
    'rowid',
  ];
  const run = new Run();
  for (let n = 0; n < 1500; n++) {
    const args = Object.fromEntries(Array.from({ length: 3 }, () => [pick(columns), pick(odd)]));
    const { status } = await run.call(`${pick([...RECORD_VERBS, 'drop'])}_${pick(names)}`, args);
    expect(status).toBeLessThan(500);
  }
  const copy = new PrivateCopy(file);
  expect(copy.read(run.journal, '', (db) => db.rows('PRAGMA integrity_check'))).toEqual([['ok']]);
  copy.close();
});

test('slow statements in child processes see the run, too', async () => {
  const slow = { ...service, endpoints: [endpoint()] };
  const own = await buildApp({ domains: [{ service: slow, database: file }], logger: false });
  const run = new Run();
  await run.call('create_clinic', { name: 'West', beds: 2 });
  const read = (journal: Journal) =>
    (own.domainCalls as DomainCalls).call(
      'rest',
      { service: slow, name: 'get_beds', arguments: {}, view: '' },
      { caller: 'run x', journal },
    );
  expect(JSON.parse((await read(run.journal)).body).data).toEqual([{ beds: 14 }]);
  expect(JSON.parse((await read([])).body).data).toEqual([{ beds: 12 }]);
  await own.close();
});

function endpoint(): Service['endpoints'][number] {
  return {
    name: 'beds',
    operation_id: 'get_beds',
    path: '/v1/test/vets/beds',
    summary: '',
    description: '',
    sql: 'SELECT sum(beds) AS beds FROM clinic',
    parameters: [],
    columns: [{ name: 'beds', type: 'integer', nullable: true, description: '' }],
    speed: 'slow',
  };
}

test('the address of a record is the one of its key', () => {
  const request = contract.requestOf(service, {
    name: 'update_visit',
    arguments: { key: '1,a%2Cb', note: null },
  });
  expect(request).toEqual({
    method: 'PATCH',
    path: '/v1/test/vets/records/visit/1%2Ca%252Cb',
    query: [],
    body: { note: null },
  });
});
