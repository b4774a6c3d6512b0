import { expect, test } from 'vitest';
import type { ObtainedCompletion } from '../attempt/model-session.ts';
import type { ModelRequest } from '../models/model.ts';
import { CostLimitError, type Payment, Spending } from './spending.ts';

const REQUEST = {
  prompt: { text: 'x'.repeat(30) },
  tools: [],
  decoding: {},
  origin: { sampleId: 's', epoch: 1 },
} as unknown as ModelRequest;
const prices = { m: { input_per_million: 1_000_000, output_per_million: 0 } };
const never = new AbortController().signal;

/** Makes concurrent requests for completions of this cost. */
async function ask(limit: number | null, times: number, cost: number, paid: readonly number[] = []) {
  const recorded: Payment[] = [];
  const record = async (payment: Payment) => void recorded.push(payment);
  const spending = new Spending({ limit, paid, prices, modelId: 'm', record });
  let asked = 0;
  const obtain = spending.guard(async () => {
    asked++;
    await new Promise((resolve) => setImmediate(resolve));
    return { cost, cached: false, requestHash: 'h' } as ObtainedCompletion;
  });
  const ended = await Promise.allSettled(Array.from({ length: times }, () => obtain(REQUEST, never)));
  const refused = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  return { spending, recorded, refused, asked };
}

test.each([
  [100, 20, 30, 3],
  [100, 20, 100, 1],
  // The prompt alone would cost more than is left.
  [10, 20, 5, 0],
])(
  'of a limit of %i, %i requests at once that cost %i each get through to %i',
  async (limit, times, cost, through) => {
    const { spending, recorded, refused, asked } = await ask(limit, times, cost);
    expect([asked, recorded.length, refused.length]).toEqual([through, through, times - through]);
    expect(refused.every((error) => error instanceof CostLimitError)).toBe(true);
    expect(spending.total ?? 0).toBeLessThanOrEqual(limit);
  },
);

test('earlier payments count, and without a limit everything is paid', async () => {
  expect((await ask(100, 5, 30, [45, 30])).asked).toBe(0);
  expect((await ask(null, 5, 30, [45, 30])).spending.total).toBe(225);
});
