import { getterNames } from '../../../contracts/getter.ts';
import { toolAnswer } from '../../../contracts/tools.ts';
import type { ToolSession } from '../../attempt/tool-session.ts';
import type { ModelTool } from '../../model/model.ts';
import { parametersOf } from '../../tools/parameters-of.ts';
import type { AgentContext, Attempt } from '../agent.ts';
import { Bm25 } from './bm25.ts';
import { mentionedValue } from './mentions.ts';
import { wordsOf } from './words-of.ts';

/** Columns whose values are looked at, the best match first. */
const MAX_LOOKED_AT = 12;
const MAX_FILTERS = 2;

/** SLOT and SEL: filters on columns whose values the question mentions, then a count or the column that fits best. */
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

/** Words that ask for one number out of many. */
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
    const answer = toolAnswer.safeParse(parse(made.text));
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
  // What the question names by words, and what its things are called.
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

/** Columns of the start table, the ones first that the question is about. */
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
const known = new WeakMap<readonly ModelTool[], DescribedColumns>();

function columnsOf(tools: readonly ModelTool[]): DescribedColumns {
  const found = known.get(tools) ?? readColumns(tools);
  known.set(tools, found);
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

/** Distinct values of a text column, asked of the farm as any agent can. */
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
  const answer = toolAnswer.safeParse(parse(made.text));
  if (!answer.success || answer.data.kind !== 'column') return [];
  return [...new Set(answer.data.values)].filter((value) => typeof value === 'string');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
