import type { Call, StartTable, ToolAnswer } from '../client/index.ts';
import { mapReferences, usedLabels } from '../contracts/answer-rows.ts';
import { rowsText } from './wording.ts';

/** A call of a chain; later calls refer to its result as `$label$`. */
export type ChainCall = Call & { readonly label: string };

/** A table that a chain begins from. */
export interface Start {
  readonly label: string;
  readonly table: StartTable;
}

/** The label of the first start table, as in the gold. */
export const MAIN_START = 'starting_table_var';

/** The distinct labels that a value refers to, in order of appearance. */
export function labelsIn(value: unknown): string[] {
  const labels = new Set<string>();
  mapReferences(value, (label) => {
    labels.add(label);
    return undefined;
  });
  return [...labels];
}

/** Arguments with handles in place of labels. */
export function withHandles(args: unknown, handles: ReadonlyMap<string, string>): unknown {
  return mapReferences(args, (label) => {
    const handle = handles.get(label);
    return handle === undefined ? undefined : `$${handle}$`;
  });
}

export function freeLabel(calls: readonly ChainCall[]): string {
  const numbers = calls.map(({ label }) => Number(/^step_(\d+)$/.exec(label)?.[1] ?? 0));
  return `step_${Math.max(0, ...numbers) + 1}`;
}

/** Removes a call from a chain: references to its result are redirected to its source. */
export function withoutCall(calls: readonly ChainCall[], at: number): ChainCall[] {
  const gone = calls[at];
  if (!gone) return [...calls];
  const [source] = labelsIn(gone.arguments);
  return calls
    .filter((_, i) => i !== at)
    .map((call) => ({
      ...call,
      arguments: mapReferences(call.arguments, (label) =>
        label === gone.label && source !== undefined ? `$${source}$` : undefined,
      ) as Call['arguments'],
    }));
}

/** Sets an argument of a call; undefined removes it. */
export function withArgument(call: ChainCall, name: string, value: unknown): ChainCall {
  const { [name]: _, ...others } = call.arguments;
  return { ...call, arguments: value === undefined ? others : { ...others, [name]: value } };
}

/** Parses a chain from a URL; null for other text. */
export function readChain(text: string): ChainCall[] | null {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) && read.every(isChainCall) ? read : null;
  } catch {
    return null;
  }
}

function isChainCall(value: unknown): value is ChainCall {
  const { name, label, arguments: args } = (value ?? {}) as Partial<ChainCall>;
  return typeof name === 'string' && typeof label === 'string' && typeof args === 'object' && args !== null;
}

/** A short description of a result, with its number of rows. */
export function aboutAnswer(answer: ToolAnswer): string {
  switch (answer.kind) {
    case 'value':
      return `value ${answer.value === null ? 'null' : answer.value}`;
    case 'column':
    case 'table':
      return answer.row_count === null ? answer.kind : `${answer.kind}, ${rowsText(answer.row_count)}`;
  }
}

/** Beyond this length, a result used twice is written as `$label$`, since each branch would double the text. */
const LONGEST = 4000;

/** A chain as nested calls, one line per result that no other call refers to. */
export function nestedCall(calls: readonly ChainCall[]): string {
  const texts = new Map<string, string>();
  const used = usedLabels(calls);
  const lines: string[] = [];
  for (const { name, arguments: args, label } of calls) {
    const items = Object.entries(args).map(([key, value]) => `${key}=${textOf(value, texts)}`);
    const text = `${name}(${items.join(', ')})`;
    if (text.length <= LONGEST) texts.set(label, text);
    if (!used.has(label)) lines.push(text);
  }
  return lines.join('\n');
}

function textOf(value: unknown, texts: ReadonlyMap<string, string>): string {
  if (typeof value === 'string')
    return texts.get(/^\$([^$]+)\$$/.exec(value)?.[1] ?? '') ?? JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, texts)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${textOf(item, texts)}`,
  );
  return `{${entries.join(', ')}}`;
}
