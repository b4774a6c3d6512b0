import { restRows } from '../../attempt/rest-rows.ts';
import { readToolAnswer } from '../../attempt/tool-session.ts';
import type { Message, ToolResult } from '../../model/message.ts';
import type { ModelRequest } from '../../model/model.ts';

/** What a call was answered, as far as a model that plays calls looks at it. */
export interface SeenResult {
  readonly handle: string | null;
  /** A table shows no values of its own. */
  readonly isTable: boolean;
  /** Whether it is no answer of a tool: the call failed, or what it answered cannot be read. */
  readonly isLost: boolean;
}

/** The answers to calls since the user last spoke: results of a conversation, or the observations in a text. */
export function resultsIn({ prompt }: Pick<ModelRequest, 'prompt'>): SeenResult[] {
  if ('text' in prompt) return observationsIn(prompt.text);
  const last = prompt.messages.findLastIndex(({ role }) => role === 'user');
  const results = prompt.messages.slice(last + 1).flatMap(resultsOf);
  if (results.length > 0) return results.map(({ text }) => read(text));
  const [only, ...others] = prompt.messages;
  return only?.role === 'user' && others.length === 0 ? observationsIn(only.text) : [];
}

/** How many calls were answered before the user last spoke. */
export function resultsBefore({ prompt }: Pick<ModelRequest, 'prompt'>): number {
  if ('text' in prompt) return 0;
  const last = prompt.messages.findLastIndex(({ role }) => role === 'user');
  return prompt.messages.slice(0, last + 1).flatMap(resultsOf).length;
}

function resultsOf(message: Message): readonly ToolResult[] {
  return message.role === 'tool' ? message.results : [];
}

function observationsIn(text: string): SeenResult[] {
  const said = text.slice(text.lastIndexOf('\nQuestion: '));
  return [...said.matchAll(/\nObservation: (.*)/g)].map(([, observation = '']) => read(observation));
}

function read(text: string): SeenResult {
  // What is cut can be read at its beginning only.
  if (/… \(cut after \d+ of \d+ characters\)$/.test(text)) {
    const [, kind, handle] = /^\{"kind":"(\w+)","handle":"([^"]+)"/.exec(text) ?? [];
    return { handle: handle ?? null, isTable: kind === 'table', isLost: false };
  }
  const answer = readToolAnswer(text);
  if (answer === null) return { handle: null, isTable: false, isLost: restRows(text) === null };
  return { handle: answer.handle, isTable: answer.kind === 'table', isLost: false };
}
