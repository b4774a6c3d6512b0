import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFormat } from '../../contracts/api.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { ANSWER_FORMAT } from '../../contracts/prediction.ts';
import { AGENT_NAMES, findAgent } from '../../runner/agents/find-agent.ts';
import { submitAnswerTool } from '../../services/agents/mcp/submit-answer.ts';
import { hybridFarm } from '../support/hybrid-farm.ts';
import { startModelServer } from '../support/model-server/model-server.ts';
import { servedFarm } from '../support/served-farm.ts';

process.env.OPENAI_API_KEY ??= 'k';
const served = servedFarm({ make: hybridFarm });

/** Agents whose model replies with SQL or a program: its rows are the answer, which no words of the model are. */
const BY_CODE = ['nl2sql', 'declarative', 'declarative2', 'imperative'];

/** Packs whose prompts ask for calls, SQL or a program, never for an answer. */
const PACKS_WITHOUT_ANSWER = ['vocabulary', 'databricks', 'live-api-bench', 'nfcl', 'nl2sql'];

describe('whoever is to answer is told how, in the same three lines', () => {
  test.each(AGENT_NAMES)('the model of --agent %s', async (name) => {
    const { needsModel, answersByCalls, formulations } = await findAgent(name);
    if (!needsModel || answersByCalls || BY_CODE.includes(name)) return;
    const asked: string[] = [];
    const server = await startModelServer(({ body }) => {
      asked.push(JSON.stringify(body));
      return [{ kind: 'text', text: name.includes('react') ? 'Final Answer: [[1]]' : '[[1]]' }];
    });
    await served.run({
      agent: name,
      model: 'openai/scripted',
      base_url: server.address,
      formulation: formulations?.[0] ?? 'rest',
      select: { sample: 1, all: true },
    });
    await server.stop();
    expect(asked.length).toBeGreaterThan(0);
    for (const body of asked) expect(body).toContain(JSON.stringify(ANSWER_FORMAT).slice(1, -1));
  });

  test.each(listFormat.options)('a list of the tools of a task, as %s', async (format) => {
    const { client } = served.farm;
    const page = await client.get<{ tasks: { links: { tools: string } }[] }>(
      '/tasks?formulation=slot&limit=1&all=true',
    );
    const list = await client.get<object>(`${page.tasks[0]?.links.tools}?format=${format}`);
    expect(JSON.stringify(list)).toContain(JSON.stringify(ANSWER_FORMAT).slice(1, -1));
  });

  test('the tool that hands in an answer, over MCP and at the doors of trainers', () => {
    expect(submitAnswerTool.description).toContain(ANSWER_FORMAT);
  });

  test('every prompt of every pack, but those that ask for calls, SQL or a program', () => {
    const folder = join(packageRoot, 'prompts');
    const prompts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.txt'))
      .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
    const withoutFormat = prompts.filter(({ text }) => !text.includes('{answer_format}'));
    expect(withoutFormat.length).toBeLessThan(prompts.length);
    for (const { file, text } of withoutFormat) {
      expect(PACKS_WITHOUT_ANSWER, `${file} lacks {answer_format}`).toContain(dirname(file));
      expect(text, `${file} asks for an answer`).not.toMatch(/final answer/i);
    }
  });

  test('the lines are what the documentation says of the strict form', () => {
    expect(ANSWER_FORMAT.split('\n')).toHaveLength(3);
    const docs = readFileSync(join(packageRoot, 'docs/scoring.md'), 'utf8');
    for (const said of [
      'JSON rows',
      'one inner list a row',
      'in the order asked',
      'null',
      'four significant',
      '{"unanswerable": ',
      '{"clarify": ',
    ]) {
      expect(ANSWER_FORMAT).toContain(said);
      expect(docs).toContain(said);
    }
  });

  test.each([
    'examples/openai-loop.ts',
    'examples/plain_http_agent.py',
    'adapters/verifiers/rookery_verifiers.py',
    'adapters/verifiers/rookery_taskset.py',
  ])('%s, which takes them from the farm', (file) => {
    expect(readFileSync(join(packageRoot, file), 'utf8')).toContain('answer_format');
  });
});
