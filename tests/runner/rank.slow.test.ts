import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import type { Sample } from '../../contracts/sample.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { farmOf } from '../support/farms.ts';
import { type Asked, type ModelScript, startModelServer } from '../support/model-server/model-server.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const TASKS = 4;
const KEY = 'RANK_TEST_JUDGE_KEY';
const MODELS = ['aster', 'birch', 'cedar'] as const;
const UNKNOWN = 'no_such_property';

const folder = scratchFolder();
let farm: string;
let files: string[];

beforeAll(async () => {
  farm = await farmOf('bundled');
  const samples = readFarm(farm).samples.filter(({ formulation }) => formulation === 'query');
  const wrong = ({ output }: Sample) =>
    output.map((call) => ({ ...call, arguments: { ...call.arguments, groupby_property: UNKNOWN } }));
  const callsOf = [() => [], wrong, ({ output }: Sample) => output];
  files = MODELS.map((model, i) => {
    const lines = samples
      .slice(0, TASKS)
      .map((sample) => ({ sample_id: sample.sample_id, calls: callsOf[i]?.(sample) }));
    const file = join(folder, `${model}.jsonl`);
    writeFileSync(file, [{ model }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  });
  vi.stubEnv(KEY, 'secret');
}, 600_000);

afterAll(() => vi.unstubAllEnvs());

/** `rookery rank` with a judge that follows a script, over the network of this machine. */
async function rank(script: ModelScript, ...more: readonly string[]) {
  const asked: Asked[] = [];
  const server = await startModelServer((request) => {
    asked.push(request);
    return script(request);
  });
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
    return server.stop();
  });
  const judge = ['--judge', 'openai/judge-1', '--base-url', server.address, '--api-key-from', KEY];
  const args = ['rank', farm, ...files, ...judge, ...more];
  await (await createProgram(args)).parseAsync(args, { from: 'user' });
  return { asked, printed: write.mock.calls.map(([text]) => String(text)).join('') };
}

/** What the judge is shown, in its order. */
function proposalsIn({ prompt }: Asked): string[] {
  const text = 'messages' in prompt ? prompt.messages.map((m) => ('text' in m ? m.text : '')).join('\n') : '';
  return [...text.matchAll(/^[A-Z]: (.*)$/gm)].map(([, calls = '']) => calls);
}

const ranks = (of: readonly number[]) => [
  {
    kind: 'text' as const,
    text: JSON.stringify({ why: 'so', ranks: Object.fromEntries(of.map((rank, i) => ['ABC'[i], rank])) }),
  },
];
const placeOf = (calls: string) => (calls === '(no call)' ? 3 : calls.includes(UNKNOWN) ? 2 : 1);
const rowOf = (printed: string, model: string, table: string) =>
  printed
    .slice(printed.indexOf(table))
    .split('\n')
    .find((line) => line.startsWith(model))
    ?.split(/ {2,}/);

test('a judge that sees what is right agrees with execution, and is asked in both orders, without names', async () => {
  const out = join(folder, 'ranks.jsonl');
  const { asked, printed } = await rank((request) => ranks(proposalsIn(request).map(placeOf)), '--out', out);
  expect(asked).toHaveLength(2 * TASKS);
  const shown = asked.map(proposalsIn);
  for (const order of shown) {
    expect(order).toHaveLength(3);
    expect(shown).toContainEqual([...order].reverse());
  }
  for (const { body, headers, wire } of asked) {
    expect([wire, headers.authorization]).toEqual(['chat', 'Bearer secret']);
    expect(body).toMatchObject({ model: 'judge-1', response_format: { type: 'json_object' } });
    for (const model of MODELS) expect(JSON.stringify(body)).not.toContain(model);
  }
  for (const table of ['By execution', 'By the judge']) {
    expect(rowOf(printed, 'cedar', table)).toEqual(['cedar', String(100 * TASKS), '100.0 %']);
  }
  expect(rowOf(printed, 'birch', 'By the judge')?.[1]).toBe(String(70 * TASKS));
  expect(printed).toContain(`over ${TASKS} tasks where both tell predictions apart`);
  const lines = readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ ranks_by_judge }) => ranks_by_judge)).toEqual(Array(TASKS).fill([3, 2, 1]));
});

test('a judge that prefers what stands first is found out', async () => {
  const { printed } = await rank(
    (request) => ranks(proposalsIn(request).map((_, i) => i + 1)),
    '--sample',
    '2',
  );
  expect(printed).toContain('Who is shown first is ranked 1.00 places better than the mean');
  expect(printed).toContain('(Spearman): unknown over 0 tasks');
});

test('a provider that is busy is asked again, and a reply that cannot be read is left out', async () => {
  const busy = { fault: 'status', status: 503, headers: { 'retry-after': '0' } } as const;
  let [isFirst, unread] = [true, 0];
  const { printed } = await rank((request) => {
    if (isFirst) {
      isFirst = false;
      return busy;
    }
    return unread++ === 0
      ? [{ kind: 'text', text: 'I cannot say.' }]
      : ranks(proposalsIn(request).map(placeOf));
  });
  expect(printed).toContain(
    `over ${TASKS - 1} tasks where both tell predictions apart; 1 replies could not be read`,
  );
});

test('a judge that refuses the key ends the command with what it said', async () => {
  const refused = { fault: 'status', status: 401, body: '{"error":{"message":"no such key"}}' } as const;
  await expect(rank(() => refused)).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
});
