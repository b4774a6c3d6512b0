import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { farmScorer } from '../../../cli/score/farm-scorer.ts';
import type { Sample } from '../../../contracts/sample.ts';
import { readFarm } from '../../../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../../../services/index.ts';
import { farmOf } from '../../support/farms.ts';
import { ask, openSocket, readStream } from './players.ts';

const harnessKey = 'the-key-of-the-trainer';
const key = { 'x-harness-key': harnessKey };
const folder = mkdtempSync(join(tmpdir(), 'rookery-standards-'));
const door = (['ors', 'nemo-gym', 'openenv'] as const).map((name) => ({ name, port: 0 }));
let server: RunningServer;
let exam: RunningServer;
let sample: Sample;

beforeAll(async () => {
  const farm = await farmOf('bundled');
  const agents = { harnessKey, ...farmScorer(farm) };
  const only = ['vet_clinics'];
  const runs = (name: string) => ({ place: join(folder, name) });
  server = await startServer(farm, {
    port: 0,
    logger: false,
    only,
    door,
    agents: { ...agents, runs: runs('a') },
  });
  exam = await startServer(farm, {
    port: 0,
    logger: false,
    only,
    door,
    agents: { ...agents, exam: true, runs: runs('b') },
  });
  sample = readFarm(farm).samples.find(
    ({ dataset_name, formulation }) => dataset_name === 'vet_clinics' && formulation === 'rest',
  ) as Sample;
});
afterAll(async () => {
  await server?.stop();
  await exam?.stop();
  rmSync(folder, { recursive: true });
});

const at = (name: string, of = server) => of.doorAddresses[name] ?? '';
const json = async (url: string, body?: unknown, headers: Record<string, string> = {}) => {
  const { status, text } = await ask(url, body, headers);
  return { status, body: JSON.parse(text) };
};

describe('the Open Reward Standard', () => {
  test('says what there is', async () => {
    expect(await json(`${at('ors')}/health`)).toEqual({ status: 200, body: { status: 'ok' } });
    expect((await json(`${at('ors')}/list_environments`)).body).toContain('slot');
    expect((await json(`${at('ors')}/rest/splits`)).body).toEqual([
      { name: 'train', type: 'train' },
      { name: 'test', type: 'test' },
    ]);
    const { tools } = (await json(`${at('ors')}/rest/tools`)).body;
    expect(tools.map((tool: object) => Object.keys(tool))).toEqual([['name', 'description', 'input_schema']]);
  });

  test('counts, lists and slices the tasks of a split; the splits share none', async () => {
    const tasks = async (path: string, body: object) => (await json(`${at('ors')}/rest/${path}`, body)).body;
    const all = await tasks('tasks', { split: 'train' });
    expect(all.env_name).toBe('rest');
    expect(await tasks('num_tasks', { split: 'train' })).toEqual({ num_tasks: all.tasks.length });
    expect((await tasks('task', { split: 'train', index: 1 })).task).toEqual(all.tasks[1]);
    expect((await tasks('task_range', { split: 'train', start: -2 })).tasks).toEqual(all.tasks.slice(-2));
    expect(all.tasks[0].canary).toMatch(/^rookery-canary [0-9a-f]{32}$/);
    const held = await tasks('tasks', { split: 'test' });
    const ids = [...all.tasks, ...held.tasks].map(({ sample_id }) => sample_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await json(`${at('ors')}/rest/tasks`, { split: 'validation' })).status).toBe(400);
    expect((await json(`${at('ors')}/soap/splits`)).status).toBe(404);
  });

  test('a session lives from create to its end, and a lost stream is taken up again', async () => {
    const base = at('ors');
    const { id: sid } = readStream((await ask(`${base}/create_session`, {})).text);
    const session = { 'x-session-id': sid };
    expect((await json(`${base}/ping`, {}, session)).status).toBe(404);
    expect((await json(`${base}/create`, { split: 'train' }, session)).status).toBe(400);
    const created = await json(`${base}/create`, { env_name: 'rest', split: 'train', index: 0 }, session);
    expect(created).toEqual({ status: 200, body: { sid } });
    expect((await json(`${base}/create`, { split: 'train', index: 0 }, session)).status).toBe(400);
    expect((await json(`${base}/create`, { split: 'train', index: 0 })).status).toBe(400);
    expect(await json(`${base}/ping`, {}, session)).toEqual({ status: 200, body: { status: 'ok' } });
    const { tools } = (await json(`${base}/rest/task_tools`, undefined, session)).body;
    expect(tools.at(-1).name).toBe('submit_answer');
    const call = async (body: object) => readStream((await ask(`${base}/rest/call`, body, session)).text);
    const first = await call({ name: 'submit_answer', input: { answer: 'x'.repeat(5000) } });
    const again = await call({ name: 'submit_answer', input: {}, task_id: first.id });
    expect(again).toEqual(first);
    expect(JSON.parse(first.result).output).toMatchObject({ reward: 0, finished: true });
    await expect(call({ name: 'submit_answer', input: {}, task_id: 'other' })).rejects.toThrow(
      'unknown task_id',
    );
    expect(JSON.parse((await call({ name: tools[0].name, input: {} })).result)).toMatchObject({
      ok: true,
      output: { finished: true },
    });
    expect((await json(`${base}/delete`, {}, session)).body).toEqual({ sid });
  });
});

describe('a resources server of NeMo Gym', () => {
  const answerOf = (answer: unknown) => ({
    output: [
      { type: 'reasoning', id: 'r', summary: [] },
      { type: 'function_call', name: 'submit_answer', arguments: JSON.stringify({ answer }), call_id: '1' },
      { type: 'function_call_output', call_id: '1', output: '{"status":"answered"}' },
    ],
  });

  test('verifies a stored rollout without a session, and again the same', async () => {
    const base = at('nemo-gym');
    expect(await json(`${base}/reverify_mode`)).toEqual({ status: 200, body: 'stateless' });
    const row = { sample_id: sample.sample_id, _ng_task_index: 3 };
    const right = { ...row, response: answerOf(sample.gold_answer) };
    const first = await json(`${base}/verify`, right);
    expect(first.body).toMatchObject({ ...right, reward: 1, reward_components: { completion: 1 } });
    expect(await json(`${base}/verify`, right)).toEqual(first);
    const words = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'no idea' }] };
    const wrong = await json(`${base}/verify`, { ...row, response: { output: [words] } });
    expect(wrong.body.reward).toBe(0);
    // Cut off before there was an answer.
    expect((await json(`${base}/verify`, { ...row, response: { output: [] } })).body.reward).toBe(0);
    const { body } = await json(`${base}/aggregate_metrics`, { verify_responses: [first.body, wrong.body] });
    expect(body.key_metrics).toMatchObject({ 'mean/reward': 0.5 });
    expect(body.group_level_metrics).toHaveLength(1);
  });

  test('needs a session for calls, and the body of a row to begin one', async () => {
    expect((await json(`${at('nemo-gym')}/some_tool`, {})).body.detail).toContain('seed_session');
    expect((await json(`${at('nemo-gym')}/seed_session`, {})).body.errors[0].field).toBe('sample_id');
  });
});

describe('OpenEnv', () => {
  test('meets what its validator asks of a running server', async () => {
    const base = at('openenv');
    expect((await json(`${base}/openapi.json`)).body.info.version).toEqual(expect.any(String));
    expect((await json(`${base}/health`)).body).toEqual({ status: 'healthy' });
    expect((await json(`${base}/metadata`)).body).toMatchObject({ name: 'rookery' });
    expect(Object.keys((await json(`${base}/schema`)).body).sort()).toEqual([
      'action',
      'observation',
      'state',
    ]);
    const { status, body } = await json(`${base}/mcp`, {});
    expect([status, body.jsonrpc, body.error.code]).toEqual([200, '2.0', -32_600]);
  });

  test('a connection answers what it is sent, in order, and says what it cannot read', async () => {
    const socket = await openSocket(at('openenv'));
    const code = async (message: object | string) => {
      const { type, data } = await socket.send(message);
      return type === 'error' ? (data as { code: string }).code : type;
    };
    expect(await code('{')).toBe('INVALID_JSON');
    expect(await code({ type: 'dance' })).toBe('UNKNOWN_TYPE');
    expect(await code({ type: 'step' })).toBe('VALIDATION_ERROR');
    expect(await code({ type: 'step', data: {} })).toBe('SESSION_ERROR');
    expect((await socket.send({ type: 'state' })).data).toEqual({ episode_id: null, step_count: 0 });
    expect(await code({ type: 'reset', data: { sample_id: 'none' } })).toBe('EXECUTION_ERROR');
    const reset = async (seed: number) =>
      z
        .object({ observation: z.looseObject({ sample_id: z.string() }) })
        .parse((await socket.send({ type: 'reset', data: { seed } })).data).observation.sample_id;
    const drawn = [await reset(0), await reset(1), await reset(2)];
    expect(new Set(drawn).size).toBe(3);
    expect(await reset(1)).toBe(drawn[1]);
    expect(await code({ type: 'step', data: { type: 'call_tool', tool_name: 'none' } })).toBe('observation');
    expect((await socket.send({ type: 'state' })).data).toMatchObject({ step_count: 1, sample_id: drawn[1] });
    const rpc = { jsonrpc: '2.0', method: 'tools/list', id: 1 };
    const { data } = await socket.send({ type: 'mcp', data: rpc });
    const listed = await socket.send({ type: 'step', data: { type: 'list_tools' } });
    expect((data as { result: object }).result).toEqual((listed.data as { observation: object }).observation);
    socket.close();
  });
});

test('bands divide the tasks, for the harness only', async () => {
  const total = async (band: string) =>
    (await json(`${server.address}/tasks?formulation=slot&band=${band}`, undefined, key)).body.total;
  const counts = [await total('easy'), await total('medium'), await total('hard')];
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(await total('easy,medium,hard')).toBe(counts.reduce((sum, each) => sum + each));
  for (const path of ['/tasks?band=easy', '/doors/nemo-gym/rows?band=easy']) {
    expect((await json(server.address + path)).body.code).toBe('HARNESS_ONLY');
  }
  const select = { band: 'easy', sample: 1 };
  expect((await json(`${server.address}/runs`, { select })).body.code).toBe('HARNESS_ONLY');
  expect((await json(`${server.address}/doors/openenv/reset`, { select })).body.code).toBe('HARNESS_ONLY');
});

describe('in an exam', () => {
  test('nothing begins, is listed or judged through a door without the key', async () => {
    const row = { sample_id: sample.sample_id };
    for (const [url, body] of [
      [`${at('ors', exam)}/rest/tasks`, { split: 'train' }],
      [`${at('ors', exam)}/create_session`, {}],
      [`${at('nemo-gym', exam)}/rows`],
      [`${at('nemo-gym', exam)}/seed_session`, row],
      [`${at('nemo-gym', exam)}/verify`, { ...row, response: { output: [] } }],
      [`${at('openenv', exam)}/reset`, {}],
      [`${exam.address}/doors/openenv/reset`, {}],
    ] as const) {
      expect((await json(url, body)).body.code, url).toBe('HARNESS_ONLY');
    }
    await expect(openSocket(at('openenv', exam))).rejects.toThrow('403');
  });

  test('whoever has the session only is told no reward, right or wrong', async () => {
    const seen: unknown[] = [];
    for (const answer of [sample.gold_answer, [['no']]]) {
      const base = at('ors', exam);
      const { id: sid } = readStream((await ask(`${base}/create_session`, {}, key)).text);
      const session = { 'x-session-id': sid };
      const spec = { task_spec: { sample_id: sample.sample_id } };
      expect((await json(`${base}/create`, spec, { ...key, ...session })).status).toBe(200);
      const input = { answer };
      const { text } = await ask(`${base}/rest/call`, { name: 'submit_answer', input }, session);
      seen.push(JSON.parse(readStream(text).result));
      expect((await json(`${exam.address}/runs/${sid}/verify`, {}, key)).body.mean).toBe(
        seen.length === 1 ? 1 : 0,
      );
      const reset = await json(`${at('openenv', exam)}/reset`, { sample_id: sample.sample_id }, key);
      const { episode_id } = reset.body.observation;
      const action = { type: 'call_tool', tool_name: 'submit_answer', arguments: input };
      seen.push((await json(`${at('openenv', exam)}/step`, { action, episode_id })).body);
    }
    expect(seen.slice(0, 2)).toEqual(seen.slice(2));
    expect(seen[0]).toMatchObject({ output: { reward: null, metadata: null } });
    expect(seen[1]).toMatchObject({ reward: null, done: true });
  });
});
