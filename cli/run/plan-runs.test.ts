import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/support/split-fixture.ts';
import { type PlanFlags, planRuns } from './plan-runs.ts';

const plan = (flags: PlanFlags) => planRuns('my-farm', undefined, { formulation: ['rest'], ...flags });
const named = async (flags: PlanFlags) => (await plan(flags)).runs.map(({ config }) => config);

function table(text: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'models.yaml'), text);
  return join(folder, 'models.yaml');
}

describe('--mode', () => {
  test.each([
    [{ mode: 'native' }, 'tools', 'prompt', 'live-api-bench'],
    [{ mode: 'prompt' }, 'react', 'prompt', 'live-api-bench'],
    [{ mode: 'native', agent: 'direct' }, 'direct', 'field', 'live-api-bench:gpt'],
    [{ mode: 'native', agent: 'direct', prompts: 'bfcl' }, 'direct', 'field', 'bfcl'],
    [{ mode: 'prompt', agent: 'direct' }, 'direct', 'prompt', 'live-api-bench'],
  ] as const)('%j is the agent %s with tools in the %s', async (flags, agent, tools_in, prompts) => {
    const [config] = await named({ model: ['mock/gold'], ...flags });
    expect(config).toMatchObject({ agent, prompts, settings: { tools_in } });
  });

  test.each([
    [{ mode: 'prompt', agent: 'tools' }, 'tools has functions called natively; give --agent react or direct'],
    [{ mode: 'native', agent: 'react' }, 'give --agent tools, mcp or direct for native'],
    [{ mode: 'native', agent: 'nl2sql' }, 'nl2sql has no model call functions'],
    [{ mode: 'native', agent: 'direct', toolsIn: 'prompt' }, 'is native, but --tools-in is prompt'],
  ] as const)('%j is refused', async (flags, message) => {
    await expect(plan({ model: ['mock/gold'], ...flags })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      file: '--mode',
      message: expect.stringContaining(message),
    });
  });

  test('chooses the runs of a suite', async () => {
    const settings = (await named({ suite: 'bfcl', model: ['mock/gold'], mode: 'native' })).map(
      (config) => config.settings.tools_in,
    );
    expect(settings).toEqual(Array(7).fill('field'));
    await expect(plan({ suite: 'bfcl-formats', model: ['mock/gold'], mode: 'native' })).rejects.toThrow(
      'no run whose functions are called natively',
    );
  });
});

describe('what a model cannot do', () => {
  test.each([
    [{ model: ['ollama/gemma3:12b'] }, 'does not call functions natively, as tools asks it to'],
    [{ model: ['openai-completions/davinci'], agent: 'direct', mode: 'native' }, 'as direct asks it to'],
    [{ model: ['vllm/x'], agent: 'direct', mode: 'native', transport: 'completions' }, 'natively'],
    [
      { model: ['vllm/meta-llama/Llama-3'], agent: 'direct', mode: 'native', category: 'parallel' },
      'does not make several native calls in one reply, as parallel needs',
    ],
  ] as const)('%j is refused', async (flags, message) => {
    await expect(plan(flags)).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      file: '--model',
      message: expect.stringContaining(message),
    });
  });

  test.each([
    { model: ['ollama/gemma3:12b'], mode: 'prompt' },
    { model: ['vllm/meta-llama/Llama-3.1-8B-Instruct'], mode: 'native', category: 'parallel' },
    { model: ['vllm/of-my-own'], mode: 'native' },
  ] as const)('%j is possible', async (flags) => {
    expect(await named(flags)).toHaveLength(1);
  });

  test('is extended and overridden by a table of one’s own', async () => {
    const capabilities = table('{"ollama/*": {native: true}, "vllm/of-my-own": {prompt: false}}');
    expect(await named({ model: ['ollama/gemma3:12b'], capabilities })).toHaveLength(1);
    await expect(plan({ model: ['vllm/of-my-own'], mode: 'prompt', capabilities })).rejects.toThrow(
      'vllm/of-my-own does not call functions by prompt',
    );
    await expect(plan({ model: ['mock/gold'], capabilities: table('{x: {fast: true}}') })).rejects.toThrow(
      'is not a table of capabilities',
    );
  });

  test('is left out of a suite, unless nothing else is in it', async () => {
    const { runs, leftOut } = await plan({ suite: 'bfcl', model: ['ollama/gemma3:4b'] });
    expect(runs).toHaveLength(8);
    expect(leftOut).toHaveLength(7);
    expect(leftOut[0]).toMatch(/^field.* does not call functions natively/);
    await expect(plan({ suite: 'bfcl-multi-turn', model: ['ollama/gemma3:4b'] })).rejects.toThrow(
      'no run of --suite bfcl-multi-turn is left',
    );
  });
});
