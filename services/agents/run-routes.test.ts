import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Reward } from '../../contracts/judgement.ts';
import type { Task } from '../../contracts/task.ts';
import { createApp } from '../base/http/create-app.ts';
import { DEFAULT_LIMITS } from '../base/limits.ts';
import { begin, fails, farm, PEOPLE, post, send, useSmallFarm, view } from '../testing/runs.ts';
import { checkAnswers, openSmallFarm, type SmallFarm } from '../testing/small-farm.ts';
import { SqliteRuns } from './runs/sqlite-runs.ts';
import { givenTasks } from './task-book.ts';

useSmallFarm();

describe('a run', () => {
  test('records every call, however it is made, and ends with the answer', async () => {
    const run = await begin('1/rest', { agent: 'tester', model: 'm', settings: { temperature: 0 } });
    expect(run).toMatchObject({ status: 'open', task: { evidence: 'evidence of 1' } });
    await post(`${run.base}/call/${PEOPLE}`, { min_age: 30 });
    await send('GET', `${run.base}/call/${PEOPLE}?min_age=30`);
    await send('GET', `${run.base}/v1/test/small/people_by_min_age?min_age=old`);
    await post(`${run.base}/call/no_such_tool`, { x: 1 });
    expect((await post(`${run.base}/answer`, { answer: [['Ann', 30]], loops: 3 })).body).toMatchObject({
      status: 'answered',
      calls: 4,
    });
    const seen = await view(run.base);
    expect(seen).toMatchObject({
      agent: 'tester',
      model: 'm',
      settings: { temperature: 0 },
      status: 'answered',
      answer: { answer: [['Ann', 30]], loops: 3 },
      used: { calls: 4 },
    });
    expect(seen.trajectory).toMatchObject([
      { n: 1, tool: PEOPLE, arguments: { min_age: 30 }, status: 200, rows: 4, code: null, fault: null },
      { n: 2, tool: PEOPLE, arguments: { min_age: 30 }, status: 200, rows: 4 },
      {
        n: 3,
        tool: PEOPLE,
        arguments: { min_age: 'old' },
        status: 400,
        rows: null,
        code: 'INVALID_PARAMETERS',
      },
      { n: 4, tool: 'no_such_tool', arguments: { x: 1 }, status: 404, code: 'UNKNOWN_TOOL' },
    ]);
    for (const { bytes, latency_ms } of seen.trajectory) {
      expect(bytes).toBeGreaterThan(10);
      expect(latency_ms).toBeGreaterThan(0);
    }
    expect(await fails(post(`${run.base}/call/${PEOPLE}`, { min_age: 30 }))).toBe('RUN_OVER');
    expect(await fails(post(`${run.base}/answer`, { answer: 1 }))).toBe('RUN_OVER');
    expect((await view(run.base)).used.calls).toBe(4);
  });

  test('makes its tool list on first use, and not before', async () => {
    const run = await begin('1/rest', { tools: '25%', obfuscate: true });
    expect(run.checksum).toBeNull();
    expect((await view(run.base)).checksum).toBeNull();
    const { checksum, tools } = (await send('GET', `${run.base}/tools`)).body;
    expect(tools).toHaveLength(5);
    expect((await view(run.base)).checksum).toBe(checksum);
  });

  test('keeps the digits of numbers, and rows of tables and columns', async () => {
    const run = await begin('1/slot');
    const [{ handle }] = run.task.start_tables;
    const filter = await farm.inject({
      method: 'POST',
      url: `${run.base}/call/filter_data`,
      headers: { 'content-type': 'application/json' },
      payload: `{"data_source":"${handle}","key_name":"person_age","value":30.0,"condition":"greater_than_equal_to"}`,
    });
    const column = { data_source: filter.json().handle, key_name: 'person_name' };
    await post(`${run.base}/v1/test/small/slot/retrieve_data`, column);
    await post(`${run.base}/call/aggregate_data`, { ...column, aggregation_type: 'count' });
    await post(`${run.base}/answer`, { answer: 'x' });
    const { text } = await send('GET', run.base);
    expect(text).toContain('"value":30.0');
    expect((await view(run.base)).trajectory.map(({ rows }) => rows)).toEqual([4, 4, 1]);
    const lines = (await send('GET', `${run.base}/predictions`)).text.trim().split('\n');
    expect(lines[1]).toContain('"value":30.0');
    expect(JSON.parse(lines[1] ?? '').calls[0].handle).toBe(filter.json().handle);
  });

  test('is found by its id only, and shows no other tasks', async () => {
    const run = await begin('1/rest');
    expect(await fails(send('GET', '/runs/r000000000000000000000000'))).toBe('UNKNOWN_RUN');
    expect((await send('GET', '/runs')).status).toBe(405);
    expect((await send('GET', `${run.base}/tasks`)).body.tasks).toHaveLength(1);
    expect(await fails(send('GET', `${run.base}/tasks/test/small/2/rest`))).toBe('UNKNOWN_TASK');
    expect((await send('GET', `${run.base}/tasks/test/small/1/rest/tools?format=openai`)).body.size).toBe(20);
    expect(await fails(post(`${run.base}/v1/test/small/slot/filter_data`, {}))).toBe('UNKNOWN_ROUTE');
    expect(await fails(send('GET', `${run.base}/v1/test/other/people_by_min_age?min_age=1`))).toBe(
      'UNKNOWN_DOMAIN',
    );
    expect((await view(run.base)).used.calls).toBe(0);
  });

  test.each([
    ['{', 'BAD_REQUEST'],
    ['{}', 'INVALID_PARAMETERS'],
    ['{"sample_id":"test/small/1/rest","select":{}}', 'INVALID_PARAMETERS'],
    ['{"sample_id":"test/small/99/rest"}', 'UNKNOWN_TASK'],
    ['{"sample_id":"test/small/1/rest","faults":"gremlins"}', 'INVALID_PARAMETERS'],
    ['{"sample_id":"test/small/1/rest","budget":{"calls":0}}', 'INVALID_PARAMETERS'],
    ['{"select":{"db":"nowhere"}}', 'INVALID_PARAMETERS'],
    ['{"sample_id":"test/small/1/rest","tool":"5%"}', 'INVALID_PARAMETERS'],
  ])('is not begun by %s', async (payload, code) => {
    const answer = await farm.inject({ method: 'POST', url: '/runs', payload });
    expect(answer.json().code).toBe(code);
  });
});

describe('a batch', () => {
  test('has a run for every task selected', async () => {
    const { body } = await post('/runs', { select: { formulation: 'rest' }, agent: 'b' });
    expect(body.runs.map((run: { sample_id: string }) => run.sample_id)).toEqual([
      'test/small/1/rest',
      'test/small/2/rest',
      'test/small/3/rest',
    ]);
    expect(await fails(send('GET', `${body.base}/predictions`))).toBe('RUN_NOT_OVER');
    expect(await fails(post(`${body.base}/answer`, { answer: 1 }))).toBe('UNKNOWN_RUN');
    for (const run of body.runs.slice(0, 2)) await post(`${run.base}/answer`, { answer: 1 });
    expect((await send('GET', body.base)).body.runs.map(({ status }: { status: string }) => status)).toEqual([
      'answered',
      'answered',
      'open',
    ]);
    const lines = (await send('GET', `${body.base}/predictions`)).text.trim().split('\n');
    expect(lines).toHaveLength(3);
  });

  test('keeps the order in which its runs began', async () => {
    const { body } = await post('/runs', { select: { db: 'small' } });
    const ids = (runs: { run_id: string }[]) => runs.map(({ run_id }) => run_id);
    expect(body.runs.length).toBeGreaterThan(3);
    expect(ids((await send('GET', body.base)).body.runs)).toEqual(ids(body.runs));
  });
});

function rewardFor(sample_id: string, reward: 0 | 1): Reward {
  return {
    sample_id,
    epoch: 1,
    outcome: reward ? 'pass' : 'fail',
    reward,
    components: { completion: reward, rows: reward, calls: null, slots: null },
    penalties: { errors: 0, redundant_calls: 0, extra_calls: 0 },
  };
}

describe('a score', () => {
  test('needs a server that can score, and runs that are over', async () => {
    const run = await begin('1/rest');
    expect(await fails(send('GET', `${run.base}/score`))).toBe('SCORING_OFF');
    const scoring = await openSmallFarm({
      scorer: async (text) => ({ lines: text.trim().split('\n').length }),
    });
    const inject = (method: 'GET' | 'POST', url: string, payload?: object) =>
      scoring.inject({ method, url, ...(payload ? { payload } : {}) }).then((answer) => answer.json());
    const { base } = await inject('POST', '/runs', { sample_id: 'test/small/1/rest' });
    expect((await inject('GET', `${base}/score`)).code).toBe('RUN_NOT_OVER');
    await inject('POST', `${base}/answer`, { answer: 1 });
    expect(await inject('GET', `${base}/score`)).toEqual({ lines: 2 });
    await scoring.close();
  });

  test('includes a reward with its components, and a mean for a batch', async () => {
    const run = await begin('1/rest');
    expect(await fails(post(`${run.base}/verify`, {}))).toBe('SCORING_OFF');
    const verifying = await openSmallFarm({
      verifier: async (text) =>
        text
          .trim()
          .split('\n')
          .slice(1)
          .map((line, i) => rewardFor(JSON.parse(line).sample_id, i === 0 ? 1 : 0)),
    });
    const inject = (url: string, payload?: object) =>
      verifying
        .inject({ method: 'POST', url, ...(payload ? { payload } : {}) })
        .then((answer) => answer.json());
    const batch = await inject('/runs', { select: { formulation: 'rest' } });
    expect((await inject(`${batch.base}/verify`)).code).toBe('RUN_NOT_OVER');
    for (const { base } of batch.runs) await inject(`${base}/answer`, { answer: 1 });
    const { rewards, mean } = await inject(`${batch.base}/verify`);
    expect(rewards.map(({ run_id, reward }: { run_id: string; reward: number }) => [run_id, reward])).toEqual(
      batch.runs.map(({ run_id }: { run_id: string }, i: number) => [run_id, i === 0 ? 1 : 0]),
    );
    expect(mean).toBeCloseTo(1 / batch.runs.length);
    await verifying.close();
  });

  test('judges an answer, with all digits of its numbers', async () => {
    const url = '/tasks/test/small/1/rest/judgement';
    expect(await fails(post(url, { answer: 1 }))).toBe('SCORING_OFF');
    const asked: unknown[] = [];
    const judging = await openSmallFarm({
      judge: async (...given) => {
        asked.push(given);
        return { strict: false, fair: true };
      },
    });
    const payload = '{"answer": [[9007199254740993, 5.0]]}';
    const headers = { 'content-type': 'application/json' };
    const judged = await judging.inject({ method: 'POST', url, payload, headers });
    expect(judged.json()).toEqual({ strict: false, fair: true });
    expect(asked).toEqual([['test/small/1/rest', '[[9007199254740993,5.0]]']]);
    await judging.close();
  });

  test('needs runs: a server without a place for them says so', async () => {
    const none = await openSmallFarm({ runs: undefined as never });
    for (const [method, url] of [
      ['POST', '/runs'],
      ['GET', '/runs/r1'],
      ['GET', '/runs/r1/tools'],
    ] as const) {
      expect((await none.inject({ method, url })).json().code, url).toBe('RUNS_OFF');
    }
    await none.close();
  });
});

describe('the answer of a run', () => {
  const answered = async (payload: string) => {
    const { base } = await begin('1/rest');
    const headers = { 'content-type': 'application/json' };
    const { statusCode, body } = await farm.inject({
      method: 'POST',
      url: `${base}/answer`,
      payload,
      headers,
    });
    return { base, status: statusCode, body };
  };

  test.each(['9007199254740993', '1e400', '5.0', '-9223372036854775808', '[[1e400],[9007199254740993]]'])(
    'keeps %s as it was written, in the run and in its prediction',
    async (answer) => {
      const { base, status } = await answered(`{"answer": ${answer}}`);
      expect(status).toBe(200);
      expect((await send('GET', base)).text).toContain(`"answer":${answer}`);
      expect((await send('GET', `${base}/predictions`)).text).toContain(`"answer":${answer}`);
    },
  );

  test('may be just the text that the model wrote', async () => {
    const { base, status } = await answered('{"raw_output": "[]"}');
    expect(status).toBe(200);
    const [, line] = (await send('GET', `${base}/predictions`)).text.trim().split('\n');
    expect(JSON.parse(line as string)).toMatchObject({ raw_output: '[]' });
    expect(JSON.parse(line as string)).not.toHaveProperty('answer');
  });

  test('is required', async () => {
    const { status, body } = await answered('{"loops": 2}');
    expect(status).toBe(400);
    expect(JSON.parse(body).errors).toEqual([
      { field: 'answer', code: 'missing', message: 'answer is missing' },
    ]);
  });

  test.each([101, 450, 5000])(
    'is refused when it is nested %i levels deep, and the run stays open',
    async (levels) => {
      const { base, status, body } = await answered(`{"answer": ${'['.repeat(levels)}${']'.repeat(levels)}}`);
      expect(status).toBe(400);
      expect(body).toContain('levels deep');
      expect((await send('GET', base)).body.status).toBe('open');
    },
  );

  test('with an empty error is not a broken run', async () => {
    const { base } = await answered('{"answer": 1, "error": ""}');
    expect((await send('GET', `${base}/predictions`)).text).not.toContain('"error"');
  });
});

test('a run whose record is in memory works like any other, and leaves nothing in the file', async () => {
  const select = { formulation: 'rest' };
  const { body: batch } = await post('/runs', { select, record: 'memory', budget: { calls: 2 } });
  const [run] = batch.runs;
  for (const status of [200, 200, 409]) {
    expect((await post(`${run.base}/call/${PEOPLE}`, { min_age: 1 })).status).toBe(status);
  }
  expect(await view(run.base)).toMatchObject({ status: 'out_of_budget', used: { calls: 2 } });
  expect((await send('GET', batch.base)).body.runs).toHaveLength(batch.runs.length);
  expect((await send('GET', `${batch.base}/predictions`)).text.trim().split('\n')).toHaveLength(2);
  const file = SqliteRuns.read(join(farm.folder, 'runs.sqlite'));
  expect(file.has(run.run_id)).toBe(false);
  expect([...file.runs({ batch: batch.batch_id })]).toEqual([]);
  file.close();
  expect(await fails(post('/runs', { select, record: 'disk' }))).toBe('INVALID_PARAMETERS');
});

const operation = z.looseObject({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) });
const apiDocument = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

let apiDocumentFarm: SmallFarm;
let text: string;
beforeAll(async () => {
  apiDocumentFarm = await openSmallFarm();
  text = (await apiDocumentFarm.app.inject('/openapi/rookery.json')).body;
});
afterAll(() => apiDocumentFarm.close());

test('is valid, and names and uses each operation and schema once', async () => {
  expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true });
  const { paths, components } = apiDocument.parse(JSON.parse(text));
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const name of Object.keys(components.schemas)) expect(text).toContain(`#/components/schemas/${name}"`);
});

test('covers what a harness and an agent program against', () => {
  const { paths } = apiDocument.parse(JSON.parse(text));
  for (const path of [
    '/',
    '/health/ready',
    '/tasks',
    '/runs',
    '/runs/{id}',
    '/runs/{id}/answer',
    '/lists/{id}',
  ])
    expect(paths, path).toHaveProperty([path]);
  // Endpoints are data: their domains' documents have them.
  expect(Object.keys(paths).filter((path) => path.startsWith('/v1'))).toEqual([]);
});

test('is revalidated without being sent again', async () => {
  const first = await apiDocumentFarm.app.inject('/openapi/rookery.json');
  const headers = { 'if-none-match': first.headers.etag };
  expect((await apiDocumentFarm.app.inject({ url: '/openapi/rookery.json', headers })).statusCode).toBe(304);
});

test('an answer that does not match its schema fails the tests', async () => {
  const app = await createApp(DEFAULT_LIMITS, false);
  checkAnswers(app);
  const schema = { response: { 200: z.object({ a: z.number() }) } };
  app.get('/wrong', { schema }, (_request, reply) => reply.send({ a: 'x' }));
  const answer = await app.inject('/wrong');
  await app.close();
  expect(answer.statusCode).toBe(500);
  expect(answer.body).toContain('does not answer as it is described');
});

test('a dialogue that goes on in a domain that is not served here begins no run', async () => {
  const sample_id = 'test/small/d1/rest';
  const turns = ['test/small/d1.1/rest', 'test/fair/d1.2/rest'].map((id) => ({
    text: 'And there?',
    sample_id: id,
  }));
  const task: Task = {
    ...{
      sample_id,
      split: 'test',
      db: 'small',
      question_id: 'd1',
      formulation: 'rest',
      question: 'Who is there?',
    },
    ...{ evidence: '', difficulty: null, flags: ['dialogue'], start_tables: [] },
    ...{
      toolset: { path: '', size: 1 },
      gold_tools: [PEOPLE],
      turns,
      user: { temperament: 'plain', slots: [] },
    },
  };
  const other = await openSmallFarm({ tasks: givenTasks([task]) });
  try {
    const answer = await other.inject({ method: 'POST', url: '/runs', payload: { sample_id } });
    expect(answer.json()).toMatchObject({
      status: 404,
      code: 'UNKNOWN_DOMAIN',
      detail: expect.stringContaining('fair'),
    });
  } finally {
    await other.close();
  }
});
