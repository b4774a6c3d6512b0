import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import {
  ask,
  type Door,
  expectSameEpisodes,
  handlesIn,
  json,
  key,
  type Player,
  useDoors,
} from '../testing/doors.ts';

const doors = useDoors('openenv');

describe('OpenEnv', () => {
  test("passes OpenEnv's validation of a running server", async () => {
    const base = doors.at;
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

  test('a connection answers messages in order, and rejects invalid ones', async () => {
    const socket = await openSocket(doors.at);
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

  test('plays the same episodes as plain HTTP, over HTTP and over a WebSocket', async () => {
    await expectSameEpisodes(doors, openenvHttp(doors.at), openenvSocket(doors.at));
  });

  test('requires the key for bands and, in an exam, for everything', async () => {
    for (const [url, body] of [
      [`${doors.server.address}/doors/openenv/reset`, { select: { band: 'easy', sample: 1 } }],
      [`${doors.examAt}/reset`, {}],
      [`${doors.exam.address}/doors/openenv/reset`, {}],
    ] as const) {
      expect((await json(url, body)).body.code, url).toBe('HARNESS_ONLY');
    }
    await expect(openSocket(doors.examAt)).rejects.toThrow('403');
  });

  test("reports no reward, right or wrong, to a client with only the episode's id", async () => {
    const { sample_id, gold_answer } = doors.sample;
    const seen: unknown[] = [];
    for (const answer of [gold_answer, [['no']]]) {
      const { episode_id } = (await json(`${doors.examAt}/reset`, { sample_id }, key)).body.observation;
      const action = { type: 'call_tool', tool_name: 'submit_answer', arguments: { answer } };
      seen.push((await json(`${doors.examAt}/step`, { action, episode_id })).body);
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]).toMatchObject({ reward: null, done: true });
  });
});

const observed = z.strictObject({
  observation: z.record(z.string(), z.unknown()),
  reward: z.number().nullable(),
  done: z.boolean(),
});
const resetObservation = z.looseObject({ prompt: z.string(), episode_id: z.string() });
const callObservation = z.strictObject({
  tool_name: z.string(),
  result: z.unknown(),
  error: z.strictObject({ error_type: z.string(), message: z.string() }).nullable(),
});

function playerOf(
  prompt: string,
  take: (action: object) => Promise<z.infer<typeof observed>>,
  close = () => {},
): Player {
  const call = async (tool_name: string, args: unknown) => {
    const taken = await take({ type: 'call_tool', tool_name, arguments: args });
    const { result, error } = callObservation.parse(taken.observation);
    return { ...taken, value: error ? JSON.parse(error.message) : result };
  };
  return {
    startTables: handlesIn(prompt),
    call: async (name, args) => (await call(name, args)).value,
    async finish(answer) {
      const { reward, done } = await call('submit_answer', { answer });
      if (!done) throw new Error('the answer did not end the episode');
      return z.number().parse(reward);
    },
    close,
  };
}

function openenvHttp(address: string): Door {
  return async (sample_id) => {
    const reset = observed.parse(JSON.parse((await ask(`${address}/reset`, { sample_id })).text));
    const { prompt, episode_id } = resetObservation.parse(reset.observation);
    return playerOf(prompt, async (action) =>
      observed.parse(JSON.parse((await ask(`${address}/step`, { action, episode_id })).text)),
    );
  };
}

/** Sends messages over a WebSocket, awaiting the answer to each. */
async function openSocket(address: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/ws`, { headers });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const send = (message: object | string) =>
    new Promise<{ readonly type: string; readonly data: unknown }>((resolve) => {
      socket.once('message', (data) => resolve(JSON.parse(String(data))));
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    });
  return { send, close: () => socket.close() };
}

function openenvSocket(address: string): Door {
  return async (sample_id) => {
    const socket = await openSocket(address);
    const reset = observed.parse((await socket.send({ type: 'reset', data: { sample_id } })).data);
    const { prompt } = resetObservation.parse(reset.observation);
    const take = async (data: object) => observed.parse((await socket.send({ type: 'step', data })).data);
    return playerOf(prompt, take, socket.close);
  };
}
