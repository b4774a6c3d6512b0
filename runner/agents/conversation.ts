import { z } from 'zod';
import type { Cell, Row } from '../../contracts/catalog.ts';
import { CHANGE_FORMAT, rulesText } from '../../contracts/prediction.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import { tryJson } from '../../eval/parse/read-json.ts';
import { AttemptEnd } from '../attempt/budget.ts';
import type { ModelSession } from '../attempt/model-session.ts';
import { lastJson, requestBody, restRows, tryObject, wrappedRows } from '../attempt/read-json.ts';
import { readToolAnswer, type ToolCaller, type ToolSession } from '../attempt/tool-session.ts';
import type { RunTask } from '../categories/composition.ts';
import { callsOf, type Message, type ModelTool, type ToolResult, textOf } from '../models/model.ts';
import type { AgentSettings } from '../prompts/prompt-pack.ts';
import type { Agent, AgentContext, Conversation } from './agent.ts';

/** Truncates a text to `max` characters, appending a note with its full length. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max)}… (cut after ${max} of ${text.length} characters)`;
}

/** The questions of a task: those of a numbered request, or the single one. */
export function requestsIn({ question, composition }: Pick<RunTask, 'question' | 'composition'>): string[] {
  if (composition === undefined) return [question];
  return question.split(/^\d+\. /m).flatMap((text) => (text.trim() === '' ? [] : [text.trim()]));
}

/** The question; for several requests at once, these and how to answer them together. */
export function requestText({ question, composition }: Pick<RunTask, 'question' | 'composition'>): string {
  if (composition === undefined || composition.dialogue !== undefined) return question;
  const count = composition.parts.length;
  return `${question}\nAnswer with a list of ${count} elements, the rows of each of the ${count} requests in their order.`;
}

/**
 * The question or requests, the evidence if there is any, and the start tables of SLOT and SEL. `withRules`: also the
 * rules of the domain, where no system message has them.
 */
export function taskText(task: RunTask, withRules = false): string {
  const { evidence, start_tables, rules = [] } = task;
  const lines = [requestText(task)];
  if (withRules && isOfChanges(task.formulation)) lines.push(CHANGE_FORMAT);
  if (withRules && rules.length > 0) lines.push(rulesText(rules));
  if (evidence) lines.push(`What the words of the question mean: ${evidence}`);
  const handles = start_tables.map(({ handle }) => `"${handle}"`);
  if (handles.length > 0) {
    lines.push(
      `Begin from the table ${handles.join(' and ')}. Every call answers a handle; later calls refer to a result by it.`,
    );
  }
  return lines.join('\n');
}

/** A conversation with a stateless agent: each turn is an attempt at all user messages since its last answer. */
export function oneByOne(context: AgentContext, attempt: Agent['attempt']): Conversation {
  let heard: string[] = [];
  return {
    async say({ text, tools, golds }) {
      heard.push(text);
      const { composition: _, ...task } = context.task;
      const made = await attempt({
        ...context,
        task: { ...task, question: heard.join('\n') },
        tools,
        golds,
      });
      const isAnswer = made.answer != null || (made.calls ?? []).length > 0;
      if (isAnswer) heard = [];
      return made;
    },
  };
}

export interface ToolConversation {
  readonly model: ModelSession;
  readonly tools: readonly ModelTool[];
  readonly caller: ToolCaller;
  readonly settings: AgentSettings;
  /** Checked after each turn of calls; true ends the conversation. */
  readonly isOver?: () => boolean;
}

/**
 * A native tool loop: carries out the calls of each turn in order, until a turn has none; returns the text of
 * that turn. Appends to `messages`, so that a later turn can continue the conversation.
 */
export async function converse(messages: Message[], conversation: ToolConversation): Promise<string> {
  const { model, tools, caller, settings, isOver = () => false } = conversation;
  for (;;) {
    const completion = await model.complete({ prompt: { messages }, tools }, 'tools');
    messages.push({ role: 'assistant', parts: completion.parts });
    const calls = callsOf(completion);
    if (calls.length === 0) return textOf(completion);
    const results: ToolResult[] = [];
    for (const { id, name, arguments: args } of calls) {
      const outcome = await caller.call(name, args || '{}');
      if (settings.on_bad_arguments === 'fail' && tryObject(args || '{}') === undefined) {
        throw new AttemptEnd('broken_arguments', `a call of ${name} had arguments that are no JSON object`);
      }
      const text = cutText(outcome.text, settings.max_tool_output);
      results.push({ id, name, text, failed: !outcome.ok });
    }
    messages.push({ role: 'tool', results });
    if (isOver()) return textOf(completion);
  }
}

/**
 * The answer in a model's last message: the JSON value that it is, else the text, which scoring reads.
 * Results too long to repeat may be named: `"$handle$"`, or `"$call_3$"` for the result of the third call, or
 * a list of such names for columns side by side. For several requests at once, the answer is a list with one
 * such value each.
 */
export async function readFinalAnswer(
  text: string,
  session: ToolSession | null,
  { requests = 1, from = 0 }: ReadOptions = {},
): Promise<unknown> {
  const words = text.trim();
  const last = lastJson(words);
  const value = requests > 1 ? (last ?? words) : (tryJson(words) ?? words);
  if (session === null) return value;
  if (requests > 1 && Array.isArray(value)) {
    return Promise.all(value.map(async (each) => (await namedResults(each, session, from)) ?? each));
  }
  const [name, ...others] = new Set(text.match(NAME));
  const candidates = [value, last, ...(others.length === 0 ? [name] : [])];
  for (const each of candidates) {
    const rows = await namedResults(each, session, from);
    if (rows !== null) return rows;
  }
  return value;
}

const NAME = /\$[A-Za-z][\w-]*\$/g;

export interface ReadOptions {
  readonly requests?: number;
  /** Number of calls in the session before the first one that the text can refer to. */
  readonly from?: number;
}

const names = z.union([z.string(), z.array(z.string()).min(1)]);

async function namedResults(
  value: unknown,
  session: ToolSession,
  from: number,
): Promise<readonly Row[] | null> {
  const read = names.safeParse(value);
  if (!read.success) return null;
  const columns: (readonly Cell[])[] = [];
  for (const text of [read.data].flat()) {
    const name = /^\$([\w-]+)\$$/.exec(text.trim())?.[1];
    if (name === undefined) return null;
    const result = await namedResult(name, session, from);
    if (result === null) return null;
    // A REST answer contains all its columns.
    if ('rows' in result) return Array.isArray(read.data) && read.data.length > 1 ? null : result.rows;
    columns.push(result.column);
  }
  const length = columns[0]?.length ?? 0;
  if (columns.some((column) => column.length !== length)) return null;
  return Array.from({ length }, (_, i) => columns.map((column) => column[i] ?? null));
}

async function namedResult(
  name: string,
  session: ToolSession,
  from: number,
): Promise<{ readonly column: readonly Cell[] } | { readonly rows: readonly Row[] } | null> {
  const number = /^call_(\d+)$/.exec(name)?.[1];
  const call =
    number === undefined
      ? session.calls.find(({ handle }) => handle === name)
      : session.calls[from + Number(number) - 1];
  if (call === undefined || !call.ok) return null;
  const rows = restRows(call.text) ?? wrappedRows(call.text);
  if (rows !== null) return { rows };
  const answer = readToolAnswer(requestBody(call.text));
  if (answer === null || answer.kind === 'table') return null;
  if (answer.kind === 'value') return { column: [answer.value] };
  const whole = await session.wholeColumn(answer.handle);
  return whole === null ? null : { column: whole };
}
