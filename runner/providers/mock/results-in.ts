import { z } from 'zod';
import type { ModelRequest } from '../../model/model.ts';

/** What a call was answered, as far as a model that plays calls looks at it. */
export interface SeenResult {
  readonly handle: string | null;
  /** A table shows no values of its own. */
  readonly isTable: boolean;
}

/** The answers to calls in a request: results of a conversation, or the observations in a text. */
export function resultsIn({ prompt }: Pick<ModelRequest, 'prompt'>): SeenResult[] {
  if ('text' in prompt) return observationsIn(prompt.text);
  const results = prompt.messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
  if (results.length > 0) return results.map(({ text }) => read(text));
  const [only, ...others] = prompt.messages;
  return only?.role === 'user' && others.length === 0 ? observationsIn(only.text) : [];
}

function observationsIn(text: string): SeenResult[] {
  const said = text.slice(text.lastIndexOf('\nQuestion: '));
  return [...said.matchAll(/\nObservation: (.*)/g)].map(([, observation = '']) => read(observation));
}

const named = z.object({ kind: z.string(), handle: z.string() });

function read(text: string): SeenResult {
  // An answer may be cut; kind and handle stand at its beginning.
  const [, kind, handle] = /^\{"kind":"(\w+)","handle":"([^"]+)"/.exec(text) ?? [];
  const found = named.safeParse({ kind, handle });
  return found.success
    ? { handle: found.data.handle, isTable: found.data.kind === 'table' }
    : { handle: null, isTable: false };
}
