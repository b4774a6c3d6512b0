import { afterAll, beforeAll, expect } from 'vitest';
import { problem } from '../../contracts/problem.ts';
import { runView } from '../../contracts/run.ts';
import { openSmallFarm, type SmallFarm } from './small-farm.ts';

/** The farm of the test file that is running. */
export let farm: SmallFarm;

/** Opens a farm of its own for the test file that calls it, before its tests, and closes it after them. */
export function useSmallFarm(): void {
  beforeAll(async () => {
    farm = await openSmallFarm();
  });
  afterAll(() => farm.close());
}

/** One request to the app, from the harness. */
export const send = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const answer = await farm.inject({
    method,
    url,
    ...(payload ? { payload } : {}),
  });
  const type = String(answer.headers['content-type']);
  const json = type.includes('json') && !type.includes('jsonl');
  return {
    status: answer.statusCode,
    text: answer.body,
    headers: answer.headers,
    body: json ? answer.json() : null,
  };
};
export const post = (url: string, payload: object) => send('POST', url, payload);
/** Begins a run; `id` is `<question>/<formulation>`. */
export const begin = async (id: string, more: object = {}) => {
  const { status, body, text } = await post('/runs', { sample_id: `test/small/${id}`, ...more });
  expect(status, text).toBe(201);
  return body;
};
export const view = async (base: string) => runView.parse((await send('GET', base)).body);
/** A REST tool of the small farm. */
export const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';
/** The code of the problem that was answered. */
export const fails = async (answer: Promise<{ body: unknown }>) => problem.parse((await answer).body).code;
