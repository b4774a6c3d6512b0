import { WebSocket } from 'ws';
import { z } from 'zod';

/** An episode as a trainer's client has it, whatever its protocol. */
export interface Player {
  /** Answers what the tool answered. */
  call(name: string, args: unknown): Promise<unknown>;
  /** Hands in the answer; answers what the episode is worth. */
  finish(answer: unknown): Promise<number>;
  readonly startTables: readonly string[];
  close(): void;
}

/** Plays by one protocol, with nothing but its messages. */
export type Door = (sampleId: string) => Promise<Player>;

/** The handles that a prompt tells to begin from. */
function handlesIn(prompt: string): string[] {
  return [...prompt.matchAll(/`([A-Za-z_]\w*_[0-9a-f]{12})`/g)].map(([, handle]) => handle ?? '');
}

export async function ask(url: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

/** The result that a stream of the Open Reward Standard ends with, and the id of its call. */
export function readStream(text: string): { readonly id: string; readonly result: string } {
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

/** A client of the Open Reward Standard. */
export function ors(address: string, headers: Record<string, string> = {}): Door {
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

const gymRow = z.looseObject({
  responses_create_params: z.looseObject({ input: z.array(z.looseObject({ content: z.string() })) }),
  sample_id: z.string(),
});

/** An agent of NeMo Gym, which keeps the cookies that it is given and puts the response together. */
export function nemoGym(address: string, rows: ReadonlyMap<string, unknown>): Door {
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

/** A client of OpenEnv over HTTP. */
export function openenvHttp(address: string): Door {
  return async (sample_id) => {
    const reset = observed.parse(JSON.parse((await ask(`${address}/reset`, { sample_id })).text));
    const { prompt, episode_id } = resetObservation.parse(reset.observation);
    return playerOf(prompt, async (action) =>
      observed.parse(JSON.parse((await ask(`${address}/step`, { action, episode_id })).text)),
    );
  };
}

/** Sends messages over a WebSocket and waits for the answer to each. */
export async function openSocket(address: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/ws`, { headers });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const send = (message: object | string) =>
    new Promise<{ readonly type: string; readonly data: unknown }>((resolve) => {
      socket.once('message', (data) => resolve(JSON.parse(String(data))));
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    });
  return { send, close: () => socket.close() };
}

/** A client of OpenEnv over its WebSocket. */
export function openenvSocket(address: string): Door {
  return async (sample_id) => {
    const socket = await openSocket(address);
    const reset = observed.parse((await socket.send({ type: 'reset', data: { sample_id } })).data);
    const { prompt } = resetObservation.parse(reset.observation);
    const take = async (data: object) => observed.parse((await socket.send({ type: 'step', data })).data);
    return playerOf(prompt, take, socket.close);
  };
}
