import { afterEach, expect, test } from 'vitest';
import {
  type ModelScript,
  type ModelServer,
  startModelServer,
} from '../../tests/support/model-server/model-server.ts';
import { ModelError } from './failures.ts';
import { type Decoding, type Model, type ModelRequest, NO_USAGE } from './model.ts';
import { dropRefusedSettings, openModel } from './open-model.ts';

let server: ModelServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const REQUEST: ModelRequest = {
  prompt: {
    messages: [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Weather?' },
      {
        role: 'assistant',
        parts: [{ kind: 'call', id: 'a1', name: 'weather', arguments: '{"city": "Bonn"' }],
      },
      { role: 'tool', results: [{ id: 'a1', name: 'weather', text: 'broken arguments', failed: true }] },
    ],
  },
  tools: [
    { name: 'weather', description: 'Tells the weather.', parameters: { type: 'object', properties: {} } },
  ],
  decoding: { temperature: 0, max_tokens: 50, stop: ['END'] },
  origin: { sampleId: 's', epoch: 0, turn: 0, format: 'tools', due: [], offeredCall: (call) => call },
};

const PROVIDERS = ['openai', 'openai-responses', 'anthropic', 'google', 'vllm', 'mistral'] as const;

async function ask(provider: string, script: ModelScript, request: ModelRequest = REQUEST) {
  server = await startModelServer(script);
  const model = await openModel(
    { model: `${provider}/scripted`, baseUrl: server.address },
    {
      OPENAI_API_KEY: 'key-1',
      ANTHROPIC_API_KEY: 'key-1',
      GOOGLE_GENERATIVE_AI_API_KEY: 'key-1',
      MISTRAL_API_KEY: 'key-1',
    },
  );
  return model.complete(request, new AbortController().signal);
}

test.each(PROVIDERS)('%s: calls, usage and the model that answered come back', async (provider) => {
  const completion = await ask(provider, () => [
    { kind: 'call', id: 'c1', name: 'weather', arguments: '{"city":"Bonn"}' },
  ]);
  expect(completion.parts.filter(({ kind }) => kind === 'call')).toMatchObject([
    { name: 'weather', arguments: '{"city":"Bonn"}' },
  ]);
  expect(completion).toMatchObject({ stop: 'calls', model: 'scripted-1', usage: { input: 120, output: 15 } });
});

test.each(PROVIDERS)(
  '%s: broken arguments in the history go out as valid JSON, and the result tells',
  async (provider) => {
    const seen: string[] = [];
    await ask(provider, ({ body }) => {
      seen.push(JSON.stringify(body));
      return [{ kind: 'text', text: 'Done.' }];
    });
    expect(seen[0]).toContain('broken arguments');
    expect(seen[0]).not.toContain('\\"Bonn\\"');
  },
);

test('a call with broken arguments keeps the model’s text', async () => {
  const { parts } = await ask('openai', () => [
    { kind: 'call', id: 'c1', name: 'weather', arguments: '{"city": "Bo' },
  ]);
  expect(parts).toMatchObject([{ kind: 'call', arguments: '{"city": "Bo' }]);
});

test('raw completions send the text verbatim', async () => {
  const seen: unknown[] = [];
  const text = '<|begin_of_text|>Question';
  const completion = await ask(
    'openai-completions',
    ({ body }) => {
      seen.push(body.prompt);
      return [{ kind: 'text', text: 'Answer' }];
    },
    { ...REQUEST, prompt: { text }, tools: [] },
  );
  expect(seen).toEqual([text]);
  expect(completion).toMatchObject({ parts: [{ kind: 'text', text: 'Answer' }], usage: { input: 120 } });
});

const failure =
  (status: number, body = '{"error":{"message":"no"}}', headers = {}): ModelScript =>
  () => ({
    fault: 'status',
    status,
    body,
    headers,
  });

test.each<[string, ModelScript, object]>([
  [
    '429',
    failure(429, undefined, { 'retry-after': '7' }),
    { kind: 'rate_limit', retryAfterMs: 7000, transient: true },
  ],
  [
    'an empty account',
    failure(429, '{"error":{"code":"insufficient_quota"}}'),
    { kind: 'quota', fatal: true },
  ],
  ['500', failure(500), { kind: 'overloaded', transient: true }],
  ['a wrong key', failure(401), { kind: 'unauthorized', fatal: true }],
  ['a model that is not there', failure(404), { kind: 'unknown_model', fatal: true }],
  [
    'too long a prompt',
    failure(400, '{"error":{"message":"maximum context length is 10"}}'),
    { kind: 'context_window' },
  ],
  [
    'a filter',
    failure(400, '{"error":{"code":"content_filter"}}'),
    { kind: 'content_filter', transient: false, fatal: false },
  ],
  ['a bad request', failure(400), { kind: 'bad_request', transient: false, fatal: false }],
  ['a redirect', failure(308, '', { location: 'https://b/v1' }), { kind: 'unreachable', fatal: true }],
  [
    'a model without tools',
    failure(400, '{"error":{"message":"x does not support tools"}}'),
    { kind: 'no_tools', fatal: true },
  ],
  ['a web page', failure(200, '<html>'), { kind: 'unreachable', fatal: true }],
  ['half an answer', () => ({ fault: 'cut' }), { transient: true }],
  ['no JSON', () => ({ fault: 'invalid_json' }), { kind: 'broken_answer', transient: true }],
])('%s is told as what it is, by chat and by completions', async (_, script, expected) => {
  await expect(ask('openai', script)).rejects.toMatchObject(expected);
  const text = { ...REQUEST, prompt: { text: 'x' }, tools: [] };
  await expect(ask('openai-completions', script, text)).rejects.toMatchObject(expected);
});

test.each([
  ['gpt-4o', 'MODEL_UNKNOWN'],
  ['nobody/gpt-4o', 'MODEL_UNKNOWN'],
  ['openai-compatible/x', 'MODEL_UNKNOWN'],
])('%s is refused with what to give instead', async (model, code) => {
  await expect(openModel({ model }, {})).rejects.toMatchObject({ code });
});

test.each(['openai', 'openai-completions'])(
  '%s: an address where nobody listens is told as that',
  async (provider) => {
    const { address, stop } = await startModelServer(() => []);
    await stop();
    const model = await openModel({ model: `${provider}/x`, baseUrl: address }, { OPENAI_API_KEY: 'k' });
    const asked = model.complete(
      { ...REQUEST, prompt: { text: 'x' }, tools: [] },
      new AbortController().signal,
    );
    await expect(asked).rejects.toMatchObject({
      kind: 'unreachable',
      fatal: true,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  },
);

const REPLY_SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const STRUCTURED: ModelRequest = {
  ...REQUEST,
  prompt: { messages: [{ role: 'user', text: 'Which city? Reply in JSON.' }] },
  tools: [],
  replySchema: REPLY_SCHEMA,
  decoding: { parallel_tool_calls: false },
};

test.each(PROVIDERS)(
  '%s: the schema of a reply is in the request, and nothing about calls',
  async (provider) => {
    const seen: string[] = [];
    await ask(
      provider,
      ({ body }) => {
        seen.push(JSON.stringify(body));
        return [{ kind: 'text', text: '{"city":"Bonn"}' }];
      },
      STRUCTURED,
    );
    expect(seen[0]).toMatch(/"city":\{"type":"string"/i);
    expect(seen[0]).not.toMatch(/parallel_tool_calls"/);
  },
);

test('falls back to JSON mode with a warning if a reply schema is rejected', async () => {
  const formats: unknown[] = [];
  const completion = await ask(
    'vllm',
    ({ body }) => {
      formats.push(body.response_format);
      return formats.length === 1
        ? {
            fault: 'status',
            status: 400,
            body: '{"error":{"message":"response_format json_schema is not supported"}}',
          }
        : [{ kind: 'text', text: '{"city":"Bonn"}' }];
    },
    STRUCTURED,
  );
  expect(formats).toMatchObject([{ type: 'json_schema' }, { type: 'json_object' }]);
  expect(completion.parts).toMatchObject([{ kind: 'text', text: '{"city":"Bonn"}' }]);
  expect(completion.warnings.join()).toContain('the schema or grammar of the reply');
});

/** Rejects these decoding parameters with the given messages. */
function picky(words: Partial<Record<keyof Decoding, string>>) {
  const asked: Decoding[] = [];
  const model: Model = {
    id: 'test/picky',
    transport: 'chat',
    constraints: [],
    complete: ({ decoding }) => {
      asked.push(decoding);
      const [, fault] = Object.entries(words).find(([name]) => name in decoding) ?? [];
      if (fault !== undefined) return Promise.reject(new ModelError('bad_request', `400: ${fault}`));
      const parts = [{ kind: 'text' as const, text: 'Done.' }];
      return Promise.resolve({
        parts,
        stop: 'stop',
        usage: NO_USAGE,
        model: null,
        fingerprint: null,
        warnings: [],
      });
    },
  };
  return { asked, model: dropRefusedSettings(model) };
}

const request = (decoding: Decoding): ModelRequest => ({
  prompt: { text: 'Question' },
  tools: [],
  decoding,
  origin: { sampleId: 's', epoch: 1, turn: 0, format: 'json_list', due: [], offeredCall: (call) => call },
});
const never = new AbortController().signal;

test('omits rejected parameters from then on, with a warning on each completion', async () => {
  const { asked, model } = picky({
    temperature: "Unsupported value: 'temperature' does not support 0 with this model.",
  });
  const first = await model.complete(request({ temperature: 0, seed: 1 }), never);
  const second = await model.complete(request({ temperature: 0, seed: 1 }), never);
  expect(asked).toEqual([{ temperature: 0, seed: 1 }, { seed: 1 }, { seed: 1 }]);
  for (const { warnings } of [first, second]) expect(warnings[0]).toContain('temperature');
  expect((await model.complete(request({ seed: 1 }), never)).warnings).toEqual([]);
});

test('keeps the temperature if it excludes top_p', async () => {
  const { asked, model } = picky({ top_p: '`temperature` and `top_p` cannot both be specified' });
  await model.complete(request({ temperature: 0, top_p: 0.1 }), never);
  expect(asked.at(-1)).toEqual({ temperature: 0 });
});

test('rethrows other errors and invalid values', async () => {
  const { asked, model } = picky({ max_tokens: 'max_tokens is too large: this model supports at most 100' });
  await expect(model.complete(request({ max_tokens: 1000 }), never)).rejects.toThrow('too large');
  expect(asked).toHaveLength(1);
});
