import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { assembleAnswer, mapReferences } from '../../contracts/answer-rows.ts';
import { bareColumn, bareTable, type Catalog, type Cell, type Row } from '../../contracts/catalog.ts';
import type { Call } from '../../contracts/sample.ts';
import type {
  ColumnAnswer,
  StartTableDefinition,
  TableAnswer,
  ToolAnswer,
  ValueAnswer,
} from '../../contracts/tools.ts';
import { mapValues, parseArguments } from '../base/arguments.ts';
import type { Scope, ToolDefinition } from '../domain/tools/arguments.ts';
import {
  countStatement,
  type RowWindow,
  rowsStatement,
  valueStatement,
} from '../domain/tools/compile-plan.ts';
import type { Statement } from '../domain/tools/conditions.ts';
import {
  answerKind,
  type ColumnPlan,
  type Plan,
  type TablePlan,
  type ValuePlan,
} from '../domain/tools/plan.ts';
import { startPlan } from '../domain/tools/table-tools.ts';
import { findSelTool, SLOT_TOOLS } from '../domain/tools/toolboxes.ts';

/** A small database with difficult data: NULLs, mixed types, duplicates, ties, unusual names. */
const SCHEMA = `
  CREATE TABLE person (
    id INTEGER PRIMARY KEY, name TEXT, age INTEGER, "score (%)" REAL, born TEXT, code, city_id INTEGER
  );
  INSERT INTO person VALUES
    (1, 'Ann', 30, 1.5, '1990-01-31', 'a', 1),
    (2, 'bob', NULL, 2.5, '1985-12-01', 5, 2),
    (3, 'Ann', 25, NULL, NULL, '5', 1),
    (4, NULL, 30, 2.5, '2001-07-15', 2.5, NULL),
    (5, 'Cid', 41, -3.0, '1990-02-28', NULL, 3),
    (6, 'ann', 25, 0.0, 'unknown', 'A', 2),
    (7, 'Dee', 30, 10.0, '1999-12-31', '10', 9);
  CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, size INTEGER, zip TEXT);
  INSERT INTO city VALUES (1, 'Rome', 300, '00100'), (2, 'rome', 50, '100'), (3, NULL, NULL, '7'), (4, 'Oslo', 50, '0150');
  CREATE TABLE visit (person_id INTEGER, city_id INTEGER, year INTEGER, cost REAL);
  INSERT INTO visit VALUES
    (1, 1, 2020, 10.0), (1, 2, 2021, NULL), (1, 1, 2020, 10.0), (2, 3, 2019, 7.5), (3, 4, 2021, 0.0),
    (3, NULL, NULL, 2.25), (6, 1, 2021, 99.0), (8, 2, 2022, 1.0);
  CREATE TABLE pair (k TEXT, n INTEGER, note TEXT, PRIMARY KEY (k, n)) WITHOUT ROWID;
  INSERT INTO pair VALUES ('b', 2, 'x'), ('a', 2, 'y'), ('b', 1, NULL), ('a', 1, 'x');
`;

/** The database, open in memory. */
export function smallDatabase(): Database.Database {
  const db = new Database(':memory:');
  db.exec(SCHEMA);
  return db;
}

/** A catalog with what the tools need: names, keys, row ids. */
export function catalogOf(db: Database.Database): Catalog {
  const tables = db
    .prepare(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%' ORDER BY name",
    )
    .all() as { name: string; wr: number }[];
  return {
    db: 'small',
    tables: tables.map(({ name, wr }) => {
      const columns = db.prepare('SELECT name, type, pk FROM pragma_table_info(?)').all(name) as {
        name: string;
        type: string;
        pk: number;
      }[];
      return bareTable(name, {
        has_rowid: wr === 0,
        columns: columns.map((column) =>
          bareColumn(column.name, { declared_type: column.type, primary_key: column.pk }),
        ),
      });
    }),
  };
}

interface LoweredSequence {
  readonly initialization_step: Call;
  readonly startTables: readonly StartTableDefinition[];
  readonly output: readonly Call[];
}

/** Runs calls in-process on an open database, as the server does over HTTP. */
export class ToolBench {
  readonly catalog: Catalog;
  readonly store: HandleStore = memoryHandleStore(10_000);
  readonly #db: Database.Database;
  readonly statements: Statement[] = [];

  constructor(db: Database.Database, catalog: Catalog) {
    this.#db = db;
    this.catalog = catalog;
  }

  start(definition: StartTableDefinition): string {
    const plan = startPlan(definition, this);
    this.store.put(plan);
    return plan.handle;
  }

  context(previewRows = 0): ToolContext {
    return {
      catalog: this.catalog,
      store: this.store,
      previewRows,
      page: { offset: 0, limit: 1_000_000 },
      run: async (statement) => {
        this.statements.push(statement);
        const rows = this.#db.prepare(statement.sql).all(statement.parameters) as Record<string, unknown>[];
        return { rows: rows.map(toCells), truncated: false };
      },
    };
  }

  /** Calls a SLOT or SEL tool; `data_source` and other references are handles. */
  async call(name: string, args: Record<string, unknown>, previewRows = 0): Promise<ToolAnswer> {
    const source = typeof args.data_source === 'string' ? args.data_source.replaceAll('$', '') : '';
    const keys = this.store.get(source)?.columns.map(({ key }) => key) ?? [];
    const tool = SLOT_TOOLS[name] ?? findSelTool(name, keys);
    if (!tool) throw new Error(`no tool ${name}`);
    return execute(tool, args, this.context(previewRows));
  }

  /** Replays a lowered sequence from its own start tables. */
  async replayLowered({ initialization_step, startTables, output }: LoweredSequence): Promise<Row[] | null> {
    const { label, arguments: args } = initialization_step;
    const others = (args.additional_tables ?? []) as { label: string }[];
    const labels = [label as string, ...others.map((other) => other.label)];
    const starts = startTables.map((start, i) => [labels[i] as string, this.start(start)]);
    return this.replay(output, Object.fromEntries(starts));
  }

  /** Plays a sequence with labels; `starts` maps labels to handles of start tables. */
  async replay(
    calls: readonly Call[],
    starts: Readonly<Record<string, string>>,
    previewRows = 0,
  ): Promise<Row[] | null> {
    const handles = new Map(Object.entries(starts));
    const answers: ToolAnswer[] = [];
    for (const call of calls) {
      const args = mapReferences(call.arguments, (label) => {
        const handle = handles.get(label);
        return handle === undefined ? undefined : `$${handle}$`;
      });
      const answer = await this.call(call.name, args as Record<string, unknown>, previewRows);
      if (call.label !== undefined) handles.set(call.label, answer.handle);
      answers.push(answer);
    }
    return assembleAnswer(calls, answers);
  }
}

function toCells(row: Record<string, unknown>): Record<string, Cell> {
  return mapValues(row, (value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex').toUpperCase() : (value as Cell),
  );
}

const db = smallDatabase();
export const bench = new ToolBench(db, catalogOf(db));
const one = (table: string) => ({
  condition_sequence: [],
  alias_to_table_dict: { [table]: { original_table_name: table, modified_table_name: table } },
});
/** Handles of its start tables: one per table, and two joins. */
export const starts = {
  person: bench.start(one('person')),
  city: bench.start(one('city')),
  visit: bench.start(one('visit')),
  pair: bench.start(one('pair')),
  lived: bench.start({
    condition_sequence: [['T1.city_id', 'T2.id', 'LEFT']],
    alias_to_table_dict: {
      T1: { original_table_name: 'person', modified_table_name: 'person' },
      T2: { original_table_name: 'city', modified_table_name: 'city' },
    },
  }),
  visits: bench.start({
    condition_sequence: [
      ['p.id', 'v.person_id', 'INNER'],
      ['v.city_id', 'c.id', 'INNER'],
    ],
    alias_to_table_dict: {
      p: { original_table_name: 'person', modified_table_name: 'person' },
      v: { original_table_name: 'visit', modified_table_name: 'visit' },
      c: { original_table_name: 'city', modified_table_name: 'city' },
    },
  }),
};

export type Step = [tool: string, args: Record<string, unknown>];

/** Runs steps in order. `$0$` is the result of the first, `$1$` of the second, `$person$` a start table. */
export function run(...steps: Step[]): Promise<Row[] | null> {
  const calls = steps.map(([name, args], i) => ({ name, arguments: args, label: String(i) }));
  return bench.replay(calls, starts);
}

/** The rows of a query, straight from SQLite. */
export const rowsOf = (sql: string): Row[] => db.prepare(sql).raw().all() as Row[];

export const filter = (from: string, key_name: string, condition: string, value?: unknown): Step => [
  'filter_data',
  { data_source: `$${from}$`, key_name, condition, ...(value === undefined ? {} : { value }) },
];
export const get = (from: string | number, key_name: string, more = {}): Step => [
  'retrieve_data',
  { data_source: `$${from}$`, key_name, distinct: false, limit: -1, ...more },
];
export const transform = (
  from: string | number,
  key_name: string,
  operation_type: string,
  args = {},
  into?: string,
): Step => [
  'transform_data',
  {
    data_source: `$${from}$`,
    key_name,
    operation_type,
    operation_args: args,
    ...(into ? { new_key_name: into } : {}),
  },
];
export const aggregate = (
  from: string | number,
  key_name: string,
  aggregation_type: string,
  more = {},
): Step => ['aggregate_data', { data_source: `$${from}$`, key_name, aggregation_type, ...more }];

/** The environment of tools: a domain's catalog, its handles, and a way to run SQL on its database. */
export interface ToolContext {
  readonly catalog: Catalog;
  readonly store: HandleStore;
  /** Runs one SELECT with the result columns `columns`. If a row or byte limit cuts rows off, the result reports it. */
  readonly run: (statement: Statement, columns: readonly string[]) => Promise<RowsAnswer>;
  /** Rows of a table to show; 0 runs and counts nothing. */
  readonly previewRows: number;
  /** The values of a column result to show. */
  readonly page: RowWindow;
}

export interface RowsAnswer {
  readonly rows: readonly Readonly<Record<string, Cell>>[];
  readonly truncated: boolean;
}

/** Carries out a call. Throws ArgumentError for invalid arguments, and the errors of `context.run`. */
export async function execute(
  tool: ToolDefinition,
  args: unknown,
  context: ToolContext,
): Promise<ToolAnswer> {
  const plan = tool.plan(parseArguments(tool.args, args), scopeOf(context));
  context.store.put(plan);
  return answer(plan, context);
}

/** The names that a call can refer to: the handles of the domain's store. */
export function scopeOf(context: Pick<ToolContext, 'catalog' | 'store'>): Scope {
  return {
    catalog: context.catalog,
    find: context.store.get,
  };
}

/** The answer for an agent: a table's row count and first rows, a column's values, or a value. */
export async function answer(plan: Plan, context: ToolContext): Promise<ToolAnswer> {
  if (plan.op === 'aggregate' || plan.op === 'calculate') return valueAnswer(plan, context);
  if (answerKind(plan) === 'table') return tableAnswer(plan as TablePlan, context);
  return columnAnswer(plan as ColumnPlan | TablePlan, context);
}

async function valueAnswer(plan: ValuePlan, context: ToolContext): Promise<ValueAnswer> {
  const { rows } = await context.run(valueStatement(plan, context.catalog), ['value']);
  return { kind: 'value', handle: plan.handle, value: rows[0]?.value ?? null };
}

async function columnAnswer(plan: ColumnPlan | TablePlan, context: ToolContext): Promise<ColumnAnswer> {
  const { offset, limit } = context.page;
  const column = plan.columns[0]?.key as string;
  // Reads one extra row, to know whether there are more.
  const statement = rowsStatement(plan, context.catalog, { offset, limit: limit + 1 });
  const { rows, truncated } = await context.run(statement, [column]);
  const values = rows.slice(0, limit).map((row) => row[column] ?? null);
  const more = truncated || rows.length > limit;
  return {
    kind: 'column',
    handle: plan.handle,
    column,
    values,
    row_count: values.length,
    truncated: more,
    next_offset: more ? offset + values.length : null,
  };
}

async function tableAnswer(plan: TablePlan, context: ToolContext): Promise<TableAnswer> {
  const columns = plan.columns.map(({ key }) => key);
  const told = { kind: 'table', handle: plan.handle, columns } as const;
  // A start table costs nothing until its rows are requested.
  if (context.previewRows === 0 || plan.op === 'start') return { ...told, row_count: null, preview: [] };
  const page = { offset: 0, limit: context.previewRows };
  const [count, preview] = await Promise.all([
    context.run(countStatement(plan, context.catalog), ['count']),
    context.run(rowsStatement(plan, context.catalog, page), columns),
  ]);
  return { ...told, row_count: Number(count.rows[0]?.count ?? 0), preview: [...preview.rows] };
}

export interface HandleStore {
  readonly get: (handle: string) => Plan | undefined;
  readonly put: (plan: Plan) => void;
}

/**
 * An in-memory store that keeps the most recently used plans. Plans share their parts, so another one costs little.
 * `pinned` plans (the start tables) never expire.
 */
export function memoryHandleStore(max: number, pinned: readonly Plan[] = []): HandleStore {
  const kept = new LRUCache<string, Plan>({ max });
  const always = new Map(pinned.map((plan) => [plan.handle, plan]));
  return {
    get: (handle) => always.get(handle) ?? kept.get(handle),
    put: (plan) => {
      if (!always.has(plan.handle)) kept.set(plan.handle, plan);
    },
  };
}
