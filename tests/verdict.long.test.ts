import { expect, test } from 'vitest';
import { printExactJson } from '../contracts/exact-json.ts';
import { keyNames, MOST_CHANGES, type RecordChange } from '../contracts/records.ts';
import type { Sample } from '../contracts/sample.ts';
import type { Service } from '../contracts/service.ts';
import { DOMAIN_NAMES } from '../databases/domains.ts';
import { judgeDiff } from '../eval/answer/judge-diff.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { pinTime } from '../generator/oracle/gold-sql.ts';
import { Random } from '../generator/variants/random.ts';
import { loadFarm } from '../services/base/farm.ts';
import { SqliteError, type WritableConnection } from '../services/base/sqlite/driver.ts';
import { type Journal, JournalStep, PrivateCopy } from '../services/base/sqlite/private-copy.ts';
import { buildApp } from '../services/domain/app.ts';
import type { DomainCalls } from '../services/domain/domain-calls.ts';
import { brokenRules, netDiff } from '../services/domain/records/diff.ts';
import { playRecords } from '../services/domain/records/play-records.ts';
import { quoteIdentifier } from '../sql/index.ts';
import { farmOfDomains } from './support/farms.ts';
import { Examples, type MadeCall, slipsOf } from './support/wrong-changes.ts';

/** Wrong attempts at each task, all different. */
const WRONG = 27;

/** `idle`: wrong ones that change nothing. `right`: attempts that lead to the goal. `refused`: those of them that fail. */
const counts = { wrong: 0, idle: 0, accepted: 0, right: 0, refused: 0 };

test.each(DOMAIN_NAMES)('no wrong attempt at a task of %s that changes records is accepted', async (db) => {
  const farm = await farmOfDomains(db);
  const { domains } = await loadFarm(farm);
  const { service, database } = domains.find((each) => each.service.db === db) ?? {};
  if (!service || !database) throw new Error(`${db} is not served`);
  const samples = readFarm(farm).samples.filter(
    (sample) => sample.formulation === 'records' && sample.dataset_name === db,
  );
  const app = await buildApp({ domains: [{ service, database }], logger: false });
  const keyOf = (table: string) => keyNames(service.catalog.tables.find((each) => each.name === table));
  const copy = new PrivateCopy(database, keyOf);
  try {
    const domain = new DomainUnderTest(service, app.domainCalls as DomainCalls, copy);
    const random = new Random(db);
    const examples = new Examples(database, service, random);
    const others = samples.map(({ output }) => output).filter(({ length }) => length > 0);
    for (const sample of samples) {
      const goal = domain.differences((await domain.play(sample, sample.output)).journal);
      const seen = new Set<string>();
      let wrong = 0;
      const judge = (journal: Journal, attempt: unknown) => {
        const key = printExactJson(attempt);
        if (seen.has(key)) return;
        seen.add(key);
        const broken = brokenRules(journal);
        const { passes } = judgeDiff(sample.gold_diff ?? [], netDiff(journal), { broken });
        const differences = domain.differences(journal);
        const isGoal = domain.isSameState(goal, differences, sample);
        if (!isGoal) {
          wrong++;
          if (differences.size === 0) counts.idle++;
          if (passes) counts.accepted++;
        } else if (broken.length === 0) counts[passes ? 'right' : 'refused']++;
        const expected = isGoal && broken.length === 0;
        if (passes !== expected) expect.soft({ task: sample.sample_id, attempt, passes }).toEqual(null);
      };
      for (const { table, open = [] } of sample.gold_diff ?? []) {
        const other = sample.output.map((call) =>
          call.name.endsWith(`_${table}`)
            ? {
                ...call,
                arguments: { ...call.arguments, ...Object.fromEntries(open.map((name) => [name, null])) },
              }
            : call,
        );
        if (open.length > 0) judge((await domain.play(sample, other)).journal, other);
      }
      for (const sql of slipsOf(sample.query)) judge(domain.run(sql), sql);
      for (let tries = 0; tries < 10 * WRONG && wrong < WRONG; tries++) {
        let made: readonly MadeCall[] = examples.slip(sample.output, others);
        while (random.chance(0.4)) made = examples.slip(made, others);
        judge((await domain.play(sample, made)).journal, made);
      }
      counts.wrong += wrong;
    }
  } finally {
    copy.close();
    await app.close();
  }
});

test('there were 50,000 of them, and no attempt that leads to the goal is refused', () => {
  console.log(counts);
  expect(counts).toMatchObject({ accepted: 0, refused: 0 });
  expect(counts.wrong).toBeGreaterThanOrEqual(50_000);
  expect(counts.right).toBeGreaterThan(1000);
});

type StoredRow = readonly unknown[];
/** The rows that only one of two states of a table has. */
interface Difference {
  readonly gone: readonly StoredRow[];
  readonly come: readonly StoredRow[];
}
type Differences = ReadonlyMap<string, Difference>;

/** A domain whose states are compared by reading all their rows, without any of the verdict's own means. */
class DomainUnderTest {
  readonly #service: Service;
  readonly #calls: DomainCalls;
  readonly #copy: PrivateCopy;
  readonly #columns: ReadonlyMap<string, readonly string[]>;
  readonly #start: ReadonlyMap<string, readonly StoredRow[]>;
  readonly #known = new Map<string, Differences>();

  constructor(service: Service, calls: DomainCalls, copy: PrivateCopy) {
    this.#service = service;
    this.#calls = calls;
    this.#copy = copy;
    const tables = service.catalog.tables.filter(({ view }) => !view);
    this.#columns = new Map(tables.map(({ name, columns }) => [name, columns.map((each) => each.name)]));
    this.#start = copy.read([], '', (db) => new Map(tables.map(({ name }) => [name, rowsOf(db, name)])));
  }

  play(sample: Sample, made: readonly MadeCall[]) {
    return playRecords(this.#calls, this.#service, made, sample.policies);
  }

  /** What SQL changes when SQLite runs it; nothing where SQLite refuses it, or where a run could not change as much. */
  run(sql: string): Journal {
    try {
      const pinned = pinTime(sql, this.#service.reference_time).sql;
      const { changes } = this.#copy.write([], (db) => db.exec(pinned));
      return changes.length > MOST_CHANGES ? [] : [JournalStep.of(changes)];
    } catch (error) {
      if (error instanceof SqliteError) return [];
      throw error;
    }
  }

  /** How a run's state differs from the start, by table. */
  differences(journal: Journal): Differences {
    const key = journal.map(({ text }) => text).join('\n');
    const known = this.#known.get(key);
    if (known) return known;
    const touched = [...new Set(journal.flatMap(({ changes }) => changes.map(({ table }) => table)))];
    const found = this.#copy.read(
      journal,
      '',
      (db) =>
        new Map(touched.map((table) => [table, difference(this.#start.get(table) ?? [], rowsOf(db, table))])),
    );
    const differences = new Map([...found].filter(([, { gone, come }]) => gone.length + come.length > 0));
    this.#known.set(key, differences);
    return differences;
  }

  /** Whether two states are the same up to the keys that the server made: tries every way to rename them. */
  isSameState(goal: Differences, made: Differences, { gold_diff = [] }: Sample): boolean {
    const byServer = [...new Set(gold_diff.flatMap(({ table, generated }) => (generated ? [table] : [])))];
    const newKeys = (differences: Differences, table: string) => {
      const at = this.#keyAt(table);
      const { gone, come } = differences.get(table) ?? { gone: [], come: [] };
      const old = new Set(gone.map((row) => row[at]));
      return come.map((row) => row[at]).filter((key) => !old.has(key));
    };
    let renamings: ReadonlyMap<string, ReadonlyMap<unknown, unknown>>[] = [new Map()];
    for (const table of byServer) {
      const [wanted, given] = [newKeys(goal, table), newKeys(made, table)];
      if (wanted.length !== given.length) return false;
      renamings = renamings.flatMap((renaming) =>
        permutations(wanted).map(
          (keys) => new Map([...renaming, [table, new Map(given.map((key, at) => [key, keys[at]]))]]),
        ),
      );
    }
    const textIn = (state: Differences) => textOf(this.#blanked(state, gold_diff));
    const text = textIn(goal);
    return renamings.some((renaming) => textIn(this.#renamed(made, renaming)) === text);
  }

  /** Without the values that the task leaves open in the gold's rows. */
  #blanked(differences: Differences, gold_diff: readonly RecordChange[]): Differences {
    const free = gold_diff.filter(({ open }) => open);
    return new Map(
      [...differences].map(([table, { gone, come }]) => {
        const columns = this.#columns.get(table) ?? [];
        const blank = (row: StoredRow) => {
          const own = free.find(
            (change) =>
              change.table === table &&
              Object.entries(change.key).every(([name, value]) => row[columns.indexOf(name)] === value),
          );
          return row.map((value, at) => (own?.open?.includes(columns[at] ?? '') ? 'open' : value));
        };
        return [table, { gone, come: come.map(blank) }] as const;
      }),
    );
  }

  #keyAt(table: string): number {
    const [key = ''] = keyNames(this.#service.catalog.tables.find((each) => each.name === table));
    return this.#columns.get(table)?.indexOf(key) ?? -1;
  }

  #renamed(made: Differences, renaming: ReadonlyMap<string, ReadonlyMap<unknown, unknown>>): Differences {
    if (renaming.size === 0) return made;
    return new Map(
      [...made].map(([table, { gone, come }]) => {
        const places = new Map([[this.#keyAt(table), renaming.get(table)]]);
        const { foreign_keys = [] } = this.#service.catalog.tables.find((each) => each.name === table) ?? {};
        for (const { columns, references_table } of foreign_keys)
          if (columns.length === 1 && renaming.has(references_table))
            places.set(
              this.#columns.get(table)?.indexOf(columns[0] ?? '') ?? -1,
              renaming.get(references_table),
            );
        const rename = (row: StoredRow) => row.map((value, at) => places.get(at)?.get(value) ?? value);
        return [table, { gone, come: come.map(rename) }] as const;
      }),
    );
  }
}

/** Whole numbers of both kinds are equal, but not where a real would round them. */
function plainNumber(cell: unknown): unknown {
  if (typeof cell !== 'bigint') return cell;
  return Number.isSafeInteger(Number(cell)) ? Number(cell) : `${cell}n`;
}

function rowsOf(db: WritableConnection, table: string): StoredRow[] {
  return db.rows(`SELECT * FROM ${quoteIdentifier(table)}`);
}

/** The rows that only one of two lists has, which are mostly the same in the same order; numbers are equal by value. */
function difference(before: readonly StoredRow[], after: readonly StoredRow[]): Difference {
  const isSame = (a: StoredRow = [], b: StoredRow = []) => a.every((cell, at) => cell === b[at]);
  const shorter = Math.min(before.length, after.length);
  let [first, last] = [0, 0];
  while (first < shorter && isSame(before[first], after[first])) first++;
  while (last < shorter - first && isSame(before.at(-1 - last), after.at(-1 - last))) last++;
  const counted = new Map<string, { readonly row: StoredRow; count: number }>();
  const count = (rows: readonly StoredRow[], by: 1 | -1) => {
    for (const stored of rows.slice(first, rows.length - last)) {
      const row = stored.map(plainNumber);
      const key = JSON.stringify(row);
      const entry = counted.get(key) ?? { row, count: 0 };
      entry.count += by;
      counted.set(key, entry);
    }
  };
  count(before, -1);
  count(after, 1);
  const only = (sign: 1 | -1) =>
    [...counted.values()].flatMap(({ row, count: times }) =>
      Array.from({ length: Math.max(0, sign * times) }, () => row),
    );
  return { gone: only(-1), come: only(1) };
}

function textOf(differences: Differences): string {
  // Sums of reals differ in their last digits, which no verdict asks for.
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? value.toPrecision(10) : value;
  const rows = (list: readonly StoredRow[]) => list.map((row) => JSON.stringify(row, rounded)).sort();
  const tables = [...differences].map(([table, { gone, come }]) => [table, rows(gone), rows(come)]);
  return JSON.stringify(tables.sort());
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
