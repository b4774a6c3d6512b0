import { QueryTextError } from './query-text/query-text-error.ts';
import { readQueryText } from './query-text/read-query-text.ts';
import { QUERY_TOOL } from './query-tool.ts';

/**
 * How the `query` tool is offered. `base`: one tool. `rationale`: it asks why these arguments, first. `per-collection`:
 * a tool a collection, so that its name is the choice of the collection. `dsl`: its one argument is a query text.
 */
export const QUERY_VARIANTS = ['base', 'rationale', 'per-collection', 'dsl'] as const;
export type QueryVariant = (typeof QUERY_VARIANTS)[number];

/** The argument that says why; recorded, and otherwise without effect. */
export const RATIONALE = 'tool_rationale';

/** The one argument of the tool where it takes a query text. */
export const QUERY_TEXT = 'query';

const MOST_CHARACTERS = 64;

/** Tools of one collection each, by name. */
export function collectionTools(collections: readonly string[]): ReadonlyMap<string, string> {
  const tools = new Map<string, string>();
  for (const collection of collections) {
    const plain = `query_${collection.replace(/\W+/g, '_')}`.slice(0, MOST_CHARACTERS);
    let name = plain;
    for (let n = 2; tools.has(name) || name === QUERY_TOOL; n++) {
      name = `${plain.slice(0, MOST_CHARACTERS - 1 - String(n).length)}_${n}`;
    }
    tools.set(name, collection);
  }
  return tools;
}

interface NamedCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** A call of any variant as the call of the base tool that means the same. */
export function toBaseCall<Call extends NamedCall>(call: Call, tools: ReadonlyMap<string, string>): Call {
  const collection = tools.get(call.name);
  const args = call.arguments;
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return call;
  const { [RATIONALE]: _, ...rest } = args as Readonly<Record<string, unknown>>;
  if (collection === undefined)
    return call.name === QUERY_TOOL ? { ...call, arguments: fromText(rest) } : call;
  return { ...call, name: QUERY_TOOL, arguments: { collection_name: collection, ...rest } };
}

/** The arguments that a query text stands for; as they are where there is none, or one that cannot be read. */
function fromText(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { [QUERY_TEXT]: text, ...others } = args;
  if (typeof text !== 'string' || Object.keys(others).length > 0) return args;
  try {
    return readQueryText(text);
  } catch (error) {
    if (error instanceof QueryTextError) return args;
    throw error;
  }
}
