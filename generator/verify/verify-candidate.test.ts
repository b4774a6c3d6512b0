import { expect, test } from 'vitest';
import { type InjectableApp, rememberingApp } from './verify-candidate.ts';

/** An app that says how often it was asked; `answers` are its status codes in turn, the last one for good. */
function countingApp(answers: readonly number[] = [200]): InjectableApp & { asked: number } {
  return {
    asked: 0,
    async inject({ url }) {
      const statusCode = answers[Math.min(this.asked, answers.length - 1)] ?? 200;
      this.asked++;
      return { statusCode, body: `${url} ${this.asked}` };
    },
  };
}

const BYTES = 10_000;

test('the same request is answered as before, without being asked again', async () => {
  const app = countingApp();
  const remembering = rememberingApp(app, BYTES);
  const first = await remembering.inject({ method: 'GET', url: '/pets' });
  expect(first).toEqual({ statusCode: 200, body: '/pets 1' });
  expect(await remembering.inject({ method: 'GET', url: '/pets' })).toEqual(first);
  expect(app.asked).toBe(1);
});

test('method, address and body tell requests apart', async () => {
  const app = countingApp();
  const remembering = rememberingApp(app, BYTES);
  await remembering.inject({ method: 'GET', url: '/pets' });
  await remembering.inject({ method: 'POST', url: '/pets' });
  await remembering.inject({ method: 'POST', url: '/pets', payload: '{"name":"Ada"}' });
  await remembering.inject({ method: 'POST', url: '/pets', payload: '{"name":"Bo"}' });
  expect(app.asked).toBe(4);
});

test('an error is asked for again', async () => {
  const remembering = rememberingApp(countingApp([503, 200]), BYTES);
  const ask = async () => (await remembering.inject({ method: 'GET', url: '/pets' })).statusCode;
  expect([await ask(), await ask(), await ask()]).toEqual([503, 200, 200]);
});

test('no more is kept than fits', async () => {
  const app = countingApp();
  // Four of these answers, and no answer of more than a quarter.
  const remembering = rememberingApp(app, 1300);
  for (const name of ['a', 'b', 'c', 'd', 'a']) await remembering.inject({ method: 'GET', url: `/${name}` });
  expect(app.asked).toBe(4);
  for (const name of ['e', 'b']) await remembering.inject({ method: 'GET', url: `/${name}` });
  expect(app.asked).toBe(6);
  await remembering.inject({ method: 'GET', url: `/${'x'.repeat(1000)}` });
  await remembering.inject({ method: 'GET', url: `/${'x'.repeat(1000)}` });
  expect(app.asked).toBe(8);
});
