import type { Call, StartTable } from '../../client/index.ts';
import { mapReferences } from '../../contracts/assemble-answer.ts';

/** A call of a chain: what it answers can be referred to by later ones as `$label$`. */
export type ChainCall = Call & { readonly label: string };

/** A table that a chain begins from. */
export interface Start {
  readonly label: string;
  readonly table: StartTable;
}

/** What later calls refer to the first start table by, as in the gold. */
export const MAIN_START = 'starting_table_var';

/** The labels that a call refers to, each once, in the order in which they stand. */
export function labelsIn(value: unknown): string[] {
  const labels = new Set<string>();
  mapReferences(value, (label) => {
    labels.add(label);
    return undefined;
  });
  return [...labels];
}

/** A label that no call has yet. */
export function freeLabel(calls: readonly ChainCall[]): string {
  const numbers = calls.map(({ label }) => Number(/^step_(\d+)$/.exec(label)?.[1] ?? 0));
  return `step_${Math.max(0, ...numbers) + 1}`;
}

/** The chain without one of its calls: what referred to its result refers to what that was made from. */
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

/** The call with another value of an argument; undefined takes it away. */
export function withArgument(call: ChainCall, name: string, value: unknown): ChainCall {
  const { [name]: _, ...others } = call.arguments;
  return { ...call, arguments: value === undefined ? others : { ...others, [name]: value } };
}

/** A chain as an address has it; null for text that is none. */
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
