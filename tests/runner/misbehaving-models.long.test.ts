import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { EXIT, reportError } from '../../cli/terminal.ts';
import { report as reportSchema } from '../../eval/metrics/report.ts';
import type { AssistantPart } from '../../runner/models/model.ts';
import { farmOfDomains } from '../support/farms.ts';
import {
  type Asked,
  type ModelFault,
  type ModelScript,
  startModelServer,
} from '../support/model-server/model-server.ts';
import { writeWire } from '../support/model-server/wire-reply.ts';
import { runFolder } from '../support/run-cell-on.ts';

const SAMPLES = 2;
let farm: string;
beforeAll(async () => {
  farm = await farmOfDomains('vet_clinics');
}, 600_000);

const text = (words: string): AssistantPart[] => [{ kind: 'text', text: words }];
const call = (name: string, args: string, id = 'a'): AssistantPart => ({
  kind: 'call',
  id,
  name,
  arguments: args,
});
const tool = ({ tools }: Asked) => tools[0]?.name ?? '';
const hasResults = ({ prompt }: Asked) =>
  'messages' in prompt && prompt.messages.some(({ role }) => role === 'tool');

/** An answer of the chat API as it should be, and changed. */
const answer = (parts: readonly AssistantPart[], message: object = {}, choice: object = {}): string => {
  const body = JSON.parse(JSON.stringify(writeWire('chat', parts)));
  Object.assign(body.choices[0], choice);
  Object.assign(body.choices[0].message, message);
  return JSON.stringify(body);
};
const body = (written: string, more: object = {}): ModelFault => ({ fault: 'body', body: written, ...more });
const status = (code: number, headers: Record<string, string> = {}, words = 'no'): ModelFault => ({
  fault: 'status',
  status: code,
  headers,
  body: JSON.stringify({ error: { message: words } }),
});
/** Fails so often for each attempt, and then answers. */
const atFirst = (times: number, fault: ModelFault): ModelScript => {
  let failed = 0;
  return () => (failed++ < times ? fault : text('[[1]]'));
};

interface Expected {
  /** How attempts end; none is recorded where the run cannot go on. */
  readonly ended_by?: string;
  readonly code?: number;
  /** What the run says. */
  readonly says?: RegExp;
}

const WAYS: readonly (readonly [string, () => ModelScript, Expected])[] = [
  ['answers slowly', () => () => body(answer(text('[[1]]')), { afterMs: 300 }), { ended_by: 'answer' }],
  [
    'never answers',
    () => () => ({ fault: 'hang' }),
    { ended_by: 'error', says: /timeout: no answer within 1 s/ },
  ],
  ['closes in the middle of a body', () => () => ({ fault: 'cut' }), { ended_by: 'error' }],
  [
    'writes invalid JSON',
    () => () => ({ fault: 'invalid_json' }),
    { ended_by: 'error', says: /broken_answer/ },
  ],
  [
    'has another content type',
    () => () => body(answer(text('[[1]]')), { contentType: 'text/plain' }),
    { ended_by: 'answer' },
  ],
  [
    'answers a web page',
    () => () => body('<html>', { contentType: 'text/html' }),
    { code: EXIT.usage, says: /MODEL_UNREACHABLE.*web page/ },
  ],
  [
    'has no choices',
    () => () => body('{"choices":[],"usage":{}}'),
    { ended_by: 'error', says: /broken_answer/ },
  ],
  ['has null for content', () => () => body(answer([])), { ended_by: 'empty' }],
  ['writes blanks only', () => () => text(' \n\t '), { ended_by: 'empty' }],
  ['writes a huge text', () => () => text('x'.repeat(8_000_000)), { ended_by: 'answer' }],
  [
    'has too many requests, and says until when',
    () => atFirst(2, status(429, { 'retry-after-ms': '20' })),
    { ended_by: 'answer' },
  ],
  ['has too many requests', () => atFirst(2, status(429)), { ended_by: 'answer' }],
  ['has too many requests for ever', () => () => status(429), { ended_by: 'error', says: /rate_limit/ }],
  [
    'has too many requests until tomorrow',
    () => () => status(429, { 'retry-after': '86400' }),
    { ended_by: 'error', says: /86400 s/ },
  ],
  ['fails, and is well again', () => atFirst(2, status(500)), { ended_by: 'answer' }],
  [
    'is overloaded',
    () => () => status(503, { 'retry-after': '0' }),
    { ended_by: 'error', says: /overloaded/ },
  ],
  ['knows no such key', () => () => status(401), { code: EXIT.usage, says: /MODEL_REFUSED/ }],
  [
    'knows no such model',
    () => () => status(404, {}, 'no model scripted'),
    { code: EXIT.usage, says: /no model scripted/ },
  ],
  [
    'moved',
    () => () => status(308, { location: 'http://127.0.0.1:9/v1' }),
    { code: EXIT.usage, says: /moved to/ },
  ],
  [
    'is cut off at its greatest length',
    () => () => body(answer(text('[[1'), {}, { finish_reason: 'length' })),
    { ended_by: 'length' },
  ],
  [
    'is cut off before it says anything',
    () => () => body(answer([], {}, { finish_reason: 'length' })),
    { ended_by: 'length' },
  ],
  [
    'filters its answer',
    () => () => body(answer([], {}, { finish_reason: 'content_filter' })),
    { ended_by: 'content_filter' },
  ],
  [
    'filters the question',
    () => () => status(400, {}, 'content_filter: not this'),
    { ended_by: 'content_filter' },
  ],
  ['refuses', () => () => body(answer([], { refusal: 'I will not.' })), { ended_by: 'refused' }],
  [
    'has no room for the question',
    () => () => status(400, {}, 'maximum context length is 10'),
    { ended_by: 'context_window' },
  ],
  ['writes broken arguments', () => (asked) => [call(tool(asked), '{"a": ')], { ended_by: 'loops' }],
  ['calls tools that are not there', () => () => [call('no_such_tool', '{}')], { ended_by: 'loops' }],
  [
    'calls nothing by name',
    () => (asked) => (hasResults(asked) ? text('[[1]]') : [call('', '{}')]),
    { ended_by: 'answer' },
  ],
  [
    'gives two calls one id',
    () => (asked) => (hasResults(asked) ? text('[[1]]') : [call(tool(asked), '{}'), call(tool(asked), '{}')]),
    { ended_by: 'answer' },
  ],
  ['writes garbage', () => () => text('\0\u0001\ud800 \u202e\ufffe "]}\u2028 $\0'), { ended_by: 'answer' }],
  [
    'calls with garbage',
    () => (asked) => (hasResults(asked) ? text('\0') : [call(tool(asked), '{"a\\u0000":"\\ud800"}', '\0')]),
    { ended_by: 'answer' },
  ],
  [
    'sends a byte at a time',
    () => () => body(answer(text('[[1]]')), { bytewise: true }),
    { ended_by: 'answer' },
  ],
  [
    'says nothing about usage',
    () => () => body(JSON.stringify({ ...JSON.parse(answer(text('[[1]]'))), usage: undefined })),
    { ended_by: 'answer' },
  ],
  ['answers nothing at all', () => () => body(''), { ended_by: 'error', says: /broken_answer/ }],
  [
    'resets connections that it kept',
    () =>
      ({ n }) =>
        n % 2 === 0 ? { fault: 'reset' } : text('[[1]]'),
    { ended_by: 'answer' },
  ],
];

/** A completion of 120 tokens costs as many. */
const UNIT = 120;

test.each(WAYS)('a model server that %s', async (way, script, { ended_by, says, code }) => {
  let paid = 0;
  const scripted = script();
  const server = await startModelServer((asked) => {
    const reply = scripted(asked);
    if (!('fault' in reply) || (reply.fault === 'body' && reply.body.includes('"prompt_tokens"'))) paid++;
    return reply;
  });
  const out = runFolder();
  const prices = join(out, 'prices.json');
  writeFileSync(prices, '{"scripted": {"input_per_million": 1000000, "output_per_million": 0}}');
  process.env.OPENAI_API_KEY ??= 'k';
  const { exit, said } = await rookery([
    ...['run', farm, '--model', 'openai/scripted', '--base-url', server.address, '--agent', 'tools'],
    ...[
      '--formulation',
      'rest',
      '--sample',
      String(SAMPLES),
      '--concurrency',
      '1',
      '--out',
      join(out, 'run'),
    ],
    ...['--max-retries', '2', '--retry-wait', '2', '--prices', prices],
    // A busy machine may take seconds for what a server does answer.
    ...['--request-timeout', way === 'never answers' ? '1' : '60'],
  ]);
  await server.stop();
  expect({ exit, said }).toEqual({
    exit: code ?? (ended_by === 'error' ? EXIT.stopped : EXIT.ok),
    said: says === undefined ? expect.anything() : expect.stringMatching(says),
  });
  const header = JSON.parse(readFileSync(join(out, 'run', 'run.json'), 'utf8'));
  expect(header.cost ?? 0).toBe(paid * UNIT);
  if (ended_by === undefined) return;
  const report = reportSchema.parse(JSON.parse(readFileSync(join(out, 'run', 'report.json'), 'utf8')));
  expect(
    report.samples.filter(({ outcome }) => outcome !== 'not_run').map((sample) => sample.ended_by),
  ).toEqual(Array(SAMPLES).fill(ended_by));
  expect(report.ledger).toMatchObject(
    ended_by === 'error' ? { infra_error: SAMPLES } : { infra_error: 0, pass: 0 },
  );
  // An ending is no error of the agent.
  for (const { error_class } of report.samples) expect(error_class === null).toBe(ended_by !== 'answer');
});

/** Runs the command in this process; gives its exit code and what it wrote. */
async function rookery(args: readonly string[]): Promise<{ exit: number; said: string }> {
  let said = '';
  const listen = (chunk: unknown) => {
    said += String(chunk);
    return true;
  };
  const streams = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(listen),
  );
  try {
    process.exitCode = undefined;
    await (await createProgram(args)).parseAsync([...args], { from: 'user' });
    return { exit: Number(process.exitCode ?? EXIT.ok), said };
  } catch (error) {
    const { exitCode, message } = reportError(error);
    return { exit: exitCode, said: said + message };
  } finally {
    process.exitCode = undefined;
    for (const stream of streams) stream.mockRestore();
  }
}
