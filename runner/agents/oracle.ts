import Database from 'better-sqlite3';
import { parse } from 'lossless-json';
import { z } from 'zod';
import { assembleAnswer, mapReferences, sameCell, sameRows } from '../../contracts/answer-rows.ts';
import type { Cell, Row } from '../../contracts/catalog.ts';
import type { Slot } from '../../contracts/dialogue.ts';
import { parseExactJson, printExactJson } from '../../contracts/exact-json.ts';
import { EXECUTE_SQL, FORMULATIONS, GET_TABLE } from '../../contracts/formulations.ts';
import { LIST_TABLES } from '../../contracts/hybrid.ts';
import { RECORD_KEY, readRecordTool, recordKeyText } from '../../contracts/records.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { ASK_USER } from '../../contracts/scripted-user.ts';
import { EXECUTE, REQUESTS_GET } from '../../contracts/sdk.ts';
import { dueClaim } from '../../contracts/split.ts';
import type { ColumnAnswer, ToolAnswer } from '../../contracts/tools.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import { inTextOrder, restRows, wrappedRows } from '../attempt/read-json.ts';
import { allValues, pageView, readToolAnswer, type ToolSession } from '../attempt/tool-session.ts';
import type { RunTask } from '../categories/composition.ts';
import { asRequest, doingTool, printProgram } from '../gold-program.ts';
import { parametersOf } from '../models/model.ts';
import type { Agent, AgentContext, Attempt, Conversation } from './agent.ts';
import { oneByOne } from './conversation.ts';
import { inputsOf, isApart, offeredTool } from './hybrid.ts';
import { isObject } from './reply-schema.ts';

/** Makes the gold calls live and answers with their rows: the upper bound, and a check that a farm works. */
export const oracleAgent: Agent = {
  name: 'oracle',
  needsModel: false,
  needsFolder: true,
  takesComposed: true,
  attempt,
  begin: (context) => askingOracle(context, oneByOne(context, attempt)),
};

async function attempt(context: AgentContext): Promise<Attempt> {
  const { task, golds, openRun } = context;
  const session = await openRun();
  const live = { ...context, session };
  const due = golds();
  // If nothing can be called, call nothing.
  if (due.length === 0) return { calls: [] };
  const answers: unknown[] = [];
  for (const sample of due) {
    if (sample.unanswerable) {
      answers.push(dueClaim(sample.unanswerable));
      continue;
    }
    if (sample.formulation === 'hybrid' && isApart(context)) {
      answers.push(await fetchApart(sample, session, context));
      continue;
    }
    if (isOfChanges(sample.formulation)) {
      if (doingTool(context.tools) !== null) await play(sample, task, live);
      else
        for (const call of sample.output)
          await (sample.formulation === 'actions' ? act(call, live) : makeRecordCall(call, sample, live));
      answers.push(sample.gold_columns.length > 0 ? sample.gold_answer : DONE);
      continue;
    }
    const rows = await play(sample, task, live);
    // An answer that looks right and is wrong can be true when it is asked for again.
    const isSpoilt = sample.silent_faults !== undefined && !isGold(rows, sample);
    answers.push(isSpoilt ? await play(sample, task, live) : rows);
  }
  return { answer: task.composition === undefined ? answers[0] : answers };
}

const DONE = 'done';
const MOST_TRIES = 10;

type Live = { readonly session: ToolSession } & Pick<AgentContext, 'tools' | 'offeredCall'>;

/**
 * Makes a gold call that lists records or changes one, and sees to it that it is made once: an answer may be lost, come before the
 * change, or show that the change is another one. Throws Error for a call that is refused for good.
 */
async function makeRecordCall(call: Call, sample: Sample, live: Live): Promise<void> {
  const send = ({ name, arguments: args }: Pick<Call, 'name' | 'arguments'>) => {
    const offered = live.offeredCall({ name, arguments: args });
    return live.session.call(offered.name, printExactJson(offered.arguments));
  };
  const { verb, resource } = readRecordTool(call.name) ?? { verb: 'get', resource: call.name };
  if (verb === 'list') {
    const offered = live.offeredCall(call);
    await live.session.obtain(offered.name, printExactJson(offered.arguments), readObject);
    return;
  }
  const { [RECORD_KEY]: before, ...values } = call.arguments;
  const keys = keysOf(resource, sample);
  const key = before === undefined || keys.length > 1 ? before : (values[keys[0] ?? ''] ?? before);
  const isStored = (row: unknown) =>
    isObject(row) &&
    Object.entries(values).every(([name, value]) =>
      sameCell((row[name] ?? null) as Cell, (value ?? null) as Cell),
    );
  /** The record that the call asks for, as a read shows it; null if there is none yet. */
  const read = async (): Promise<unknown> => {
    if (verb !== 'create') {
      const { ok, text } = await send({ name: `get_${resource}`, arguments: { [RECORD_KEY]: key } });
      if (verb === 'delete') return !ok && text.includes('"UNKNOWN_RECORD"') ? {} : null;
      const row = ok ? readObject(text) : null;
      return isStored(row) ? row : null;
    }
    const filters = Object.entries(values).map(([name, value]) =>
      value === null ? [`${name}__null`, true] : [name, value],
    );
    const { ok, text } = await send({ name: `list_${resource}`, arguments: Object.fromEntries(filters) });
    const page = ok ? readObject(text) : null;
    const rows = isObject(page) && Array.isArray(page.data) ? page.data : [];
    return rows.find(isStored) ?? null;
  };
  /** What was changed may be seen only when it is read again. */
  const isMade = async () => ((await read()) ?? (await read())) !== null;
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const { ok, text } = await send(call);
    const { status = 0 } = live.session.calls.at(-1) ?? {};
    const row = ok ? readObject(text) : null;
    if (status === 202 || (status !== null && status >= 500) || (ok && row === null)) {
      if (await isMade()) return;
    } else if (ok) {
      if (verb === 'delete' || isStored(row)) return;
      // It was stored in another way.
      const made = verb === 'create' ? recordKeyText(keys.map((name) => row?.[name])) : key;
      const mended = { name: `update_${resource}`, arguments: { [RECORD_KEY]: made, ...values } };
      return makeRecordCall(mended, sample, live);
    } else if (status !== 429 && !/"(?:CONCURRENT_CHANGE|RECORD_CHANGED)"/.test(text)) {
      throw new Error(`the call ${call.name} was answered with ${text.slice(0, 300)}`);
    }
  }
  throw new Error(`the call ${call.name} failed ${MOST_TRIES} times`);
}

/**
 * Makes the call of an action once: under an Idempotency-Key, so that it can be repeated where its answer is lost or
 * comes too early. Throws Error for a call that is refused for good.
 */
async function act(call: Call, { session, offeredCall }: Live): Promise<void> {
  const { name, arguments: args } = offeredCall(call);
  const key = { 'idempotency-key': name };
  for (let tries = 1; ; tries++) {
    const { ok, text } = await session.call(name, printExactJson(args), key);
    const { status = 0 } = session.calls.at(-1) ?? {};
    if (ok && status !== 202) return;
    const isPassing = ok || status === 429 || (status ?? 0) >= 500 || text.includes('"CONCURRENT_CHANGE"');
    if (!isPassing || tries === MOST_TRIES)
      throw new Error(`the call ${call.name} was answered with ${text.slice(0, 300)}`);
  }
}

/** The columns that name the records of a table that the gold changes. */
function keysOf(resource: string, { gold_diff = [] }: Sample): string[] {
  const change = gold_diff.find(({ table }) => table === resource) ?? gold_diff[0];
  return Object.keys(change?.key ?? {});
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value = parseExactJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** A user who answers late has to be asked twice. */
const MOST_ASKINGS = 3;

/** The oracle in a dialogue: asks for what a turn leaves out, and no more. */
function askingOracle(context: AgentContext, plain: Conversation): Conversation {
  return {
    async say(turn) {
      for (const slot of turn.script.missing) await askFor(slot, context);
      return plain.say(turn);
    },
  };
}

/** Asks the user of a dialogue for a value, until the reply has it. */
export async function askFor({ name, said }: Slot, { openRun }: AgentContext): Promise<void> {
  const session = await openRun();
  for (let tries = 0; tries < MOST_ASKINGS; tries++) {
    const { text } = await session.call(ASK_USER, JSON.stringify({ question: `Which ${name}?` }));
    if (text.toLowerCase().includes(said.toLowerCase())) return;
  }
}

function isGold(rows: readonly Row[] | null, { gold_answer, order_groups }: Sample): boolean {
  return rows !== null && sameRows(gold_answer, rows, order_groups);
}

async function play(
  sample: Sample,
  task: RunTask,
  { session, tools, offeredCall }: Live,
): Promise<Row[] | null> {
  const handles = new Map(task.start_tables.map(({ label, handle }) => [label, handle]));
  const doing = doingTool(tools);
  if (doing === EXECUTE) {
    const calls = sample.output.map((call) => ({ ...call, ...offeredCall(call) }));
    const code = printProgram(calls, { ...sample, starts: handles });
    return session.obtain(EXECUTE, JSON.stringify({ code }), wrappedRows);
  }
  /** Makes an offered call as itself, or as the request that stands for it. */
  const obtain = <Answer>(call: Call, read: (text: string) => Answer | null, view = ''): Promise<Answer> => {
    if (doing === null) return session.obtain(call.name, printExactJson(call.arguments), read);
    const request = asRequest(call, { ...task, view, isGet: doing === REQUESTS_GET });
    return session.obtain(doing, printExactJson(request), (text) => readBody(text, read));
  };
  /** All values of a column, which an answer shows only the first of. */
  const wholeColumn = (call: Call, first: ColumnAnswer): Promise<ColumnAnswer['values'] | null> => {
    if (doing === null) return session.wholeColumn(first.handle);
    return allValues(first, async (offset) => {
      const page = await obtain(call, readToolAnswer, pageView(offset));
      return page.kind === 'column' ? page : null;
    });
  };
  const isChain = FORMULATIONS[sample.formulation].calls === 'chain';
  const answers: ToolAnswer[] = [];
  let rows: Row[] | null = null;
  for (const call of sample.output) {
    const args = mapReferences(call.arguments, (label) => {
      const handle = handles.get(label);
      return handle === undefined ? undefined : `$${handle}$`;
    });
    const offered = offeredCall({ name: call.name, arguments: args as Call['arguments'], path: call.path });
    if (!isChain) {
      // A change has no rows, and a deletion no answer at all.
      rows = await obtain(offered, isOfChanges(sample.formulation) ? () => [] : restRows);
      continue;
    }
    const answer = await obtain(offered, readToolAnswer);
    const values = answer.kind === 'column' ? await wholeColumn(offered, answer) : null;
    answers.push(answer.kind === 'column' && values !== null ? { ...answer, values: [...values] } : answer);
    if (call.label !== undefined) handles.set(call.label, answer.handle);
  }
  return isChain ? assembleAnswer(sample.output, answers) : rows;
}

/** What `read` makes of the body that a request was answered with; null for a refusal. */
function readBody<Answer>(text: string, read: (text: string) => Answer | null): Answer | null {
  try {
    const { status, body } = answeredRequest.parse(parseExactJson(text));
    return Number(status) < 400 ? read(body === null ? '' : printExactJson(body)) : null;
  } catch {
    return null;
  }
}

const answeredRequest = z.object({ status: z.unknown(), body: z.unknown() });

const MOST = 1000;

/** A value in SQLite's types: integers are bigint, reals are number. */
type Stored = string | number | bigint | null;

/**
 * The rows of a hybrid task without `run_sql`. If the gold SQL reads visible tables only, it is sent to the
 * database; else every table that it names is fetched whole, scalar APIs are called for each new input, and
 * SQLite evaluates the SQL here. Throws Error for a refused call.
 */
export async function fetchApart(
  sample: Sample,
  session: ToolSession,
  context: Pick<AgentContext, 'callable' | 'offeredCall' | 'data'>,
): Promise<Row[]> {
  const sql = String(sample.output[0]?.arguments.sql);
  const fetched = new Fetched(session, context);
  const db = new Database(':memory:').defaultSafeIntegers(true);
  try {
    db.pragma('foreign_keys = OFF');
    db.exec(await context.data().ddl(sample.dataset_name));
    const scalars = scalarsIn(sql, context);
    const named = namesIn(db, sql);
    const hidden = named.filter(({ tool }) => offeredTool(tool, context) !== null);
    if (hidden.length === 0 && scalars.length === 0)
      return plainRows(await fetched.pages(EXECUTE_SQL, { sql }));
    for (const { name, tool } of named) {
      const rows = hidden.some((each) => each.name === name)
        ? await fetched.pages(tool, {})
        : await fetched.pages(EXECUTE_SQL, { sql: `SELECT * FROM ${quoted(name)}` });
      insert(db, name, rows);
    }
    const known = new Map<string, readonly Stored[][]>();
    const missing = new Map<string, Map<string, readonly Stored[]>>();
    for (const name of scalars)
      addScalar(db, name, (...args) => {
        if (args.includes(null)) return [];
        const key = keyOf(name, args);
        const rows = known.get(key);
        if (rows) return rows;
        missing.set(name, (missing.get(name) ?? new Map<string, readonly Stored[]>()).set(key, args));
        return [];
      });
    for (;;) {
      const rows = db.prepare(sql).raw().all() as Stored[][];
      if (missing.size === 0) return plainRows(rows);
      for (const [name, inputs] of missing)
        for (const [key, answer] of await fetched.answers(name, inputs)) known.set(key, answer);
      missing.clear();
    }
  } finally {
    db.close();
  }
}

/** The offered scalar APIs that the statement names, by their names in SQL. */
function scalarsIn(sql: string, context: Pick<AgentContext, 'callable' | 'offeredCall'>): readonly string[] {
  const words = new Set([...sql.matchAll(/\w+/g)].map(([word]) => word.toLowerCase()));
  return [...words].filter((name) => {
    const tool = offeredTool(name, context);
    return tool !== null && inputsOf(tool) !== null;
  });
}

/** Adds a scalar API as a function, or as a table if it answers a list. */
function addScalar(
  db: Database.Database,
  name: string,
  ask: (...args: Stored[]) => readonly Stored[][],
): void {
  const list = LIST_TABLES[name];
  if (!list) {
    const options = { varargs: true, safeIntegers: true };
    db.function(name, options, (...args: unknown[]) => ask(...(args as Stored[]))[0]?.[0] ?? null);
    return;
  }
  db.table(name, {
    columns: list.columns,
    parameters: list.inputs,
    safeIntegers: true,
    *rows(...args: unknown[]) {
      yield* ask(...(args as Stored[]));
    },
  });
}

/** The tables that the statement names (all of them if it names a view), and the tool of each hidden one. */
function namesIn(db: Database.Database, sql: string) {
  const all = z
    .array(z.object({ name: z.string(), type: z.string() }))
    .parse(db.prepare("SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')").all());
  const isNamed = ({ name }: { readonly name: string }) =>
    sql.toLowerCase().includes(quoted(name).toLowerCase());
  const byView = all.some((each) => each.type === 'view' && isNamed(each));
  return all
    .filter((each) => each.type === 'table' && (byView || isNamed(each)))
    .map(({ name }) => ({ name, tool: `${GET_TABLE}${name.replace(/[^A-Za-z0-9_]/g, '_')}` }));
}

function insert(db: Database.Database, table: string, rows: readonly (readonly Stored[])[]): void {
  const width = rows[0]?.length ?? 0;
  if (width === 0) return;
  const places = Array.from({ length: width }, () => '?').join(', ');
  const statement = db.prepare(`INSERT INTO ${quoted(table)} VALUES (${places})`);
  db.transaction(() => {
    for (const row of rows) statement.run(...row);
  })();
}

/** Makes calls and returns their rows in SQLite's types. */
class Fetched {
  readonly #session: ToolSession;
  readonly #context: Pick<AgentContext, 'callable' | 'offeredCall'>;

  constructor(session: ToolSession, context: Pick<AgentContext, 'callable' | 'offeredCall'>) {
    this.#session = session;
    this.#context = context;
  }

  async pages(tool: string, args: Readonly<Record<string, unknown>>): Promise<Stored[][]> {
    const rows: Stored[][] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: TablePage = await this.#call(tool, { ...args, limit: MOST, offset }, tablePage);
      rows.push(...page.data.map((row) => Object.values(row)));
      offset = page.next_offset ?? null;
    }
    return rows;
  }

  /** The scalar API's rows for inputs, by key. */
  async answers(
    name: string,
    inputs: ReadonlyMap<string, readonly Stored[]>,
  ): Promise<readonly (readonly [string, Stored[][]])[]> {
    const tool = offeredTool(name, this.#context);
    const input = tool && inputsOf(tool);
    const names = input ? parametersOf({ parameters: input }).map((each) => each.name) : [];
    const found: (readonly [string, Stored[][]])[] = [];
    const all = [...inputs];
    for (let from = 0; from < all.length; from += MOST) {
      const some = all.slice(from, from + MOST);
      const given = some.map(([, args]) => Object.fromEntries(args.map((value, i) => [names[i], value])));
      const { data } = await this.#call(name, { inputs: given }, scalarPage);
      data.forEach((row, i) => {
        const { error, ...rest } = row;
        const answer = error === undefined ? (Object.values(rest).at(-1) ?? null) : null;
        found.push([some[i]?.[0] ?? '', rowsOf(answer)]);
      });
    }
    return found;
  }

  async #call<Answered>(
    name: string,
    args: Readonly<Record<string, unknown>>,
    page: z.ZodType<Answered>,
  ): Promise<Answered> {
    const call = this.#context.offeredCall({ name, arguments: { ...args } });
    return this.#session.obtain(call.name, printExactJson(call.arguments), (text) => readPage(text, page));
  }
}

/** An API's value, or the rows of its list. */
function rowsOf(answer: Answer): Stored[][] {
  if (!Array.isArray(answer)) return [[answer]];
  return answer.map((item) => (typeof item === 'object' && item !== null ? Object.values(item) : [item]));
}

const stored = z.union([z.string(), z.number(), z.bigint(), z.null()]);
const listed = z.array(z.union([stored, z.record(z.string(), stored)]));
type Answer = Stored | z.infer<typeof listed>;
const tablePage = z.object({
  data: z.array(z.record(z.string(), stored)),
  next_offset: z.bigint().transform(Number).nullish(),
});
type TablePage = z.infer<typeof tablePage>;
const scalarPage = z.object({ data: z.array(z.record(z.string(), z.union([stored, listed]))) });

/** null if the text is not such a page. */
function readPage<Answered>(text: string, page: z.ZodType<Answered>): Answered | null {
  try {
    return page.safeParse(readStored(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Parses an answer so that integers and reals stay distinct and columns keep the order of the text. */
function readStored(text: string): unknown {
  return parse(inTextOrder(text), null, {
    parseNumber: (digits) => (/^-?\d+$/.test(digits) ? BigInt(digits) : Number(digits)),
  });
}

function keyOf(name: string, args: readonly Stored[]): string {
  return JSON.stringify([name, ...args.map((value) => `${typeof value} ${value}`)]);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function plainRows(rows: readonly (readonly Stored[])[]): Row[] {
  return rows.map((row) => row.map(plainCell));
}

function plainCell(value: Stored): Cell {
  const isSmall =
    typeof value === 'bigint' && BigInt(Number(value)) === value && Number.isSafeInteger(Number(value));
  return isSmall ? Number(value) : value;
}
