import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../tests/support/split-fixture.ts';
import { ModelError, type ModelErrorKind } from '../models/failures.ts';
import { type Completion, type Model, type ModelRequest, NO_USAGE } from '../models/model.ts';
import { CompletionCache, completionClient } from './completions.ts';
import { RateGate } from './rate-gate.ts';
import { costOf, prices } from './spending.ts';

const folder = scratchFolder();

const REQUEST: ModelRequest = {
  prompt: { text: 'Question' },
  tools: [],
  decoding: { temperature: 0 },
  origin: { sampleId: 's', epoch: 1, turn: 0, format: 'json_list', due: [], offeredCall: (call) => call },
};
const DONE: Completion = {
  parts: [{ kind: 'text', text: '[]' }],
  stop: 'stop',
  usage: { ...NO_USAGE, input: 1000, output: 100, cached_input: 400, reasoning: 50 },
  model: 'm',
  fingerprint: null,
  warnings: [],
};

/** Fails in these ways, in order, then answers. */
function modelThat(...failures: (ModelErrorKind | 'hang')[]): Model & { readonly asked: () => number } {
  let asked = 0;
  return {
    id: 'test/m',
    transport: 'chat',
    constraints: [],
    asked: () => asked,
    complete: (_, signal) => {
      const failure = failures[asked++];
      if (failure === 'hang') {
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      }
      return failure === undefined ? Promise.resolve(DONE) : Promise.reject(new ModelError(failure, failure));
    },
  };
}

function obtain(
  model: Model,
  more: { cache?: CompletionCache; retries?: number; requestTimeoutMs?: number } = {},
) {
  const prices = {
    m: {
      input_per_million: 10,
      output_per_million: 20,
      cached_input_per_million: 1,
      reasoning_per_million: 40,
    },
  };
  const gate = new RateGate({ start: 5, max: 5 });
  const { cache = null, retries = 4, requestTimeoutMs = 1000 } = more;
  return completionClient({
    model,
    target: model.id,
    gate,
    cache,
    prices,
    retries,
    retryBaseMs: 1,
    requestTimeoutMs,
  });
}
const never = new AbortController().signal;

test('transient failures are retried, and retries are counted', async () => {
  const model = modelThat('rate_limit', 'overloaded', 'network', 'broken_answer');
  expect(await obtain(model)(REQUEST, never)).toMatchObject({ attempts: 5, completion: DONE });
});

test.each<ModelErrorKind>([
  'bad_request',
  'unauthorized',
  'unknown_model',
  'quota',
  'content_filter',
  'context_window',
])('%s is not repeated', async (kind) => {
  const model = modelThat(kind);
  await expect(obtain(model)(REQUEST, never)).rejects.toMatchObject({ kind });
  expect(model.asked()).toBe(1);
});

test('out of retries, the last failure is thrown', async () => {
  const model = modelThat('overloaded', 'overloaded', 'rate_limit');
  await expect(obtain(model, { retries: 2 })(REQUEST, never)).rejects.toMatchObject({ kind: 'rate_limit' });
  expect(model.asked()).toBe(3);
});

test('a request that hangs is aborted and retried', async () => {
  const model = modelThat('hang');
  expect(await obtain(model, { requestTimeoutMs: 20 })(REQUEST, never)).toMatchObject({
    attempts: 2,
    waitedMs: expect.toSatisfy((ms: number) => ms >= 15),
  });
});

test('each kind of token has its price', async () => {
  const { cost } = await obtain(modelThat())(REQUEST, never);
  expect(cost).toBeCloseTo((600 * 10 + 400 * 1 + 50 * 20 + 50 * 40) / 1e6, 12);
});

test('a cached completion keeps its latency and costs nothing; another epoch is another request', async () => {
  const cache = new CompletionCache(join(folder, 'cache.sqlite'));
  const model = modelThat();
  const ask = obtain(model, { cache });
  const first = await ask(REQUEST, never);
  expect(await ask(REQUEST, never)).toMatchObject({
    cached: true,
    cost: 0,
    latencyMs: first.latencyMs,
    completion: DONE,
  });
  await ask({ ...REQUEST, origin: { ...REQUEST.origin, epoch: 2 } }, never);
  await ask({ ...REQUEST, decoding: { temperature: 1 } }, never);
  expect(model.asked()).toBe(3);
  cache.close();
});

test('a server that was never reachable ends the run; one that is gone may come back', async () => {
  const never = new AbortController().signal;
  await expect(obtain(modelThat('unreachable'))(REQUEST, never)).rejects.toMatchObject({ fatal: true });
  const gone = modelThat();
  const ask = obtain({
    ...gone,
    complete: (request, signal) =>
      gone.asked() === 1
        ? gone.complete(request, signal).then(() => Promise.reject(new ModelError('unreachable', 'gone')))
        : gone.complete(request, signal),
  });
  await ask(REQUEST, never);
  expect((await ask(REQUEST, never)).attempts).toBe(2);
});

test('a self-hosted server costs its time, shared by concurrent requests', async () => {
  const table = prices.parse({ m: { machine_per_hour: 24, requests_at_once: 100 } });
  expect(costOf(DONE.usage, 15_000, 'vllm/m', table)).toBeCloseTo(0.001);
  expect(costOf(DONE.usage, null, 'vllm/m', table)).toBeNull();
});
