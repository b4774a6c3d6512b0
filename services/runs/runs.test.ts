import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prediction, predictionHeader } from '../../contracts/prediction.ts';
import { problem } from '../../contracts/problem.ts';
import { runView } from '../../contracts/run.ts';
import { openSmallFarm, type SmallFarm } from '../agents/testing/small-farm.ts';
import { exportPredictions } from './export-predictions.ts';
import { pruneRuns } from './prune-runs.ts';
import type { RunRecord } from './run-records.ts';
import { RunStore } from './run-store.ts';

let farm: SmallFarm;
beforeAll(async () => {
  farm = await openSmallFarm();
});
afterAll(() => farm.close());

const send = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const answer = await farm.app.inject({ method, url, ...(payload ? { payload } : {}) });
  const type = String(answer.headers['content-type']);
  const json = type.includes('json') && !type.includes('jsonl');
  return {
    status: answer.statusCode,
    text: answer.body,
    headers: answer.headers,
    body: json ? answer.json() : null,
  };
};
const post = (url: string, payload: object) => send('POST', url, payload);
const begin = async (id: string, more: object = {}) => {
  const { status, body, text } = await post('/runs', { sample_id: `test/small/${id}`, ...more });
  expect(status, text).toBe(201);
  return body;
};
const view = async (base: string) => runView.parse((await send('GET', base)).body);
const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';
const fails = async (answer: Promise<{ body: unknown }>) => problem.parse((await answer).body).code;

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

  test('keeps the digits of numbers, and rows of tables and columns', async () => {
    const run = await begin('1/slot');
    const [{ handle }] = run.task.start_tables;
    const filter = await farm.app.inject({
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

  test('is found by its id only, and shows nothing of other tasks', async () => {
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
    const answer = await farm.app.inject({ method: 'POST', url: '/runs', payload });
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

  test('keeps the order in which its runs were begun', async () => {
    const { body } = await post('/runs', { select: { db: 'small' } });
    const ids = (runs: { run_id: string }[]) => runs.map(({ run_id }) => run_id);
    expect(body.runs.length).toBeGreaterThan(3);
    expect(ids((await send('GET', body.base)).body.runs)).toEqual(ids(body.runs));
  });
});

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
    const gone = await openSmallFarm({ runs: { file } });
    const payload = { sample_id: 'test/small/1/rest', budget: { seconds: 0.2 } };
    const { base, run_id } = (await gone.app.inject({ method: 'POST', url: '/runs', payload })).json();
    await gone.app.inject(`${base}/tools`);
    await gone.close();
    await new Promise((resolve) => setTimeout(resolve, 250));
    const store = RunStore.read(file);
    expect(store.run(run_id)).toMatchObject({ status: 'out_of_budget', end_reason: 'seconds' });
    const [, line] = [...exportPredictions([...store.runs()], (id) => store.calls(id))];
    expect(JSON.parse(line ?? '')).toMatchObject({ out_of_budget: true, latency_s: 0.2 });
    store.close();
    const again = await openSmallFarm({ runs: { file } });
    expect((await again.app.inject(base)).json()).toMatchObject({ status: 'out_of_budget' });
    const late = await again.app.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: 1 } });
    expect(late.json().detail).toBe('The run is over: its budget of 0.2 seconds is spent.');
    await again.close();
  });
});

describe('predictions', () => {
  test('have real names, the answer, the tools offered, and what was measured', async () => {
    const run = await begin('1/rest', {
      agent: 'p',
      obfuscate: true,
      tools: '25%',
      seed: 3,
      budget: { calls: 9 },
    });
    const { body: list } = await send('GET', `${run.base}/tools`);
    const people = list.tools.find((tool: { description: string }) =>
      tool.description.startsWith('people by'),
    );
    await post(`${run.base}/call/${people.name}`, { ARG_0: 30 });
    await post(`${run.base}/call/FUNC_99`, { ARG_0: 30 });
    await post(`${run.base}/answer`, { answer: [[1]], input_tokens: 7, output_tokens: 8 });
    expect(await fails(send('GET', `${run.base}/predictions`))).toBe('SCORING_OFF');
    const store = RunStore.read(join(farm.folder, 'runs.sqlite'));
    const [header, line] = [
      ...exportPredictions([store.run(run.run_id) as RunRecord], (id) => store.calls(id)),
    ].map((text) => JSON.parse(text));
    store.close();
    expect(predictionHeader.parse(header)).toMatchObject({
      model: 'p',
      farm_hash: 'f'.repeat(64),
      settings: { obfuscate: true, tools: '25%', seed: 3, budget: { calls: 9 }, faults: 'none' },
    });
    expect(prediction.parse(line)).toMatchObject({
      sample_id: 'test/small/1/rest',
      calls: [
        { name: PEOPLE, arguments: { min_age: 30 } },
        { name: 'FUNC_99', arguments: { ARG_0: 30 } },
      ],
      answer: [[1]],
      input_tokens: 7,
      tools_checksum: list.checksum,
    });
    expect(line.tools).toHaveLength(5);
    expect(line.tools).toContain(PEOPLE);
    const trajectory = (await view(run.base)).trajectory;
    expect(trajectory[0]).toMatchObject({ tool: people.name, arguments: { ARG_0: 30 } });
  });

  test('of obfuscated runs have the handles that everybody else has', async () => {
    const run = await begin('1/slot', { obfuscate: true });
    const { body: list } = await send('GET', `${run.base}/tools`);
    const toolOf = (start: string) =>
      list.tools.find((tool: { description: string }) => tool.description.startsWith(start));
    const call = async (start: string, ...args: unknown[]) => {
      const { name, parameters } = toolOf(start);
      const keys = Object.keys(parameters.properties);
      const body = Object.fromEntries(args.map((value, i) => [keys[i], value]));
      return (await post(`${run.base}/call/${name}`, body)).body;
    };
    const [{ handle }] = run.task.start_tables;
    const first = await call('Keeps the rows', handle, 'person_age', 30, 'equal_to');
    const most = await call('Computes', `$${first.handle}$`, 'person_age', 'max');
    await call('Keeps the rows', first.handle, 'person_age', `$${most.handle}$`, 'equal_to');
    await post(`${run.base}/answer`, { answer: 1 });
    const store = RunStore.read(join(farm.folder, 'runs.sqlite'));
    const [, line] = [...exportPredictions([store.run(run.run_id) as RunRecord], (id) => store.calls(id))];
    store.close();
    const { calls } = JSON.parse(line ?? '');
    const [filtered, max] = [`filtered_${first.handle.slice(2)}`, `max_${most.handle.slice(2)}`];
    expect(calls).toMatchObject([
      { name: 'filter_data', handle: filtered, arguments: { data_source: handle } },
      { name: 'aggregate_data', handle: max, arguments: { data_source: `$${filtered}$` } },
      { name: 'filter_data', arguments: { data_source: filtered, value: `$${max}$` } },
    ]);
  });

  test('of a run whose budget was spent say so: its calls are no answer', async () => {
    const run = await begin('1/rest', { budget: { calls: 1 } });
    for (const status of [200, 409]) {
      expect((await post(`${run.base}/call/${PEOPLE}`, { min_age: 30 })).status).toBe(status);
    }
    const lines = (await send('GET', `${run.base}/predictions`)).text.trim().split('\n');
    const line = JSON.parse(lines[1] ?? '');
    expect(line).toMatchObject({ out_of_budget: true, calls: [{ name: PEOPLE }] });
    expect(line).not.toHaveProperty('answer');
    expect(line).not.toHaveProperty('error');
    const within = await begin('1/rest', { budget: { calls: 1 } });
    await post(`${within.base}/call/${PEOPLE}`, { min_age: 30 });
    await post(`${within.base}/answer`, { answer: [['Ann', 30]] });
    expect((await send('GET', `${within.base}/predictions`)).text).not.toContain('out_of_budget');
  });

  test('of withheld gold say so', async () => {
    const run = await begin('1/rest', { withhold: 'gold' });
    expect(await fails(post(`${run.base}/call/${PEOPLE}`, { min_age: 1 }))).toBe('UNKNOWN_TOOL');
    await post(`${run.base}/answer`, { answer: null });
    const [, line] = (await send('GET', `${run.base}/predictions`)).text.trim().split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ withheld: true });
    expect(JSON.parse(line ?? '').tools).not.toContain(PEOPLE);
  });
});

describe('a score', () => {
  test('is to be had where the server can score, of runs that are over', async () => {
    const run = await begin('1/rest');
    expect(await fails(send('GET', `${run.base}/score`))).toBe('SCORING_OFF');
    const scoring = await openSmallFarm({
      scorer: async (text) => ({ lines: text.trim().split('\n').length }),
    });
    const inject = (method: 'GET' | 'POST', url: string, payload?: object) =>
      scoring.app.inject({ method, url, ...(payload ? { payload } : {}) }).then((answer) => answer.json());
    const { base } = await inject('POST', '/runs', { sample_id: 'test/small/1/rest' });
    expect((await inject('GET', `${base}/score`)).code).toBe('RUN_NOT_OVER');
    await inject('POST', `${base}/answer`, { answer: 1 });
    expect(await inject('GET', `${base}/score`)).toEqual({ lines: 2 });
    await scoring.close();
  });

  test('and runs: a server without a place for them says so', async () => {
    const none = await openSmallFarm({ runs: undefined as never });
    for (const [method, url] of [
      ['POST', '/runs'],
      ['GET', '/runs/r1'],
      ['GET', '/runs/r1/tools'],
    ] as const) {
      expect((await none.app.inject({ method, url })).json().code, url).toBe('RUNS_OFF');
    }
    await none.close();
  });
});

describe('the store', () => {
  const record = (run_id: string, created_at: number, more: Partial<RunRecord> = {}): RunRecord => ({
    run_id,
    batch_id: null,
    sample_id: 's',
    agent: 'a',
    model: null,
    settings: {},
    list_options: { tools: '100%', withhold: 'none', obfuscate: false, descriptions: 'keep', seed: 0 },
    checksum: '',
    tools: null,
    budget: {},
    faults: null,
    evidence: true,
    answer_tool: false,
    farm_hash: '',
    created_at,
    started_at: null,
    ended_at: null,
    status: 'open',
    end_reason: null,
    answer: null,
    ...more,
  });
  const call = (run_id: string, n: number, at: number, filler = '') => ({
    run_id,
    n,
    at,
    tool: 't',
    arguments: JSON.stringify({ filler }),
    real_tool: null,
    real_arguments: null,
    status: 200,
    code: null,
    row_count: null,
    bytes: 1,
    latency_ms: 1,
    fault: null,
    handle: null,
  });

  test('has one writer; others read', () => {
    const file = join(farm.folder, 'one.sqlite');
    const store = RunStore.open(file);
    expect(() => RunStore.open(file)).toThrow(/another server writes its runs there/);
    store.addRuns([record('r1', 1)]);
    const reader = RunStore.read(file);
    expect(reader.run('r1')).toEqual(record('r1', 1));
    reader.close();
    store.close();
    RunStore.open(file).close();
    expect(() => RunStore.open(join(farm.folder, 'small.sqlite', 'x'))).toThrow(/choose another file/);
  });

  test('drops runs by age, counted from the last call, and by size, the oldest first', () => {
    const store = RunStore.open(join(farm.folder, 'prune.sqlite'));
    const day = 86_400_000;
    const now = 1000 * day;
    store.addRuns([record('old', 0), record('active', 0), record('new', now - day)]);
    store.addCall(call('active', 1, now - day));
    expect(pruneRuns(store, { maxAgeDays: 90 }, now)).toBe(1);
    expect([...store.runs()].map(({ run_id }) => run_id)).toEqual(['active', 'new']);

    const many = Array.from({ length: 600 }, (_, i) =>
      record(`r${String(i).padStart(4, '0')}`, now - day + i),
    );
    store.addRuns(many);
    for (const { run_id, created_at } of many) store.addCall(call(run_id, 1, created_at, 'x'.repeat(4000)));
    const limit = Math.floor(store.bytes / 2);
    expect(pruneRuns(store, { maxBytes: limit }, now)).toBeGreaterThan(200);
    expect(store.bytes).toBeLessThanOrEqual(limit);
    const left = [...store.runs()].map(({ run_id }) => run_id);
    expect(left.at(-1)).toBe('r0599');
    expect(left).not.toContain('r0000');
    expect(store.calls('r0000')).toEqual([]);
    expect(store.calls('r0599')).toHaveLength(1);
    store.close();
  });

  test('has whatever was answered before the process was killed, and goes on from there', async () => {
    const script = `
      import { openSmallFarm } from ${JSON.stringify(join(import.meta.dirname, '../agents/testing/small-farm.ts'))};
      const farm = await openSmallFarm({ runs: { file: ${JSON.stringify(join(farm.folder, 'killed.sqlite'))} } });
      const address = await farm.app.listen({ port: 0 });
      console.log(address);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [address] = await once(child.stdout, 'data').then(([line]) => String(line).trim().split('\n'));
    const ask = async (path: string, body: object) =>
      (
        await fetch(`${address}${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        })
      ).json() as Promise<{ base: string; row_count: number }>;
    const { base } = await ask('/runs', { sample_id: 'test/small/1/rest', budget: { calls: 40 } });
    let answered = 0;
    const agents = Array.from({ length: 4 }, async () => {
      for (;;) {
        const answer = await ask(`${base}/call/${PEOPLE}`, { min_age: 1 }).catch(() => null);
        if (answer?.row_count === undefined) return;
        if (++answered === 20) child.kill('SIGKILL');
      }
    });
    await once(child, 'exit');
    await Promise.all(agents);

    const again = await openSmallFarm({ runs: { file: join(farm.folder, 'killed.sqlite') } });
    const after = async () => runView.parse((await again.app.inject(base)).json());
    const before = await after();
    expect(before.status).toBe('open');
    expect(before.used.calls).toBeGreaterThanOrEqual(answered);
    expect(before.trajectory.every(({ status }) => status === 200)).toBe(true);
    let more = 0;
    while (
      (await again.app.inject({ method: 'POST', url: `${base}/call/${PEOPLE}`, payload: { min_age: 1 } }))
        .statusCode === 200
    ) {
      more++;
    }
    const numbers = (await after()).trajectory.map(({ n }) => n);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(Math.max(...numbers)).toBe(40);
    expect(more).toBe(40 - Math.max(...before.trajectory.map(({ n }) => n)));
    await again.close();
  });
});
