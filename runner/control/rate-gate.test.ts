import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { RateGate } from './rate-gate.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);

test('concurrent requests stay within the limit, and none starves', async () => {
  const gate = new RateGate({ start: 3, max: 3 });
  let [now, most] = [0, 0];
  const done = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      gate.run(async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setImmediate(resolve));
        now--;
        return i;
      }, never),
    ),
  );
  expect(most).toBe(3);
  expect(done).toEqual(Array.from({ length: 20 }, (_, i) => i));
});

test('a successful round raises the limit by one, a burst of refusals lowers it by a fifth, once', () => {
  let clock = 100_000;
  const gate = new RateGate({ start: 20, max: 22 }, () => clock);
  for (let i = 0; i < 20; i++) gate.report('ok');
  expect(gate.allowed).toBe(21);
  for (let i = 0; i < 10; i++) gate.report('limited');
  expect(gate.allowed).toBe(16);
  clock += 20_000;
  gate.report('limited');
  expect(gate.allowed).toBe(12);
  for (let i = 0; i < 500; i++) gate.report('ok');
  expect(gate.allowed).toBe(22);
});

test('server errors stop growth without lowering the limit', () => {
  const gate = new RateGate({ start: 4, max: 10 });
  for (let i = 0; i < 3; i++) gate.report('ok');
  gate.report('failing');
  for (let i = 0; i < 3; i++) gate.report('ok');
  expect(gate.allowed).toBe(4);
  gate.report('ok');
  expect(gate.allowed).toBe(5);
});

test('no request starts before the time the provider asked for', async () => {
  const gate = new RateGate({ start: 1, max: 1 });
  gate.report('limited', { holdMs: 60 });
  const started = performance.now();
  await gate.run(async () => {}, never);
  expect(performance.now() - started).toBeGreaterThanOrEqual(55);
});

test('waiting ends when the run does', async () => {
  const gate = new RateGate({ start: 1, max: 1 });
  gate.report('limited', { holdMs: 60_000 });
  const stop = new AbortController();
  const waiting = gate.run(async () => 'never', stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow();
});
