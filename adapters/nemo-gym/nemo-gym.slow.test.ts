import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { turnsOf } from '../../services/agents/runs/user-calls.ts';
import type { ToolList } from '../../services/agents/toolsets/tool-list.ts';
import { ask, type Door, expectSameEpisodes, handlesIn, json, useDoors } from '../testing/doors.ts';
import { readRollout } from './nemo-gym.ts';

const doors = useDoors('nemo-gym');

describe('a resources server of NeMo Gym', () => {
  const answerOf = (answer: unknown) => ({
    output: [
      { type: 'reasoning', id: 'r', summary: [] },
      { type: 'function_call', name: 'submit_answer', arguments: JSON.stringify({ answer }), call_id: '1' },
      { type: 'function_call_output', call_id: '1', output: '{"status":"answered"}' },
    ],
  });

  test('verifies a stored rollout without a session, repeatably', async () => {
    const base = doors.at;
    expect(await json(`${base}/reverify_mode`)).toEqual({ status: 200, body: 'stateless' });
    const row = { sample_id: doors.sample.sample_id, _ng_task_index: 3 };
    const right = { ...row, response: answerOf(doors.sample.gold_answer) };
    const first = await json(`${base}/verify`, right);
    expect(first.body).toMatchObject({ ...right, reward: 1, reward_components: { completion: 1 } });
    expect(await json(`${base}/verify`, right)).toEqual(first);
    const words = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'no idea' }] };
    const wrong = await json(`${base}/verify`, { ...row, response: { output: [words] } });
    expect(wrong.body.reward).toBe(0);
    // A rollout without an answer.
    expect((await json(`${base}/verify`, { ...row, response: { output: [] } })).body.reward).toBe(0);
    const { body } = await json(`${base}/aggregate_metrics`, { verify_responses: [first.body, wrong.body] });
    expect(body.key_metrics).toMatchObject({ 'mean/reward': 0.5 });
    expect(body.group_level_metrics).toHaveLength(1);
  });

  test('needs a session for calls, and a row to start one', async () => {
    expect((await json(`${doors.at}/some_tool`, {})).body.detail).toContain('seed_session');
    expect((await json(`${doors.at}/seed_session`, {})).body.errors[0].field).toBe('sample_id');
  });

  test('plays the same episodes as plain HTTP', async () => {
    const rows = new Map<string, unknown>();
    for (const { dataset_name, formulation } of doors.samples) {
      const { text } = await ask(`${doors.at}/rows?db=${dataset_name}&formulation=${formulation}&all=true`);
      for (const line of text.trim().split('\n')) {
        const row = gymRow.parse(JSON.parse(line));
        rows.set(row.sample_id, row);
      }
    }
    await expectSameEpisodes(doors, nemoGym(doors.at, rows));
  });

  test('requires the key for bands and, in an exam, for everything', async () => {
    const row = { sample_id: doors.sample.sample_id };
    for (const [url, body] of [
      [`${doors.server.address}/doors/nemo-gym/rows?band=easy`],
      [`${doors.examAt}/rows`],
      [`${doors.examAt}/seed_session`, row],
      [`${doors.examAt}/verify`, { ...row, response: { output: [] } }],
    ] as const) {
      expect((await json(url, body)).body.code, url).toBe('HARNESS_ONLY');
    }
  });
});

const gymRow = z.looseObject({
  responses_create_params: z.looseObject({ input: z.array(z.looseObject({ content: z.string() })) }),
  sample_id: z.string(),
});

/** A NeMo Gym agent, which keeps cookies and assembles the response. */
function nemoGym(address: string, rows: ReadonlyMap<string, unknown>): Door {
  return async (sample_id) => {
    const row = gymRow.parse(rows.get(sample_id));
    const seeded = await ask(`${address}/seed_session`, row);
    if (seeded.status !== 200) throw new Error(seeded.text);
    const cookie = String(seeded.headers.get('set-cookie')).split(';')[0] ?? '';
    const output: object[] = [];
    const call = async (name: string, args: unknown) => {
      const call_id = `call_${output.length}`;
      output.push({ type: 'function_call', name, arguments: JSON.stringify(args), call_id });
      const { text } = await ask(`${address}/${name}`, args, { cookie });
      output.push({ type: 'function_call_output', call_id, output: text });
      return JSON.parse(text);
    };
    return {
      startTables: handlesIn(row.responses_create_params.input[0]?.content ?? ''),
      call,
      async finish(answer) {
        await call('submit_answer', { answer });
        const { text } = await ask(`${address}/verify`, { ...row, response: { output } }, { cookie });
        return z.looseObject({ reward: z.number() }).parse(JSON.parse(text)).reward;
      },
      close() {},
    };
  };
}

test('in a dialogue each call of submit_answer answers a turn', () => {
  const task = { user: { temperament: 'plain', slots: [] } };
  const list = {
    source: { formulation: 'rest', task },
    isSearch: () => false,
    tryRealCall: (name: string, args: unknown) => ({ name, arguments: args }),
  } as unknown as ToolList;
  const said = [
    'get_boats {"port":"Lisbon"}',
    'submit_answer {"answer":[["Sea"]]}',
    'submit_answer {"answer":"two"}',
  ];
  const output = said.map((text, i) => ({
    type: 'function_call' as const,
    call_id: `${i}`,
    name: text.split(' ')[0] ?? '',
    arguments: text.slice(text.indexOf(' ') + 1),
  }));
  const { calls, answer } = readRollout(output, list);
  expect(answer).toEqual({ answer: null });
  expect(turnsOf(calls).map((turn) => [turn.calls.map(({ tool }) => tool), turn.answer])).toEqual([
    [['get_boats'], [['Sea']]],
    [[], 'two'],
  ]);
});
