import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { type OpenedFarm, openFarmAccess } from '../../cli/run/farm-access.ts';
import { type OpenFarm, openFarm } from '../../cli/score/open-farm.ts';
import type { AssistantPart } from '../../runner/models/model.ts';
import { hybridFarm } from '../support/hybrid-farm.ts';
import { type Asked, type ModelServer, startModelServer } from '../support/model-server/model-server.ts';
import { runCellOn } from '../support/run-cell-on.ts';

process.env.OPENAI_API_KEY ??= 'k';

let farm: OpenedFarm;
let open: OpenFarm;
let server: ModelServer;
let asked: Asked[] = [];

/** What a model has read: all texts of its prompt. */
const read = ({ prompt }: Asked) => JSON.stringify(prompt);
const call = (name: string, args: object): AssistantPart => ({
  kind: 'call',
  id: `call-${name}`,
  name,
  arguments: JSON.stringify(args),
});
const text = (said: string): AssistantPart => ({ kind: 'text', text: said });

/** Reads the tables of the prompt, and proposes to read the first hidden one. */
function inner(question: Asked): AssistantPart[] {
  if (!read(question).includes('You choose calls')) return [text('```sql\nSELECT 8 AS n\n```')];
  const [name = ''] = /get_(author|book|loan)/.exec(read(question)) ?? [];
  return [text(`It is one call.\n[{"name": "${name}", "arguments": {"limit": 2}}]`)];
}

/** Asks for SQL, then for a proposal, which it carries out and whose result it names. */
function outer({ prompt }: Asked): AssistantPart[] {
  const messages = 'messages' in prompt ? prompt.messages : [];
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
  if (results.length === 0) return [call('text2sql', { question: 'How many books are there?' })];
  if (results.length === 1) return [call('propose_call', { question: 'Which others are there?' })];
  const [proposed] = JSON.parse(results[1]?.text ?? '[]') as object[];
  if (results.length === 2) return [call('execute_api', proposed ?? {})];
  return [text('"$call_2$"')];
}

/** The same as text. */
function outerReact({ prompt }: Asked): AssistantPart[] {
  const said = 'messages' in prompt ? JSON.stringify(prompt.messages) : prompt.text;
  // The template has one of its own.
  const done = said.split('Observation: ').length - 2;
  const [, proposed = '{}'] = /Observation: \[(\{.*?\}\})\]/.exec(said) ?? [];
  const steps = [
    'text2sql\nAction Input: {"question": "How many books are there?"}',
    'propose_call\nAction Input: {"question": "Which others are there?"}',
    `execute_api\nAction Input: ${proposed.replaceAll('\\"', '"')}`,
  ];
  const step = steps[done];
  return [text(step === undefined ? ' I know.\nFinal Answer: "$call_2$"' : ` One more.\nAction: ${step}`)];
}

beforeAll(async () => {
  const folder = await hybridFarm();
  [farm, open] = [await openFarmAccess(folder, {}), await openFarm(folder)];
  server = await startModelServer((question) => {
    asked.push(question);
    if (question.body.model === 'inner') return inner(question);
    return question.tools.length > 0 ? outer(question) : outerReact(question);
  });
});
afterAll(async () => {
  await server.stop();
  await open.close();
  await farm.close();
});

// rookery run hybrid-farm --agent agentic --model openai/gpt-4o --inner-model vllm/Salesforce/Llama-xLAM-2-8b-fc-r --inner-base-url http://127.0.0.1:8000/v1 --formulation hybrid --out runs/two-models
test.each(['agentic', 'agentic-react'])(
  'SQL and proposals are left to a model of their own: %s',
  async (agent) => {
    asked = [];
    const { records } = await runCellOn(farm, open, {
      agent,
      model: 'openai/outer',
      base_url: server.address,
      inner_model: 'openai/inner',
      inner_base_url: server.address,
      formulation: 'hybrid',
      select: { all: true, sample: 1, share: ['40-3'] },
    });
    const [record] = records;
    expect(record?.error).toBeNull();
    expect(record?.made.map(({ name, ok }) => [name, ok])).toEqual([
      ['execute_sql', true],
      [expect.stringMatching(/^get_/), true],
    ]);
    expect(record?.made[0]?.answer).toContain('"n":8');
    expect(record?.answer).toHaveLength(2);
    expect(record?.turns.map((turn) => turn.inner ?? false)).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
    ]);
    expect(record?.loops).toBe(4);
    expect(record?.input_tokens).toBe(record?.turns.reduce((sum, { usage }) => sum + (usage.input ?? 0), 0));
    const sql = asked.find((each) => each.body.model === 'inner');
    const hidden = record?.made[1]?.name.replace('get_', '') ?? '';
    const tables = sql ? read(sql) : '';
    expect(tables).toMatch(/\\n(author|book|loan)\(/);
    expect(tables).not.toContain(`\\n${hidden}(`);
  },
);

test('an experiment gives it to the agents that have one; others are refused it', async () => {
  const config = { model: 'mock/gold', inner_model: 'openai/inner', formulation: 'hybrid' } as const;
  const select = { all: true, sample: 1 };
  const { header } = await runCellOn(farm, open, { ...config, agent: 'declarative', select });
  expect(header.config.inner_model).toBeNull();
  const args = ['run', 'farm', '--agent', 'tools', '--model', 'mock/gold', '--inner-model', 'openai/x'];
  await expect(
    createProgram(args).then((program) => program.parseAsync(args, { from: 'user' })),
  ).rejects.toThrow('is for the agents agentic and agentic-react');
});
