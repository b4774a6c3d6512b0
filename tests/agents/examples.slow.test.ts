import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { farmScorer } from '../../cli/score/farm-scorer.ts';
import { Rookery } from '../../client/index.ts';
import { assembleAnswer, mapReferences } from '../../contracts/answer-rows.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import type { Sample } from '../../contracts/sample.ts';
import { toolAnswer } from '../../contracts/tools.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import type { AssistantPart } from '../../runner/models/model.ts';
import { type RunningServer, SqliteRuns, startServer } from '../../services/index.ts';
import { inTurn } from '../support/extent.ts';
import { farmOf } from '../support/farms.ts';
import {
  type Asked,
  type ModelFault,
  type ModelServer,
  startModelServer,
} from '../support/model-server/model-server.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const folder = scratchFolder();
const harnessKey = 'the-key-of-these-examples';
let server: RunningServer;
let samples: readonly Sample[];
let model: ModelServer;
let farm: Rookery;

beforeAll(async () => {
  const path = await farmOf('bundled');
  samples = readFarm(path).samples;
  server = await startServer(path, {
    port: 0,
    logger: false,
    agents: { runs: { place: join(folder, 'runs.sqlite') }, ...farmScorer(path), harnessKey },
  });
  farm = new Rookery(server.address, { harnessKey });
  model = await startModelServer(say);
});
afterAll(async () => {
  await model?.stop();
  await server?.stop();
});

/**
 * The model of the script makes the gold calls of whichever question it reads, one a turn, first with a slip that it
 * corrects, then gives the rows: as text, or by the tool for it where there is one.
 */
function say({ prompt, tools: offered }: Asked): readonly AssistantPart[] | ModelFault {
  const tools = offered.map(({ name }) => name);
  const messages = 'messages' in prompt ? prompt.messages : [];
  const told = messages.map((message) => ('text' in message ? message.text : '')).join('\n');
  const sample = samples.find(
    ({ input, output }) => told.includes(input) && output.every(({ name }) => tools.includes(name)),
  );
  if (!sample) return { fault: 'status', status: 500, body: 'the model was asked something else' };
  const answers = messages.flatMap((message) =>
    message.role === 'tool' ? message.results.map(({ text }) => JSON.parse(text)) : [],
  );
  const right = answers.slice(1);
  if (answers.length === 0) return callTool(sample.output[0]?.name ?? '', { slip: true });
  const next = sample.output[right.length];
  if (next) {
    const handles = new Map<string, string>([['starting_table_var', /start_\w+/.exec(told)?.[0] ?? '']]);
    sample.output.forEach(({ label = '' }, i) => {
      if (right[i]) handles.set(label, right[i].handle);
    });
    const args = mapReferences(next.arguments, (label) =>
      handles.has(label) ? `$${handles.get(label)}$` : undefined,
    );
    return callTool(next.name, args);
  }
  if (!tools.includes('submit_answer'))
    return [{ kind: 'text', text: JSON.stringify(rowsOf(sample, right)) }];
  const done = right.length > sample.output.length;
  return done
    ? [{ kind: 'text', text: 'Done.' }]
    : callTool('submit_answer', { answer: rowsOf(sample, right) });
}

function callTool(name: string, args: unknown): readonly AssistantPart[] {
  return [{ kind: 'call', id: `c${name}`, name, arguments: JSON.stringify(args) }];
}

function rowsOf(sample: Sample, answers: readonly { data?: Record<string, unknown>[] }[]): unknown {
  if (sample.formulation === 'rest') return answers.at(-1)?.data?.map((row) => Object.values(row));
  return assembleAnswer(
    sample.output,
    answers.map((answer) => toolAnswer.parse(answer)),
  );
}

/** Runs an example to its end and gives what it printed. */
async function run(command: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const child = spawn(command, args, {
    cwd: packageRoot,
    env: {
      ...process.env,
      ROOKERY_URL: server.address,
      ROOKERY_HARNESS_KEY: harnessKey,
      OPENAI_BASE_URL: model.address,
      OPENAI_MODEL: 'scripted',
      ...env,
    },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code, err).toBe(0);
  return out;
}
const tsx = (file: string) => ['--import', 'tsx', '--conditions=source', join('examples', file)];

test('the OpenAI-compatible loop answers a sample of tasks, and its batch has a score', async () => {
  for (const FORMULATION of inTurn(1, ['rest', 'slot'])) {
    const out = await run(process.execPath, tsx('openai-loop.ts'), { SAMPLE: '3', FORMULATION });
    const batch = /batch (\w+)/.exec(out)?.[1];
    const score = await farm.get<Score>(`/runs/${batch}/score`);
    expect(score.ledger).toMatchObject({ pass: 3, total: 3 });
    expect(score.samples.every(({ loops, calls }) => loops === (calls ?? 0) + 1)).toBe(true);
  }
});

test('the MCP agent answers by the tool for it', async () => {
  for (const formulation of inTurn(1, ['rest', 'sel'] as const)) {
    const sample = samples.find((each) => each.formulation === formulation) as Sample;
    const { base } = await farm.run({ sample_id: sample.sample_id, agent: 'mcp-agent', answer_tool: true });
    const out = await run(process.execPath, tsx('mcp-agent.ts'), { MCP_URL: farm.address(`${base}/mcp`) });
    expect(out).toContain('Done.');
    expect((await farm.get<Score>(`${base}/score`)).ledger).toMatchObject({ pass: 1, total: 1 });
  }
});

test('the plain-HTTP agent in Python gets its score', async () => {
  const sample = samples.find(({ formulation }) => formulation === 'slot') as Sample;
  const out = await run('python3', ['examples/plain_http_agent.py', sample.sample_id], {});
  const [answer, score] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answer).toMatchObject({ status: 'answered', calls: sample.output.length + 1 });
  expect(score.ledger).toMatchObject({ pass: 1, total: 1 });
});

test('the training loop in Python draws as many episodes as wanted, and words alone earn something', async () => {
  const out = await run('python3', ['examples/train.py', '120'], {});
  const [, episodes, mean] = /^(\d+) episodes, mean reward ([\d.]+)\n$/.exec(out) ?? [];
  expect(episodes).toBe('120');
  expect(Number(mean)).toBeGreaterThan(0);
  expect(Number(mean)).toBeLessThan(1);
  const kept = SqliteRuns.read(join(folder, 'runs.sqlite'));
  expect([...kept.runs({ agent: 'train' })]).toEqual([]);
  kept.close();
});

test('in an exam the same agent needs the address of its run and nothing else', async () => {
  const path = await farmOf('bundled');
  const runs = { place: join(folder, 'exam.sqlite') };
  const agents = { runs, ...farmScorer(path), harnessKey, exam: true };
  const exam = await startServer(path, { port: 0, logger: false, agents });
  for (const formulation of ['rest', 'slot', 'sel'] as const) {
    const sample = samples.find((each) => each.formulation === formulation) as Sample;
    const given = await new Rookery(exam.address, { harnessKey }).run({ sample_id: sample.sample_id });
    const script = `unset ROOKERY_URL ROOKERY_HARNESS_KEY; exec python3 examples/plain_http_agent.py ${given.address}`;
    expect(JSON.parse(await run('sh', ['-c', script], {}))).toMatchObject({ status: 'answered' });
    expect((await given.score<Score>()).ledger).toMatchObject({ pass: 1, total: 1 });
  }
  await exam.stop();
});

interface Score {
  readonly ledger: Readonly<Record<string, number>>;
  readonly samples: readonly { readonly loops: number | null; readonly calls: number | null }[];
}
