import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../contracts/package-root.ts';
import type { Formulation } from '../../contracts/sample.ts';
import { readSuite } from '../../runner/experiment.ts';
import { inTurn, many } from '../support/extent.ts';
import { startGoldServer } from '../support/gold-server.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import { servedFarm } from '../support/served-farm.ts';

const FORMULATIONS: readonly Formulation[] = ['rest', 'slot', 'sel'];
const FAMILIES = ['llama', 'watt', 'deepseek', 'mixtral', 'qwen', 'granite', 'hammer', 'gpt'];

const FORMATS = readSuite('bfcl-formats').runs.flatMap(({ vary }) => vary?.prompts as string[]);

const served = servedFarm({ withSplit: true });

const sample = many(4, 15);
const select = { sample, seed: 3 };

describe('a model that makes no mistake completes every task', () => {
  test.each(
    ['direct', 'tools', 'react', 'mcp', 'nl2sql', 'sql-react'].flatMap((agent, i) =>
      inTurn(i, FORMULATIONS).map((formulation) => ({ agent, formulation })),
    ),
  )('as $agent on $formulation', async ({ agent, formulation }) => {
    const { report } = await served.run({
      agent,
      model: 'mock/gold',
      formulation,
      select,
    });
    expect(report.ledger).toMatchObject({ pass: sample, fail: 0, unparseable: 0, infra_error: 0 });
  });

  test.each(
    FAMILIES.flatMap((family, i) => inTurn(i, FORMULATIONS).map((formulation) => ({ family, formulation }))),
  )('writing as $family does, on $formulation', async ({ family, formulation }) => {
    const prompts = `live-api-bench:${family}`;
    const transport = family === 'gpt' ? ('chat' as const) : ('completions' as const);
    const config = { agent: 'direct', model: 'mock/gold', transport, formulation, select, prompts };
    const { report } = await served.run(config);
    expect(report.ledger).toMatchObject({ pass: sample, total: sample });
    expect(report.metrics.slot.canonical.f1).toBe(1);
  });

  test.each(FORMATS)('writing as %s wants', async (prompts) => {
    const config = {
      agent: 'direct',
      model: 'mock/gold',
      formulation: 'rest',
      category: 'multiple',
    } as const;
    const { report } = await served.run({ ...config, select: { sample: 2, seed: 3 }, prompts });
    expect(report.ledger).toMatchObject({ pass: 2, total: 2 });
  });

  test('as a program of its own, which knows nothing but the address of a run', async () => {
    const program = `"${process.execPath}" "${join(packageRoot, 'tests/support/exec-agent.mjs')}" "${served.farm.folder}"`;
    for (const formulation of FORMULATIONS) {
      const { report } = await served.run({
        agent: `exec:${program}`,
        formulation,
        select: { sample: 2, seed: 3 },
      });
      expect(report.ledger).toMatchObject({ pass: 2, total: 2 });
    }
  });
});

describe('over the wire', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startGoldServer(served.farm, { format: 'by tools' });
  });
  afterAll(() => server.stop());

  test.each([
    ['openai', 'tools'],
    ['openai-responses', 'tools'],
    ['anthropic', 'tools'],
    ['google', 'tools'],
    ['vllm', 'tools'],
    ['openai', 'mcp'],
    ['openai-completions', 'react'],
    ['anthropic', 'react'],
  ])('%s, %s: the gold calls are made and answered whichever formulation it is', async (provider, agent) => {
    for (const key of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'])
      process.env[key] ??= 'k';
    for (const formulation of inTurn(agent.length, FORMULATIONS)) {
      const config = {
        agent,
        model: `${provider}/gold`,
        base_url: server.address,
        formulation,
        select: { sample: 4, seed: 5 },
      };
      const { report, header } = await served.run(config);
      expect(report.ledger, JSON.stringify(header.attempts)).toMatchObject({ pass: 4, total: 4 });
      expect(header.models_reported).toEqual(['scripted-1']);
    }
  });
});
