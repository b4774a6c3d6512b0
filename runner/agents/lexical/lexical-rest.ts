import { z } from 'zod';
import { CALL_TOOL, SEARCH_TOOLS } from '../../../contracts/search-tools.ts';
import { restRows } from '../../attempt/rest-rows.ts';
import type { ModelTool } from '../../model/model.ts';
import { parametersOf, type ToolParameter } from '../../tools/parameters-of.ts';
import type { AgentContext, Attempt } from '../agent.ts';
import { Bm25 } from './bm25.ts';
import { mentionedValue, mentionsIn } from './mentions.ts';
import { wordsOf } from './words-of.ts';

/** Tools whose arguments are looked at: the best match may want a number where the question has none. */
const CANDIDATES = 5;
const MAX_VALUES = 2000;

/** The endpoint that fits best and all of whose arguments the question gives, called live. */
export async function lexicalRest(context: AgentContext): Promise<Attempt> {
  const { task, tools, openRun } = context;
  const isSearch = tools.some(({ name }) => name === SEARCH_TOOLS);
  const ranked = isSearch ? await search(context) : rank(tools, task.question);
  let best: { tool: ModelTool; args: Record<string, unknown>; score: number } | null = null;
  for (const { tool, score } of ranked) {
    const parameters = parametersOf(tool).filter(({ required }) => required);
    const args = await argumentsFor(parameters, context);
    const found = Object.values(args).filter((value) => value !== undefined).length;
    // What is missing counts against a tool as much as words that are not in it.
    const total = (score * (1 + found)) / (1 + parameters.length);
    if (best === null || total > best.score) best = { tool, args, score: total };
  }
  if (best === null) return { answer: null };
  const session = await openRun();
  const given = Object.entries(best.args).filter(([, value]) => value !== undefined);
  const { name } = best.tool;
  const called = Object.fromEntries(given);
  const { ok, text } = isSearch
    ? await session.call(CALL_TOOL, JSON.stringify({ name, arguments: called }))
    : await session.call(name, JSON.stringify(called));
  return { answer: ok ? restRows(text) : null };
}

interface Ranked {
  readonly tool: ModelTool;
  readonly score: number;
}

/** By list of tools: most tasks of a domain have the same one. */
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

/** What the farm's own search finds, whose scores it does not tell. */
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

/** The values of the column that a parameter's description names, `(table.column)`. */
async function columnValues(description: string, { task, data }: AgentContext): Promise<readonly unknown[]> {
  const [, table, column] = /\(([^().]+)\.([^()]+?)\)/.exec(description) ?? [];
  if (table === undefined || column === undefined) return [];
  try {
    return await data().values(task.db, table, column, MAX_VALUES);
  } catch {
    // A farm that is elsewhere: the question alone must do.
    return [];
  }
}
