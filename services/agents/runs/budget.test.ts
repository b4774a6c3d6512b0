import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  begin,
  fails,
  farm,
  PEOPLE,
  post,
  send,
  useSmallFarm,
  view,
} from '../../testing/runs-of-small-farm.ts';
import { openSmallFarm } from '../../testing/small-farm.ts';
import { predictionsOf } from './rewards-of.ts';
import { SqliteRuns } from './sqlite-runs.ts';

useSmallFarm();

describe('a budget', () => {
  test('of calls: the last one is answered, the next is not', async () => {
    const run = await begin('1/rest', { budget: { calls: 2 } });
    for (const status of [200, 200, 409]) {
      expect((await post(`${run.base}/call/${PEOPLE}`, { min_age: 1 })).status).toBe(status);
    }
    const { body } = await post(`${run.base}/answer`, { answer: 1 });
    expect(body.detail).toBe('The run is over: its budget of 2 calls is spent.');
    expect(await view(run.base)).toMatchObject({
      status: 'out_of_budget',
      end_reason: 'calls',
      used: { calls: 2 },
    });
  });

  test('of calls holds for calls at once', async () => {
    const run = await begin('1/rest', { budget: { calls: 5 } });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(`${run.base}/call/${PEOPLE}`, { min_age: 1 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect((await view(run.base)).trajectory.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
  });

  test('of bytes holds for calls at once: one answer may go beyond it, no more', async () => {
    const run = await begin('1/rest', { budget: { bytes: 1000 } });
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => post(`${run.base}/call/${PEOPLE}`, { min_age: 1 })),
    );
    const given = answers.filter(({ status }) => status === 200).map(({ text }) => Buffer.byteLength(text));
    const used = given.reduce((sum, bytes) => sum + bytes, 0);
    expect(used - (given.at(-1) ?? 0)).toBeLessThan(1000);
    expect(await view(run.base)).toMatchObject({
      end_reason: 'bytes',
      used: { calls: given.length, bytes: used },
    });
  });

  test('of calls lets the answer in that was reached within it', async () => {
    const run = await begin('1/rest', { budget: { calls: 1 } });
    await post(`${run.base}/call/${PEOPLE}`, { min_age: 1 });
    expect((await post(`${run.base}/answer`, { answer: 1 })).status).toBe(200);
  });

  test('of bytes, and of seconds from the first request on', async () => {
    const bytes = await begin('1/rest', { budget: { bytes: 10 } });
    expect((await post(`${bytes.base}/call/${PEOPLE}`, { min_age: 1 })).status).toBe(200);
    expect(await fails(post(`${bytes.base}/call/${PEOPLE}`, { min_age: 1 }))).toBe('RUN_OVER');

    const seconds = await begin('1/rest', { budget: { seconds: 0.3 } });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await post(`${seconds.base}/call/${PEOPLE}`, { min_age: 1 })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await fails(post(`${seconds.base}/answer`, { answer: 1 }))).toBe('RUN_OVER');
    expect(await view(seconds.base)).toMatchObject({ end_reason: 'seconds' });
  });
});

describe('a run whose seconds are over', () => {
  const over = async (base: string) => {
    await post(`${base}/call/${PEOPLE}`, { min_age: 30 });
    await new Promise((resolve) => setTimeout(resolve, 250));
  };

  test('is out of budget for whoever looks, though nobody touches it any more', async () => {
    const { body } = await post('/runs', {
      select: { formulation: 'rest' },
      budget: { seconds: 0.2 },
      answer_tool: true,
    });
    const [run, untouched] = body.runs;
    await over(run.base);
    const states = (await send('GET', body.base)).body.runs.map(
      ({ status, end_reason }: { status: string; end_reason: string | null }) => [status, end_reason],
    );
    expect(states).toEqual([
      ['out_of_budget', 'seconds'],
      ['open', null],
      ['open', null],
    ]);
    const seen = await view(run.base);
    expect(seen).toMatchObject({ status: 'out_of_budget', end_reason: 'seconds', used: { calls: 1 } });
    expect(seen.used.seconds).toBeCloseTo(0.2, 1);
    const [, line] = (await send('GET', `${body.base}/predictions`)).text.trim().split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ out_of_budget: true });
    expect(JSON.parse(line ?? '')).not.toHaveProperty('error');
    expect(await fails(post(`${run.base}/answer`, { answer: 1 }))).toBe('RUN_OVER');
    expect(await view(untouched.base)).toMatchObject({ status: 'open' });
  });

  test('is so in the file of a server that is gone, and for the next one', async () => {
    const file = join(farm.folder, 'left.sqlite');
    const gone = await openSmallFarm({ runs: { place: file } });
    const payload = { sample_id: 'test/small/1/rest', budget: { seconds: 0.2 } };
    const { base, run_id } = (await gone.app.inject({ method: 'POST', url: '/runs', payload })).json();
    await gone.app.inject(`${base}/tools`);
    await gone.close();
    await new Promise((resolve) => setTimeout(resolve, 250));
    const store = SqliteRuns.read(file);
    expect(store.run(run_id)).toMatchObject({ status: 'out_of_budget', end_reason: 'seconds' });
    const [, line] = (await predictionsOf(store, [...store.runs()])).split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ out_of_budget: true, latency_s: 0.2 });
    store.close();
    const again = await openSmallFarm({ runs: { place: file } });
    expect((await again.app.inject(base)).json()).toMatchObject({ status: 'out_of_budget' });
    const late = await again.app.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: 1 } });
    expect(late.json().detail).toBe('The run is over: its budget of 0.2 seconds is spent.');
    await again.close();
  });
});
