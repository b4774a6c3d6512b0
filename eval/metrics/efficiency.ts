import { z } from 'zod';
import { type AgentCall, type CallElement, isMalformed } from '../calls/agent-call.ts';
import { sameValue } from '../calls/tool-universe.ts';

/** Prices per million tokens by model name, in any one currency. */
export const priceTable = z.record(
  z.string(),
  z.object({ input_per_million: z.number().nonnegative(), output_per_million: z.number().nonnegative() }),
);
export type PriceTable = z.infer<typeof priceTable>;

/** The number of calls that repeat an earlier one: same name, same arguments. */
export function countRedundant(calls: readonly CallElement[]): number {
  const seen = new Map<string, AgentCall[]>();
  let redundant = 0;
  for (const call of calls) {
    if (isMalformed(call)) continue;
    const earlier = seen.get(call.name);
    if (earlier === undefined) seen.set(call.name, [call]);
    else if (earlier.some((other) => sameValue(other.arguments, call.arguments))) redundant++;
    else earlier.push(call);
  }
  return redundant;
}

/** The price of a sample's tokens; null if tokens or price are unknown. */
export function costOf(
  tokens: { readonly input: number | null; readonly output: number | null },
  model: string | null,
  prices: PriceTable | null,
): number | null {
  const price = model === null ? undefined : prices?.[model];
  if (price === undefined || tokens.input === null || tokens.output === null) return null;
  return (tokens.input * price.input_per_million + tokens.output * price.output_per_million) / 1e6;
}
