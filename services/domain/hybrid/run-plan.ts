import pMap from 'p-map';
import type { CatalogTable } from '../../../contracts/catalog.ts';
import { printExactJson } from '../../../contracts/exact-json.ts';
import {
  AMBIGUOUS_PLACE,
  PAGE_ROWS,
  type PlanClass,
  type PlanStep,
  type TableApiStyle,
} from '../../../contracts/hybrid.ts';
import {
  type NodeRewrite,
  node,
  printQuery,
  type Query,
  rewriteNodes,
  type SourceId,
  selectsOf,
  sourceIds,
} from '../../../sql/index.ts';
import { readJson } from '../../base/http/json.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import {
  callKey,
  type GivenTable,
  type RunReply,
  type RunRequest,
  type ScalarCall,
} from '../../base/scalars/messages.ts';
import type { ReadStatement } from '../../base/scalars/read-statement.ts';
import { type Api, type ApiRows, isList, SCALARS_BY_NAME } from '../../base/scalars/scalars.ts';
import { type ApiSource, apiSources, apiValue } from './api-sources.ts';
import {
  type ApiRow,
  apiName,
  argumentsOf,
  bestOption,
  chunksOf,
  givenTable,
  type KeyList,
  neededColumns,
  PLAN_LIMITS,
  type PlanLimits,
  readPage,
  toSqlValue,
} from './call-options.ts';
import type { PlanScope } from './hybrid-tools.ts';
import { answerName } from './scalar-routes.ts';
import type { TableApi } from './table-call.ts';

export interface PlanContext {
  readonly scope: PlanScope;
  readonly database: string;
  readonly style: TableApiStyle;
  readonly apis: readonly TableApi[];
  /**
   * Posts a JSON body to a path below the domain's URL and returns the response text. Throws HttpProblem on failure.
   */
  readonly send: (path: string, body: string) => Promise<string>;
  /** Runs a statement over the visible tables and the fetched rows. */
  readonly run: (request: Omit<RunRequest, 'kind'>) => Promise<RunReply>;
  readonly caps: { readonly maxRows: number; readonly maxBytes: number };
  readonly limits?: Partial<PlanLimits>;
}

/** Maximum rounds of scalar API calls; each round may ask for further values. */
const MOST_ROUNDS = 20;
const BATCH = 1000;
/** Above this many keys, narrowing by key costs more than it saves. */
const MOST_KEYS = 5000;

/**
 * Runs a statement whose hidden tables are read by API: fetches their rows in an order in which each fetch narrows the
 * next, puts them into temporary tables, and runs the statement over those. Scalar APIs are called for the values that
 * it meets. Throws PLAN_TOO_LARGE, QUERY_TIMEOUT, and the errors of calls and statements.
 */
export async function runPlan(
  statement: ReadStatement,
  context: PlanContext,
): Promise<{
  readonly reply: Extract<RunReply, { kind: 'rows' }>;
  readonly steps: readonly PlanStep[];
  readonly class: PlanClass;
}> {
  const sources = apiSources(statement.query, context.scope, context.style);
  const plan = new RunningPlan(sources, context);
  for (const source of inOrder(sources)) await plan.fetch(source);
  const reply = await plan.evaluate(statement.query, statement.columns, false, context.caps);
  if (reply.kind !== 'rows') throw new Error(`a statement answered ${reply.kind}`);
  return { reply, steps: plan.steps, class: classOf(statement.query, context.scope) };
}

function classOf(query: Query, { hidden, virtual }: PlanScope): PlanClass {
  const tables = selectsOf(query).flatMap(({ from }) =>
    from.flatMap(({ source }) =>
      source.kind === 'table' && !virtual.has(source.table) ? [source.table] : [],
    ),
  );
  const byApi = tables.filter((name) => hidden.has(name)).length;
  if (byApi === 0) return tables.length === 0 ? 'none' : 'db_only';
  return byApi === tables.length ? 'api_only' : 'mixed';
}

/** Sources with the fewest expected rows first, so that their rows narrow the others. */
function inOrder(sources: readonly ApiSource[]): ApiSource[] {
  const expected = new Map(sources.map((source) => [source, bestOption(source, [], 'rich').rows]));
  return [...sources].sort((a, b) => (expected.get(a) ?? 0) - (expected.get(b) ?? 0));
}

class RunningPlan {
  readonly steps: PlanStep[] = [];
  readonly #context: PlanContext;
  readonly #limits: PlanLimits;
  readonly #deadline: number;
  readonly #byApi: ReadonlySet<SourceId>;
  readonly #fetched = new Map<SourceId, { readonly source: ApiSource; readonly rows: GivenTable }>();
  readonly #known = new Map<string, ApiRows>();
  readonly #answers = new Map<string, Promise<string>>();
  #calls = 0;
  #rows = 0;

  constructor(sources: readonly ApiSource[], context: PlanContext) {
    this.#byApi = new Set(sources.map(({ source }) => source.id));
    this.#context = context;
    this.#limits = { ...PLAN_LIMITS, ...context.limits };
    this.#deadline = performance.now() + this.#limits.timeoutMs;
  }

  /** Fetches the rows of a source, narrowed by what is known so far. */
  async fetch(source: ApiSource): Promise<void> {
    const { style } = this.#context;
    const { table, links } = source;
    const api = this.#apiOf(table);
    const lists: KeyList[] = [];
    for (const { column, keys, needs } of links) {
      if (![...needs].every((id) => this.#isReady(id))) continue;
      const values = await this.#keysOf(
        table,
        column,
        keys((id) => this.#isReady(id)),
      );
      if (values) lists.push({ column, values });
    }
    const option = bestOption(source, lists, style);
    const by = option.keys ? 'keys' : option.isNarrowed ? 'values' : 'all';
    const step = this.#addStep(`tables/${api.name}`, source.source.alias, by);
    step.keys = option.keys?.values.length ?? 0;
    const needed = neededColumns(source);
    const columns = [...needed, ...option.key.filter((name) => !needed.includes(name))];
    const requests = argumentsOf(option, api, style).map((args) =>
      style === 'rich' ? { ...args, select: columns.map((name) => apiName(api, name)) } : args,
    );
    const { concurrency } = this.#limits;
    const parts = await pMap(requests, (args) => this.#pages(api, args, step), { concurrency });
    const rows = onceEach(
      parts.flat(),
      option.key.map((name) => apiName(api, name)),
    );
    this.#fetched.set(source.source.id, { source, rows: givenTable(source, api, columns, rows) });
  }

  /** Runs a query over the available rows, calling scalar APIs as needed. */
  async evaluate(
    query: Query,
    columns: readonly string[],
    raw: boolean,
    caps: { readonly maxRows: number; readonly maxBytes: number },
  ): Promise<Exclude<RunReply, { kind: 'missing' }>> {
    const { renamed, tables } = this.#withRows(query);
    const statement = { sql: printQuery(renamed, { outputNames: columns }), columns };
    for (let round = 0; round < MOST_ROUNDS; round++) {
      this.#requireTime();
      const reply = await this.#context.run({
        database: this.#context.database,
        statement,
        tables,
        scalars: { known: Object.fromEntries(this.#known) },
        caps,
        raw,
      });
      if (reply.kind !== 'missing') return reply;
      await this.#call(reply.calls);
    }
    const detail = `Scalar APIs depend on each other in more than ${MOST_ROUNDS} rounds.`;
    throw new HttpProblem('PLAN_TOO_LARGE', detail);
  }

  #isReady(id: SourceId): boolean {
    return !this.#byApi.has(id) || this.#fetched.has(id);
  }

  /** The query with every mention of a hidden table replaced by its fetched rows. */
  #withRows(query: Query): { readonly renamed: Query; readonly tables: readonly GivenTable[] } {
    const own = sourceIds(query);
    const used = [...this.#fetched.values()].filter(({ source }) => own.has(source.source.id));
    const rewrites = new Map<object, NodeRewrite>(
      used.map(({ source, rows }) => [source.source, () => node({ ...source.source, table: rows.name })]),
    );
    // Otherwise the name would refer to the hidden table itself.
    if ([...own].some((id) => !this.#isReady(id)))
      throw new Error('a statement reads a table whose rows were not fetched');
    return { renamed: rewriteNodes(query, rewrites), tables: used.map(({ rows }) => rows) };
  }

  /** The values that a column can take, in the API's form; null if there are too many or the type does not fit. */
  async #keysOf(table: CatalogTable, column: string, query: Query): Promise<KeyList['values'] | null> {
    const described = table.columns.find(({ name }) => name === column);
    if (!described) return null;
    const reply = await this.evaluate(query, ['key'], true, { maxRows: MOST_KEYS, maxBytes: 0 });
    if (reply.kind !== 'values' || reply.truncated) return null;
    const keys = new Map<string, string | number | bigint>();
    for (const [value = null] of reply.values) {
      if (value === null) continue;
      const key = value instanceof Uint8Array ? null : apiValue(described, wholeIfPossible(value));
      if (key === null) return null;
      keys.set(`${typeof key} ${key}`, key);
    }
    return [...keys.values()];
  }

  async #pages(api: TableApi, args: Readonly<Record<string, unknown>>, step: PlanStep): Promise<ApiRow[]> {
    const rows: ApiRow[] = [];
    const isPaged = this.#context.style !== 'paper';
    for (let offset: number | null = 0; offset !== null; ) {
      const body: object = isPaged
        ? { ...args, limit: PAGE_ROWS.most, ...(offset > 0 ? { offset } : {}) }
        : args;
      const { text, isNew } = await this.#send(`tables/${api.name}`, printExactJson(body), step);
      const page = readAnswer(api.name, () => readPage(text));
      step.pages++;
      if (isNew) this.#count(page.rows.length, step);
      rows.push(...page.rows);
      if (!isPaged && page.isTruncated)
        throw new HttpProblem(
          'PLAN_TOO_LARGE',
          `${api.name} has more rows than one answer holds, and no pages.`,
        );
      offset = page.nextOffset;
    }
    return rows;
  }

  /** Calls scalar APIs for values that a statement met. A call without a value gives no row. */
  async #call(calls: readonly ScalarCall[]): Promise<void> {
    for (const name of new Set(calls.map(({ api }) => api))) {
      const all = calls.filter(({ api }) => api === name);
      const api = SCALARS_BY_NAME.get(name);
      if (!api) throw new Error(`there is no scalar API ${name}`);
      const path = `scalars/${name}`;
      const step = this.steps.find((each) => each.api === path) ?? this.#addStep(path, null, 'inputs');
      step.keys += all.length;
      await pMap(
        chunksOf(all, BATCH),
        async (batch) => {
          const items = batch.map(({ inputs }) =>
            Object.fromEntries(
              api.inputs.flatMap((input, i) => (inputs[i] == null ? [] : [[input.name, inputs[i]]])),
            ),
          );
          const { text } = await this.#send(`${path}/batch`, printExactJson(items), step);
          const answers = readAnswer(name, () => readJson(text) as readonly ApiRow[]);
          step.pages++;
          const read = batch.map((_, i) => rowsOf(api, answers[i]?.[answerName(api)]));
          this.#count(isList(api) ? read.flat().length : answers.length, step);
          const chosen = answers.filter((answer) => answer[AMBIGUOUS_PLACE] === true).length;
          if (chosen > 0) step.ambiguous = (step.ambiguous ?? 0) + chosen;
          batch.forEach(({ inputs }, i) => {
            this.#known.set(callKey(name, inputs), read[i] ?? []);
          });
        },
        { concurrency: this.#limits.concurrency },
      );
    }
  }

  #addStep(api: string, alias: string | null, by: PlanStep['by']): PlanStep {
    const step: PlanStep = { api, alias, by, calls: 0, pages: 0, keys: 0, rows: 0 };
    this.steps.push(step);
    return step;
  }

  /** Sends each distinct request once per plan. */
  async #send(path: string, body: string, step: PlanStep) {
    const key = `${path} ${body}`;
    const known = this.#answers.get(key);
    if (known) return { text: await known, isNew: false };
    this.#requireTime();
    this.#calls++;
    if (this.#calls > this.#limits.maxCalls)
      throw new HttpProblem('PLAN_TOO_LARGE', `The plan takes more than ${this.#limits.maxCalls} calls.`);
    step.calls++;
    const answer = this.#context.send(path, body);
    this.#answers.set(key, answer);
    return { text: await answer, isNew: true };
  }

  #count(rows: number, step: PlanStep): void {
    step.rows += rows;
    this.#rows += rows;
    if (this.#rows > this.#limits.maxRows)
      throw new HttpProblem('PLAN_TOO_LARGE', `The plan moves more than ${this.#limits.maxRows} rows.`);
  }

  #requireTime(): void {
    if (performance.now() <= this.#deadline) return;
    throw new HttpProblem('QUERY_TIMEOUT', `The plan was stopped after ${this.#limits.timeoutMs} ms.`);
  }

  #apiOf(table: CatalogTable): TableApi {
    const api = this.#context.apis.find((each) => each.table.name === table.name);
    if (!api) throw new Error(`the table ${table.name} has no API`);
    return api;
  }
}

/** Drops rows that several disjuncts returned; without a key there are none. */
function onceEach(rows: readonly ApiRow[], key: readonly string[]): readonly ApiRow[] {
  if (key.length === 0) return rows;
  const known = new Map(rows.map((row) => [printExactJson(key.map((name) => row[name])), row]));
  return [...known.values()];
}

function readAnswer<Answer>(api: string, read: () => Answer): Answer {
  try {
    return read();
  } catch (cause) {
    throw new HttpProblem('API_FAILED', `The API ${api} answered what is no JSON.`, { cause });
  }
}

/** An API's value or list as SQLite stores it: a decimal is a real even when whole. */
function rowsOf(api: Api, answer: unknown): ApiRows {
  if (isList(api)) {
    const items = Array.isArray(answer) ? answer : [];
    return items.map((item) =>
      api.columns.map(({ name }) => stored(api.columns.length === 1 ? item : item?.[name])),
    );
  }
  const read = stored(answer);
  if (read === null) return [];
  return [[api.output.type === 'number' && typeof read === 'bigint' ? Number(read) : read]];
}

function stored(value: unknown): ApiRows[number][number] {
  const read = toSqlValue(value);
  return read instanceof Uint8Array ? null : read;
}

/** A whole real equals the integer, which is all that an integer API accepts. */
function wholeIfPossible(value: string | number | bigint): string | number | bigint {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}
