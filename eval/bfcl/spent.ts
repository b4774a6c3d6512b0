import type { BfclModelScore } from '../../contracts/bfcl-report.ts';
import type { PriceTable } from '../metrics/efficiency.ts';
import type { BfclResult } from './bfcl-files.ts';

/** What the results of a model took, by BFCL's rules: zeros and what is not told are left out; p95 is interpolated. */
export function spentBy(
  model: string,
  results: readonly BfclResult[],
  prices: PriceTable | null,
): Pick<BfclModelScore, 'latency' | 'input_tokens' | 'output_tokens' | 'cost'> {
  const latencies = results.flatMap(({ latency_s }) => latency_s ?? []).sort((a, b) => a - b);
  const input = sum(results.flatMap(({ input_tokens }) => input_tokens ?? []));
  const output = sum(results.flatMap(({ output_tokens }) => output_tokens ?? []));
  const price = prices?.[model];
  const cost =
    price === undefined || input === 0 || output === 0
      ? null
      : (input * price.input_per_million + output * price.output_per_million) / 1_000_000;
  return { latency: latencyOf(latencies), input_tokens: input, output_tokens: output, cost };
}

function latencyOf(sorted: readonly number[]): BfclModelScore['latency'] {
  const n = sorted.length;
  if (n === 0) return { mean: null, deviation: null, p95: null };
  const mean = sum(sorted) / n;
  const deviation = n < 2 ? null : Math.sqrt(sum(sorted.map((value) => (value - mean) ** 2)) / (n - 1));
  const at = 0.95 * (n - 1);
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return { mean, deviation, p95: below + (above - below) * (at - Math.floor(at)) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
