import pluralize from 'pluralize';
import { z } from 'zod';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import { getterNames } from '../../contracts/getters.ts';
import type { Call } from '../../contracts/sample.ts';
import { EXECUTE, REQUESTS_GET, SEARCH_DOCS } from '../../contracts/sdk.ts';
import { toolAnswer } from '../../contracts/tools.ts';
import { CALL_TOOL, SEARCH_DOCUMENTS, SEARCH_TOOLS } from '../../contracts/toolset-options.ts';
import { countEach } from '../../eval/metrics/figures.ts';
import { restRows, tryParse, wrappedRows } from '../attempt/read-json.ts';
import { type CallOutcome, readToolAnswer, type ToolSession } from '../attempt/tool-session.ts';
import { asRequest, type DoingTool, doingTool, printProgram } from '../gold-program.ts';
import { type ModelTool, parametersOf, type ToolParameter } from '../models/model.ts';
import type { Agent, AgentContext, Attempt } from './agent.ts';
import { oneByOne, requestsIn } from './conversation.ts';

/** Words too common to identify a topic. */
const COMMON = new Set(
  'a an and are as at be by do does did for from had has have how in is it its list many me much of on or please show tell than that the their there these this those to was were what when where which who whose will with you your give name find all each'.split(
    ' ',
  ),
);

/** The words of a text for matching: lower case, singular, split at underscores and capitals. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !COMMON.has(word))
    .map(singular);
}

/** Cached: words repeat, and finding a singular tries a hundred patterns. */
const SINGULARS = new Map<string, string>();
const MOST_KEPT = 50_000;

function singular(word: string): string {
  const known = SINGULARS.get(word) ?? pluralize.singular(word);
  if (SINGULARS.size < MOST_KEPT) SINGULARS.set(word, known);
  return known;
}

/** Okapi BM25 over documents given as word lists. */
export class Bm25 {
  readonly #counts: readonly ReadonlyMap<string, number>[];
  readonly #lengths: readonly number[];
  readonly #meanLength: number;
  readonly #frequency: ReadonlyMap<string, number>;

  constructor(documents: readonly (readonly string[])[]) {
    this.#counts = documents.map(countEach);
    this.#lengths = documents.map(({ length }) => length);
    this.#meanLength = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length);
    this.#frequency = countEach(this.#counts.flatMap((counts) => [...counts.keys()]));
  }

  /** The score of each document, in order. */
  scores(query: readonly string[]): number[] {
    const words = [...new Set(query)];
    return this.#counts.map((counts, i) => {
      const norm = K1 * (1 - B + (B * (this.#lengths[i] ?? 0)) / Math.max(1, this.#meanLength));
      return words.reduce((sum, word) => {
        const count = counts.get(word) ?? 0;
        return sum + (this.#idf(word) * count * (K1 + 1)) / (count + norm);
      }, 0);
    });
  }

  #idf(word: string): number {
    const n = this.#frequency.get(word) ?? 0;
    return Math.log(1 + (this.#counts.length - n + 0.5) / (n + 0.5));
  }
}

const K1 = 1.2;
const B = 0.75;

/** Possible argument values mentioned in a question. */
export interface Mentions {
  readonly numbers: readonly number[];
  /** Dates as YYYY-MM-DD. */
  readonly dates: readonly string[];
  /** Quoted texts, then runs of capitalized words, then single words, longest first. */
  readonly texts: readonly string[];
}

export function mentionsIn(question: string): Mentions {
  const dates = [...question.matchAll(/\b\d{4}-\d{2}-\d{2}\b/g)].map(([date]) => date);
  const rest = question.replace(/\b\d{4}-\d{2}-\d{2}\b/g, ' ');
  const numbers = [...rest.matchAll(/(?<![\w.])-?\d[\d,]*(?:\.\d+)?/g)].map(([text]) =>
    Number(text.replaceAll(',', '')),
  );
  const quoted = [...question.matchAll(/"([^"]+)"|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? '',
  );
  const capitalised = [
    ...question.matchAll(
      /(?<!^)(?<![.?!]\s)\b\p{Lu}[\p{L}\p{N}.'&-]*(?:\s+(?:of|the|and|\p{Lu}[\p{L}\p{N}.'&-]*))*/gu,
    ),
  ].map(([text]) => text.replace(/\s+(?:of|the|and)$/, '').replace(/[.'-]+$/, ''));
  const words = question
    .split(/[\s,;?!]+/)
    .filter((word) => word.length > 1)
    .sort((a, b) => b.length - a.length);
  return {
    numbers: numbers.filter(Number.isFinite),
    dates,
    texts: [...new Set([...quoted, ...capitalised, ...words])],
  };
}

/** The longest of the values that a question mentions, ignoring case; undefined if it mentions none. */
export function mentionedValue(question: string, values: readonly unknown[]): unknown {
  const text = ` ${normalise(question)} `;
  return normalised(values)
    .filter(({ words }) => words !== '' && text.includes(` ${words} `))
    .sort((a, b) => b.words.length - a.words.length)[0]?.value;
}

interface Normalised {
  readonly value: unknown;
  readonly words: string;
}

/** By list of values: many questions are compared with the same column. */
const known = new WeakMap<readonly unknown[], readonly Normalised[]>();

function normalised(values: readonly unknown[]): readonly Normalised[] {
  const found = known.get(values) ?? values.map((value) => ({ value, words: normalise(String(value)) }));
  known.set(values, found);
  return found;
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, ' ')
    .replace(/\.(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * A purely lexical baseline: tools by BM25 over their descriptions, arguments by matching the question
 * against column values where available. It needs no model or key, and shows what a model adds.
 */
export const lexicalAgent: Agent = {
  name: 'lexical',
  needsModel: false,
  needsFolder: false,
  takesComposed: true,
  attempt,
  begin: (context) => oneByOne(context, attempt),
};

async function attempt(context: AgentContext): Promise<Attempt> {
  const { task } = context;
  const answer = FORMULATIONS[task.formulation].calls === 'single' ? lexicalRest : lexicalTables;
  if (task.composition === undefined) return answer(context);
  const answers: unknown[] = [];
  const { composition: _, ...alone } = task;
  for (const question of requestsIn(task)) {
    const made = await answer({ ...context, task: { ...alone, question } });
    answers.push(made.answer ?? null);
  }
  return { answer: answers };
}

/** Number of tools tried: the best match may require a number that the question lacks. */
const CANDIDATES = 5;
const MAX_VALUES = 2000;

/** The best matching endpoint whose arguments all occur in the question, called live. */
export async function lexicalRest(context: AgentContext): Promise<Attempt> {
  const { task, tools, callable, openRun } = context;
  const isSearch = tools.some(({ name }) => name === SEARCH_TOOLS);
  const doing = doingTool(tools);
  const ranked = isSearch
    ? await search(context)
    : rank(doing === null ? tools.filter(({ name }) => name !== SEARCH_DOCUMENTS) : callable, task.question);
  let best: { tool: ModelTool; args: Record<string, unknown>; score: number } | null = null;
  for (const { tool, score } of ranked) {
    const parameters = parametersOf(tool).filter(({ required }) => required);
    const args = await argumentsFor(parameters, context);
    const found = Object.values(args).filter((value) => value !== undefined).length;
    // Missing arguments count against a tool like missing words.
    const total = (score * (1 + found)) / (1 + parameters.length);
    if (best === null || total > best.score) best = { tool, args, score: total };
  }
  if (best === null) return { answer: null };
  const session = await openRun();
  const given = Object.entries(best.args).filter(([, value]) => value !== undefined);
  const { name } = best.tool;
  const called = Object.fromEntries(given);
  if (doing !== null) {
    const made = await throughPrograms({ name, arguments: called as Call['arguments'] }, doing, context);
    return { answer: wrappedRows(made.text) };
  }
  const { ok, text } = isSearch
    ? await session.call(CALL_TOOL, JSON.stringify({ name, arguments: called }))
    : await session.call(name, JSON.stringify(called));
  return { answer: ok ? restRows(text) : null };
}

/** Makes a call by a program, or by a request to the address that the documentation shows. */
async function throughPrograms(
  call: Call,
  doing: DoingTool,
  { task, openRun }: AgentContext,
): Promise<CallOutcome> {
  const session = await openRun();
  if (doing === EXECUTE) {
    const code = printProgram([call], { formulation: task.formulation, starts: new Map() });
    return session.call(EXECUTE, JSON.stringify({ code }));
  }
  const { text } = await session.call(SEARCH_DOCS, JSON.stringify({ query: call.name, limit: CANDIDATES }));
  const found = Object.entries(foundPaths.safeParse(JSON.parse(text)).data?.paths ?? {});
  const [path] = found.find(([, { get }]) => get?.operationId === call.name) ?? found[0] ?? [];
  const request = asRequest({ ...call, path }, { ...task, view: '', isGet: doing === REQUESTS_GET });
  return session.call(doing, JSON.stringify(request));
}

const operation = z.object({ operationId: z.string() });
const foundPaths = z.object({ paths: z.record(z.string(), z.object({ get: operation.optional() })) });

interface Ranked {
  readonly tool: ModelTool;
  readonly score: number;
}

/** By list of tools: most tasks of a domain share one. */
const indexes = new WeakMap<readonly ModelTool[], Bm25>();

function indexOf(tools: readonly ModelTool[]): Bm25 {
  const known =
    indexes.get(tools) ?? new Bm25(tools.map(({ name, description }) => wordsOf(`${name} ${description}`)));
  indexes.set(tools, known);
  return known;
}

function rank(tools: readonly ModelTool[], question: string): readonly Ranked[] {
  const scores = indexOf(tools).scores(wordsOf(question));
  return tools
    .map((tool, i) => ({ tool, score: scores[i] ?? 0 }))
    .sort((a, b) => b.score - a.score)
    .slice(0, CANDIDATES);
}

const foundTools = z.object({
  tools: z.array(
    z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
  ),
});

/** Ranks by the farm's own search, which returns no scores. */
async function search({ task, openRun }: AgentContext): Promise<readonly Ranked[]> {
  const session = await openRun();
  const { text } = await session.call(
    SEARCH_TOOLS,
    JSON.stringify({ query: task.question, limit: CANDIDATES }),
  );
  const { tools } = foundTools.parse(JSON.parse(text));
  return tools.map((tool, i) => ({ tool, score: 1 / (1 + i) }));
}

async function argumentsFor(
  parameters: readonly ToolParameter[],
  context: AgentContext,
): Promise<Record<string, unknown>> {
  const { question } = context.task;
  const mentions = mentionsIn(question);
  const numbers = [...mentions.numbers];
  const dates = [...mentions.dates];
  const used = new Set<unknown>();
  const args: Record<string, unknown> = {};
  for (const parameter of parameters) {
    args[parameter.name] = await valueFor(parameter);
  }
  return args;

  async function valueFor({ type, description, values }: ToolParameter): Promise<unknown> {
    if (type === 'integer' || type === 'number') return numbers.shift();
    if (values.length > 0) return mentionedValue(question, values);
    const all = await columnValues(description, context);
    const known = used.size === 0 ? all : all.filter((value) => !used.has(value));
    const found = mentionedValue(question, known) ?? (known.length > 0 ? undefined : null);
    if (found !== undefined && found !== null) {
      used.add(found);
      return String(found);
    }
    if (dates.length > 0) return dates.shift();
    const text = mentions.texts.find((each) => !used.has(each));
    used.add(text);
    return text;
  }
}

/** The values of the column named in a parameter's description as `(table.column)`. */
async function columnValues(description: string, { task, data }: AgentContext): Promise<readonly unknown[]> {
  const [, table, column] = /\(([^().]+)\.([^()]+?)\)/.exec(description) ?? [];
  if (table === undefined || column === undefined) return [];
  try {
    return await data().values(task.db, table, column, MAX_VALUES);
  } catch {
    // A remote farm: use the question alone.
    return [];
  }
}

/** Maximum number of columns whose values are tried, best match first. */
const MAX_LOOKED_AT = 12;
const MAX_FILTERS = 2;

/** SLOT and SEL: filters on columns whose values the question mentions, then a count or the best matching column. */
export async function lexicalTables(context: AgentContext): Promise<Attempt> {
  const { task, openRun } = context;
  const session = await openRun();
  const start = task.start_tables[0]?.handle ?? '';
  const columns = rankColumns(context);
  const filters: { readonly column: string; readonly value: unknown }[] = [];
  for (const { column } of columns.slice(0, MAX_LOOKED_AT)) {
    if (filters.length === MAX_FILTERS) break;
    const value = mentionedValue(task.question, await valuesOf(context, session, start, column));
    if (value !== undefined && !filters.some((filter) => filter.value === value))
      filters.push({ column, value });
  }
  let handle = start;
  for (const { column, value } of filters) {
    const args = { data_source: handle, key_name: column, value };
    const made =
      task.formulation === 'slot'
        ? await session.call('filter_data', JSON.stringify({ ...args, condition: 'equal_to' }))
        : await session.call('select_data_equal_to', JSON.stringify(args));
    handle = made.handle ?? handle;
  }
  const free = columns.filter(({ column }) => !filters.some((filter) => filter.column === column));
  return { answer: await finish(context, session, handle, free) };
}

/** Words that ask for an aggregate. */
const AGGREGATES: readonly (readonly [RegExp, string])[] = [
  [/\bhow many\b|\bnumber of\b|\bcount\b/i, 'count'],
  [/\btotal\b|\bsum\b|\baltogether\b/i, 'sum'],
  [/\baverage\b|\bmean\b/i, 'mean'],
];
const MOST = /\b(?:most|highest|longest|largest|oldest|biggest|greatest|latest|newest|maximum|top)\b/i;
const LEAST = /\b(?:least|lowest|shortest|smallest|youngest|earliest|fewest|minimum|cheapest)\b/i;

interface RankedColumn {
  readonly column: string;
  readonly score: number;
}

async function finish(
  { task, tools }: AgentContext,
  session: ToolSession,
  data_source: string,
  columns: readonly RankedColumn[],
): Promise<unknown> {
  const slot = task.formulation === 'slot';
  const [best] = columns;
  const aggregate = AGGREGATES.find(([words]) => words.test(task.question))?.[1];
  if (aggregate !== undefined) {
    const args = { data_source, key_name: aggregate === 'count' ? '*' : (best?.column ?? '*') };
    const made = slot
      ? await session.call('aggregate_data', JSON.stringify({ ...args, aggregation_type: aggregate }))
      : await session.call(`compute_data_${aggregate}`, JSON.stringify(args));
    const answer = toolAnswer.safeParse(tryParse(made.text, JSON.parse));
    return answer.success && answer.data.kind === 'value' ? [[answer.data.value]] : null;
  }
  const superlative = MOST.test(task.question) || LEAST.test(task.question);
  let handle = data_source;
  if (superlative && best !== undefined) {
    const ascending = !MOST.test(task.question);
    const args = { data_source, key_name: best.column };
    const made = slot
      ? await session.call('sort_data', JSON.stringify({ ...args, ascending }))
      : await session.call(`sort_data_${ascending ? 'ascending' : 'descending'}`, JSON.stringify(args));
    handle = made.handle ?? handle;
  }
  const named = columns.find(({ column }) => /name|title/i.test(column));
  // The column that the question names, and the main column of its subject.
  const wanted = superlative ? [named ?? best] : [named, best];
  const results: (readonly unknown[])[] = [];
  for (const column of new Set(wanted.flatMap((each) => (each === undefined ? [] : [each.column])))) {
    const made = slot
      ? await session.call('retrieve_data', JSON.stringify({ data_source: handle, key_name: column }))
      : await session.call(getterOf(column, tools), JSON.stringify({ data_source: handle }));
    const values = made.handle === null ? null : await session.wholeColumn(made.handle);
    if (values !== null) results.push(superlative ? values.slice(0, 1) : values);
  }
  return results[0]?.map((_, i) => results.map((values) => values[i] ?? null)) ?? null;
}

/** Columns of the start table, ranked by relevance to the question. */
function rankColumns({ tools, task }: AgentContext): RankedColumn[] {
  const { columns, index } = columnsOf(tools);
  const scores = index.scores(wordsOf(task.question));
  return columns.map((column, i) => ({ column, score: scores[i] ?? 0 })).sort((a, b) => b.score - a.score);
}

interface DescribedColumns {
  readonly columns: readonly string[];
  readonly index: Bm25;
}

/** By list of tools, which all tasks of a start table share. */
const lexicalTablesKnown = new WeakMap<readonly ModelTool[], DescribedColumns>();

function columnsOf(tools: readonly ModelTool[]): DescribedColumns {
  const found = lexicalTablesKnown.get(tools) ?? readColumns(tools);
  lexicalTablesKnown.set(tools, found);
  return found;
}

function readColumns(tools: readonly ModelTool[]): DescribedColumns {
  const described = new Map<string, string>();
  for (const tool of tools) {
    const key = parametersOf(tool).find(({ name }) => name === 'key_name');
    for (const value of key?.values ?? []) if (typeof value === 'string') described.set(value, value);
    for (const line of key?.description.split('\n') ?? []) {
      const [, column, text] = /^- (\S+) (.*)$/.exec(line) ?? [];
      if (column !== undefined && text !== undefined) described.set(column, `${column} ${text}`);
    }
  }
  described.delete('*');
  return { columns: [...described.keys()], index: new Bm25([...described.values()].map(wordsOf)) };
}

/** The SEL tool that reads a column. */
function getterOf(column: string, tools: readonly ModelTool[]): string {
  return getterNames(columnsOf(tools).columns).get(column) ?? column;
}

/** Distinct values of a text column, requested from the farm as any agent could. */
async function valuesOf(
  { task, tools }: AgentContext,
  session: ToolSession,
  data_source: string,
  key_name: string,
): Promise<readonly unknown[]> {
  const made =
    task.formulation === 'slot'
      ? await session.call(
          'retrieve_data',
          JSON.stringify({ data_source, key_name, distinct: true, limit: 500 }),
        )
      : await session.call(getterOf(key_name, tools), JSON.stringify({ data_source }));
  const answer = readToolAnswer(made.text);
  if (answer?.kind !== 'column') return [];
  return [...new Set(answer.values)].filter((value) => typeof value === 'string');
}
