import { z } from 'zod';
import type { Usage } from '../model/model.ts';

const price = z.number().nonnegative();

/** Prices by model, in any one currency, for a million tokens. A kind without a price of its own costs what its whole does. */
export const prices = z.record(
  z.string(),
  z.object({
    input_per_million: price,
    output_per_million: price,
    cached_input_per_million: price.optional(),
    cache_write_per_million: price.optional(),
    reasoning_per_million: price.optional(),
  }),
);
export type Prices = z.infer<typeof prices>;

/** What a completion costs; null where tokens or price are not known. A model is found by its whole id or its name alone. */
export function costOf(usage: Usage, modelId: string, table: Prices | null): number | null {
  const found = table?.[modelId] ?? table?.[modelId.slice(modelId.indexOf('/') + 1)];
  if (found === undefined || usage.input === null || usage.output === null) return null;
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
