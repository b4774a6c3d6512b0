import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { mapReferences } from '../../../contracts/answer-rows.ts';
import type { StartTableDefinition } from '../../../contracts/tools.ts';
import { readCatalog } from '../../../generator/read/catalog.ts';
import { fc, runs } from '../../../tests/support/random-input.ts';
import { parseArguments } from '../../base/arguments.ts';
import { NaiveTools } from '../../testing/naive-interpreter.ts';
import { Choices, type RandomCall, randomCall } from '../../testing/naive-random-call.ts';
import {
  type Column,
  makeTable,
  newRow,
  type Table,
  Unspecified,
  type Value,
} from '../../testing/naive-table.ts';
import { memoryHandleStore, scopeOf } from '../../testing/tool-bench.ts';
import { countStatement, rowsStatement } from './compile-plan.ts';
import type { Plan, TablePlan } from './plan.ts';
import { startPlan } from './table-tools.ts';
import { SLOT_TOOLS } from './toolboxes.ts';

const RUNS = runs(400);

const SCHEMA = `
  CREATE TABLE thing (a INTEGER, b TEXT, c, d REAL, e TEXT COLLATE NOCASE);
  CREATE TABLE kind (k INTEGER PRIMARY KEY, x TEXT);
`;
const THING: readonly Column[] = [
  { key: 'thing_a', affinity: 'numeric', nocase: false },
  { key: 'thing_b', affinity: 'text', nocase: false },
  { key: 'thing_c', affinity: 'none', nocase: false },
  { key: 'thing_d', affinity: 'real', nocase: false },
  { key: 'thing_e', affinity: 'text', nocase: true },
];
const KIND: readonly Column[] = [
  { key: 'kind_k', affinity: 'numeric', nocase: false },
  { key: 'kind_x', affinity: 'text', nocase: false },
];

/** Few values, so that duplicates, ties and partners are common. */
const thingRow = fc.tuple(
  fc.constantFrom<Value>(1n, null, 2n, 3n, 0n, -1n, 10n, 2.5, 'x'),
  fc.constantFrom<Value>('a', null, '', 'A', 'ab', 'b', '10', '2', '1.5', '2020-03-05'),
  fc.constantFrom<Value>(1n, null, '1', 2.5, 'a', 'A', 10n, '10'),
  fc.constantFrom<Value>(1, null, 0, 2.5, -3.5),
  fc.constantFrom<Value>('Rome', null, 'rome', 'Oslo', 'ROME'),
);
const kindRow = fc.tuple(
  fc.integer({ min: 1, max: 4 }).map(BigInt),
  fc.constantFrom<Value>('a', null, 'A', '2', 'b'),
);

const data = fc.record({
  things: fc.array(thingRow, { maxLength: 6 }),
  kinds: fc.uniqueArray(kindRow, { maxLength: 3, selector: ([key]) => String(key) }),
});
/** Each list of numbers determines one call; see naive-random-call.ts. */
const calls = fc.array(fc.array(fc.nat({ max: 1000 }), { minLength: 4, maxLength: 14 }), {
  minLength: 1,
  maxLength: 7,
});

type Data = typeof data extends fc.Arbitrary<infer T> ? T : never;

const one = (name: string) => ({ original_table_name: name, modified_table_name: name });
const STARTS: Readonly<Record<string, StartTableDefinition>> = {
  thing: { condition_sequence: [], alias_to_table_dict: { thing: one('thing') } },
  kind: { condition_sequence: [], alias_to_table_dict: { kind: one('kind') } },
  inner: {
    condition_sequence: [['K.k', 'T.a', 'INNER']],
    alias_to_table_dict: { K: one('kind'), T: one('thing') },
  },
  left: {
    condition_sequence: [['T.a', 'K.k', 'LEFT']],
    alias_to_table_dict: { T: one('thing'), K: one('kind') },
  },
};

/** The start tables in memory, joined row by row in row order. */
function naiveStarts(db: Database.Database): Record<string, Table> {
  const read = (name: string, columns: readonly Column[]) =>
    makeTable(
      columns,
      (db.prepare(`SELECT * FROM ${name} ORDER BY rowid`).safeIntegers().raw().all() as Value[][]).map(
        (cells) => newRow(cells),
      ),
    );
  const [thing, kind] = [read('thing', THING), read('kind', KIND)];
  const pairs = (outer: boolean) =>
    thing.rows.flatMap((row) => {
      const found = kind.rows.filter(({ cells: [key] }) => key === row.cells[0]);
      const partners = found.map(({ cells }) => cells);
      return (partners.length === 0 && outer ? [[null, null]] : partners).map((cells) => ({
        thing: row.cells,
        kind: cells,
      }));
    });
  return {
    thing,
    kind,
    // Things refer to kinds by key, so the join is in the order of the things.
    inner: makeTable(
      [...KIND, ...THING],
      pairs(false).map((pair) => newRow([...pair.kind, ...pair.thing])),
    ),
    left: makeTable(
      [...THING, ...KIND],
      pairs(true).map((pair) => newRow([...pair.thing, ...pair.kind])),
    ),
  };
}

function openDatabase({ things, kinds }: Data): Database.Database {
  const db = new Database(':memory:');
  db.exec(SCHEMA);
  const insert = (sql: string, rows: readonly (readonly Value[])[]) => {
    const statement = db.prepare(sql);
    for (const row of rows) statement.run(...row);
  };
  insert('INSERT INTO thing VALUES (?, ?, ?, ?, ?)', things);
  insert('INSERT INTO kind VALUES (?, ?)', kinds);
  return db;
}

/** The production path: plans compiled and run by SQLite. */
class CompiledTools {
  readonly #db: Database.Database;
  readonly #catalog;
  readonly #store = memoryHandleStore(1000);
  readonly #plans = new Map<string, Plan>();
  sql = '';

  constructor(db: Database.Database) {
    this.#db = db;
    this.#catalog = readCatalog('property', db);
    for (const [label, definition] of Object.entries(STARTS)) {
      const plan = startPlan(definition, { catalog: this.#catalog });
      this.#store.put(plan);
      this.#plans.set(label, plan);
    }
  }

  call(label: string, { name, arguments: given }: RandomCall): void {
    const args = mapReferences(given, (each) => {
      const plan = this.#plans.get(each);
      return plan && `$${plan.handle}$`;
    });
    const tool = SLOT_TOOLS[name];
    if (!tool) throw new Error(`no tool ${name}`);
    const plan = tool.plan(
      parseArguments(tool.args, args),
      scopeOf({ catalog: this.#catalog, store: this.#store }),
    );
    this.#store.put(plan);
    this.#plans.set(label, plan);
  }

  rows(label: string): Value[][] {
    const plan = this.#plans.get(label) as Plan;
    const statement = rowsStatement(plan, this.#catalog, { offset: 0, limit: 100_000 });
    this.sql = statement.sql;
    const rows = this.#db.prepare(statement.sql).safeIntegers().raw().all(statement.parameters) as Value[][];
    const counted = countStatement(plan as TablePlan, this.#catalog);
    const count = this.#db.prepare(counted.sql).pluck().get(counted.parameters);
    expect(Number(count)).toBe(rows.length);
    return rows;
  }

  columns(label: string): string[] {
    return this.#plans.get(label)?.columns.map(({ key }) => key) ?? [];
  }
}

/** Prints reals to twelve digits, since the order of summation is undefined. */
function show(value: Value): string {
  if (typeof value === 'number') return `real ${Number(value.toPrecision(12)) + 0}`;
  return typeof value === 'bigint' ? `${value}` : JSON.stringify(value);
}

const LARGEST = 200;

interface Tally {
  compared: number;
  unspecified: number;
  readonly tools: Map<string, number>;
}

/** Runs a random sequence both ways and compares each result; stops where the expected result is undefined. */
function playBoth(input: Data, lists: readonly (readonly number[])[], tally: Tally): void {
  const db = openDatabase(input);
  try {
    const naive = new NaiveTools(naiveStarts(db));
    const compiled = new CompiledTools(db);
    const labels = Object.keys(STARTS);
    const told: string[] = [];
    lists.forEach((numbers, i) => {
      const results = labels.map((label) => ({ label, table: naive.get(label) }));
      const call = randomCall(new Choices(numbers), results);
      const label = `r${i}`;
      told.push(`${label} = ${call.name}(${JSON.stringify(call.arguments)})`);
      const expected = naive.call(label, call.name, call.arguments);
      if (expected.rows.length > LARGEST || expected.columns.length > 20) throw new Unspecified('large');
      const context = () => `\n${told.join('\n')}\n${compiled.sql}\n`;
      const actual = inContext(context, () => {
        compiled.call(label, call);
        return compiled.rows(label);
      });
      expect(compiled.columns(label), context()).toEqual(expected.columns.map(({ key }) => key));
      const rows = (cells: readonly (readonly Value[])[]) => cells.map((row) => row.map(show).join(' | '));
      expect(rows(actual), context()).toEqual(rows(expected.rows.map(({ cells }) => cells)));
      labels.push(label);
      tally.compared++;
      tally.tools.set(call.name, (tally.tools.get(call.name) ?? 0) + 1);
    });
  } catch (error) {
    if (!(error instanceof Unspecified)) throw error;
    tally.unspecified++;
  } finally {
    db.close();
  }
}

/** Adds the calls that led to an error to its message. */
function inContext<T>(context: () => string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw new Error(`${String(cause)}${context()}`, { cause });
  }
}

describe('tools', () => {
  test(`do what their descriptions say: ${RUNS} random sequences against an interpreter in memory`, () => {
    const tally: Tally = { compared: 0, unspecified: 0, tools: new Map() };
    fc.assert(
      fc.property(data, calls, (input, lists) => playBoth(input, lists, tally)),
      { numRuns: RUNS },
    );
    // The comparison is meaningful only if most calls are specified and every tool occurs.
    expect(tally.compared).toBeGreaterThan(RUNS);
    // Its answer is not data.
    expect([...tally.tools.keys(), 'describe_columns'].sort()).toEqual(Object.keys(SLOT_TOOLS).sort());
    if (process.env.ROOKERY_TEST_TIMES) console.log(tally);
  });
});
