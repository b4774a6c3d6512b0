import { z } from 'zod';
import type { Usage } from '../model/model.ts';

const price = z.number().nonnegative();

/** For a million tokens. A kind without a price of its own costs what its whole does. */
const ofTokens = z.object({
  input_per_million: price,
  output_per_million: price,
  cached_input_per_million: price.optional(),
  cache_write_per_million: price.optional(),
  reasoning_per_million: price.optional(),
});

/** Of a server of one's own: for an hour of its machine, which that many requests share. */
const ofTime = z.object({
  machine_per_hour: price,
  requests_at_once: z.number().int().positive().default(1),
});

/** Prices by model, in any one currency. */
export const prices = z.record(z.string(), z.union([ofTokens, ofTime]));
export type Prices = z.infer<typeof prices>;

/**
 * What a completion costs; null where price, or tokens or time, are not known. A model is found by its whole id or its
 * name alone.
 */
export function costOf(
  usage: Usage,
  latencyMs: number | null,
  modelId: string,
  table: Prices | null,
): number | null {
  const found = table?.[modelId] ?? table?.[modelId.slice(modelId.indexOf('/') + 1)];
  if (found === undefined) return null;
  if ('machine_per_hour' in found) {
    const { machine_per_hour, requests_at_once } = found;
    return latencyMs === null ? null : ((latencyMs / 3_600_000) * machine_per_hour) / requests_at_once;
  }
  if (usage.input === null || usage.output === null) return null;
  const cached = usage.cached_input ?? 0;
  const written = usage.cache_write ?? 0;
  const reasoning = usage.reasoning ?? 0;
  const sum =
    Math.max(0, usage.input - cached - written) * found.input_per_million +
    cached * (found.cached_input_per_million ?? found.input_per_million) +
    written * (found.cache_write_per_million ?? found.input_per_million) +
    Math.max(0, usage.output - reasoning) * found.output_per_million +
    reasoning * (found.reasoning_per_million ?? found.output_per_million);
  return sum / 1e6;
}
