import { expect, test } from 'vitest';
import {
  type ExperimentFile,
  expandExperiment,
  experimentFile,
  readSuite,
  suiteNames,
} from './experiment.ts';
import { openPrompts } from './prompts/open-prompts.ts';

const file = (more: object): ExperimentFile => experimentFile.parse({ name: 'x', ...more });

test('models × agents × formulations × varied values, with duplicates removed', async () => {
  const runs = await expandExperiment(
    'x.yaml',
    file({
      models: ['openai/a', { model: 'vllm/b', set: { decoding: { temperature: 0.5 } } }],
      set: { select: { sample: 3 } },
      runs: [
        { id: 'all', agents: ['react'], formulations: ['rest'] },
        {
          id: 'share',
          agents: ['react', 'lexical'],
          formulations: ['rest'],
          vary: { 'list.tools': ['10%', '100%'] },
        },
      ],
    }),
    { budget: { loops: 4 } },
  );
  expect(
    runs.map(({ blocks, config }) => [blocks.join('+'), config.model, config.agent, config.list.tools]),
  ).toEqual([
    ['all+share', 'openai/a', 'react', '100%'],
    ['all+share', 'vllm/b', 'react', '100%'],
    ['share', 'openai/a', 'react', '10%'],
    ['share', 'vllm/b', 'react', '10%'],
    ['share', null, 'lexical', '10%'],
    ['share', null, 'lexical', '100%'],
  ]);
  expect(runs[1]?.config).toMatchObject({
    decoding: { temperature: 0.5 },
    select: { sample: 3 },
    budget: { loops: 4 },
  });
  expect(new Set(runs.map(({ name }) => name)).size).toBe(runs.length);
});

test.each<[string, object, RegExp]>([
  ['an unknown field', { set: { colour: 'red' }, runs: [{ id: 'a', agents: ['lexical'] }] }, /runs a/],
  ['a missing model', { runs: [{ id: 'a', agents: ['react'] }] }, /needs a model/],
  [
    'a missing model, if the farm may lack the tasks too',
    { runs: [{ id: 'a', agents: ['agentic'], formulations: ['hybrid'] }] },
    /needs a model.*--hidden/,
  ],
  ['an unknown agent', { runs: [{ id: 'a', agents: ['wizard'] }] }, /must be one of/],
])('%s is refused', async (_, more, message) => {
  await expect(expandExperiment('x.yaml', file(more))).rejects.toThrow(message);
});

test.each(suiteNames())('the suite %s expands', async (name) => {
  const runs = await expandExperiment(name, { ...readSuite(name), models: ['openai/a'] });
  expect(runs.length).toBeGreaterThan(1);
});

test('bfcl-formats has BFCL’s 26 formats: 4 × 2 × 3, one in Markdown and one in another style', async () => {
  const runs = await expandExperiment('x.yaml', { ...readSuite('bfcl-formats'), models: ['openai/a'] });
  const formats = runs.map(({ config }) => openPrompts(config.prompts).name);
  expect(new Set(formats).size).toBe(26);
  expect(formats.filter((name) => name.endsWith('prompt_fmt=plaintext&style=classic'))).toHaveLength(24);
});
