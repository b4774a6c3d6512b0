import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  ask,
  type Door,
  expectSameEpisodes,
  handlesIn,
  harnessKey,
  json,
  key,
  useDoors,
} from '../testing/doors.ts';

const doors = useDoors('ors');

describe('the Open Reward Standard', () => {
  test('lists its environments', async () => {
    expect(await json(`${doors.at}/health`)).toEqual({ status: 200, body: { status: 'ok' } });
    expect((await json(`${doors.at}/list_environments`)).body).toContain('slot');
    expect((await json(`${doors.at}/rest/splits`)).body).toEqual([
      { name: 'train', type: 'train' },
      { name: 'test', type: 'test' },
    ]);
    const { tools } = (await json(`${doors.at}/rest/tools`)).body;
    expect(tools.map((tool: object) => Object.keys(tool))).toEqual([['name', 'description', 'input_schema']]);
  });

  test('counts, lists and slices the tasks of disjoint splits', async () => {
    const tasks = async (path: string, body: object) => (await json(`${doors.at}/rest/${path}`, body)).body;
    const all = await tasks('tasks', { split: 'train' });
    expect(all.env_name).toBe('rest');
    expect(await tasks('num_tasks', { split: 'train' })).toEqual({ num_tasks: all.tasks.length });
    expect((await tasks('task', { split: 'train', index: 1 })).task).toEqual(all.tasks[1]);
    expect((await tasks('task_range', { split: 'train', start: -2 })).tasks).toEqual(all.tasks.slice(-2));
    expect(all.tasks[0].canary).toMatch(/^rookery-canary [0-9a-f]{32}$/);
    const held = await tasks('tasks', { split: 'test' });
    const ids = [...all.tasks, ...held.tasks].map(({ sample_id }) => sample_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await json(`${doors.at}/rest/tasks`, { split: 'validation' })).status).toBe(400);
    expect((await json(`${doors.at}/soap/splits`)).status).toBe(404);
  });

  test('a session lasts from create to delete, and a lost stream can be resumed', async () => {
    const base = doors.at;
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

  test('plays the same episodes as plain HTTP, below a path too, with the key in the header of the standard', async () => {
    const byPath = ors(`${doors.server.address}/doors/ors`, { 'x-api-key': harnessKey });
    await expectSameEpisodes(doors, ors(doors.at), byPath);
  });

  test('requires the key to start or list anything in an exam', async () => {
    const tasks = await json(`${doors.examAt}/rest/tasks`, { split: 'train' });
    expect(tasks.body.code).toBe('HARNESS_ONLY');
    expect((await json(`${doors.examAt}/create_session`, {})).body.code).toBe('HARNESS_ONLY');
  });

  test('reports no reward, right or wrong, to a client with only the session', async () => {
    const { sample_id, gold_answer } = doors.sample;
    const seen: unknown[] = [];
    for (const answer of [gold_answer, [['no']]]) {
      const { id: sid } = readStream((await ask(`${doors.examAt}/create_session`, {}, key)).text);
      const session = { 'x-session-id': sid };
      const spec = { task_spec: { sample_id } };
      expect((await json(`${doors.examAt}/create`, spec, { ...key, ...session })).status).toBe(200);
      const call = { name: 'submit_answer', input: { answer } };
      const { text } = await ask(`${doors.examAt}/rest/call`, call, session);
      seen.push(JSON.parse(readStream(text).result));
      const { body } = await json(`${doors.exam.address}/runs/${sid}/verify`, {}, key);
      expect(body.mean).toBe(seen.length === 1 ? 1 : 0);
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]).toMatchObject({ output: { reward: null, metadata: null } });
  });
});

/** The final result of an Open Reward Standard stream, and the id of its call. */
function readStream(text: string): { readonly id: string; readonly result: string } {
  let [id, result] = ['', ''];
  for (const block of text.split('\n\n')) {
    const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    if (event === 'task_id') id = data;
    else if (event === 'chunk' || event === 'end') result += data;
    else if (event === 'error') throw new Error(data);
  }
  return { id, result };
}

const orsResult = z.union([
  z.strictObject({
    ok: z.literal(true),
    output: z.strictObject({
      blocks: z
        .array(z.strictObject({ text: z.string(), detail: z.null(), type: z.literal('text') }))
        .length(1),
      metadata: z.record(z.string(), z.unknown()).nullable(),
      reward: z.number().nullable(),
      finished: z.boolean(),
    }),
  }),
  z.strictObject({ ok: z.literal(false), error: z.string() }),
]);

function ors(address: string, headers: Record<string, string> = {}): Door {
  return async (sample_id) => {
    const env = sample_id.split('/').at(-1);
    const { id: sid } = readStream((await ask(`${address}/create_session`, {}, headers)).text);
    const session = { ...headers, 'x-session-id': sid };
    const created = await ask(`${address}/create`, { env_name: env, task_spec: { sample_id } }, session);
    if (created.status !== 200) throw new Error(created.text);
    const [prompt] = z
      .array(z.looseObject({ text: z.string() }))
      .parse(JSON.parse((await ask(`${address}/${env}/prompt`, undefined, session)).text));
    const call = async (name: string, input: unknown) => {
      const { text } = await ask(`${address}/${env}/call`, { name, input }, session);
      return orsResult.parse(JSON.parse(readStream(text).result));
    };
    return {
      startTables: handlesIn(prompt?.text ?? ''),
      async call(name, args) {
        const result = await call(name, args);
        return JSON.parse(result.ok ? (result.output.blocks[0]?.text ?? '') : result.error);
      },
      async finish(answer) {
        const result = await call('submit_answer', { answer });
        if (!result.ok || !result.output.finished) throw new Error('the answer did not end the episode');
        return z.number().parse(result.output.reward);
      },
      close() {},
    };
  };
}
