import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { category, type Prediction } from '../../contracts/prediction.ts';
import { parsePredictions } from '../../eval/farm/read-farm.ts';
import { scoreFarm } from '../../eval/score/score-farm.ts';
import { isConversation } from '../../runner/categories/compose-tasks.ts';
import { servedFarm } from '../support/served-farm.ts';

const served = servedFarm();

const COMPOSED = ['parallel', 'parallel_multiple'] as const;
/** Categories of single questions; those of dialogues are tested where there are dialogues. */
const SINGLE = category.options.filter((name) => !isConversation(name));
const select = { sample: 6, seed: 3 };
const rest = { formulation: 'rest' as const, select };

describe('who makes no mistake is right in every category', () => {
  test.each(SINGLE)('the oracle, on %s', async (name) => {
    const { report } = await served.run({ ...rest, agent: 'oracle', category: name });
    expect(report.ledger.infra_error).toBe(0);
    const { completion, relevance } = report.metrics;
    expect(completion.n === 0 ? relevance.value : completion.value).toBe(1);
  });

  test.each([
    ...COMPOSED.flatMap((name) => [
      { name, agent: 'tools' },
      { name, agent: 'react' },
    ]),
    { name: 'parallel' as const, agent: 'direct' },
    { name: 'parallel_multiple' as const, agent: 'direct' },
  ])('a model as $agent, on $name', async ({ name, agent }) => {
    const { report } = await served.run({ ...rest, agent, model: 'mock/gold', category: name });
    expect(report.ledger, JSON.stringify(report.samples.map(({ shown }) => shown))).toMatchObject({
      pass: 6,
      total: 6,
    });
    expect(report.metrics.category?.parts.value).toBe(1);
    // Answers in exactly the form that is asked for are strictly right, turn by turn and side by side.
    expect(report.samples.map((sample) => sample.passes_strictly)).toEqual(Array(6).fill(true));
  });
});

describe.each(['slot', 'sel'] as const)(
  '%s has those categories that do not choose between tools',
  (formulation) => {
    const those = { formulation, select };

    test.each(['parallel_multiple', 'relevance', 'chatting'] as const)(
      'the oracle is right on %s',
      async (name) => {
        const { report } = await served.run({ ...those, agent: 'oracle', category: name });
        expect(report.ledger.infra_error).toBe(0);
        const { completion, relevance } = report.metrics;
        expect(completion.n === 0 ? relevance.value : completion.value).toBe(1);
      },
    );

    test.each([
      { name: 'parallel_multiple' as const, agent: 'tools' },
      { name: 'parallel_multiple' as const, agent: 'react' },
    ])('a model that makes no mistake is right as $agent, on $name', async ({ name, agent }) => {
      const budget = { loops: 60, calls: 100 };
      const config = { ...those, budget, agent, model: 'mock/gold', category: name };
      const { report } = await served.run(config);
      expect(report.ledger, JSON.stringify(report.samples.map(({ shown }) => shown))).toMatchObject({
        pass: 6,
        total: 6,
      });
    });
  },
);

test.each(['rest', 'slot', 'sel'] as const)(
  'agents that are told the requests by the runner are right too: MCP, and a program, on %s',
  async (formulation) => {
    const config = { formulation, select: { sample: 3, seed: 3 }, category: 'parallel_multiple' as const };
    const budget = { loops: 60, calls: 100 };
    const viaMcp = await served.run({ ...config, budget, agent: 'mcp', model: 'mock/gold' });
    expect(viaMcp.report.ledger, JSON.stringify(viaMcp.report.samples)).toMatchObject({ pass: 3, total: 3 });
    const asked =
      "node -e 'console.log(JSON.stringify(process.env.ROOKERY_QUESTION.split(/^\\d+[.] /m).slice(1)))'";
    const program = await served.run({ ...config, agent: `exec:${asked}` });
    const questions = program.records.map(({ answer }) => answer);
    expect(questions.every((each) => Array.isArray(each) && each.length >= 2)).toBe(true);
  },
);

test.each(['irrelevance', 'chatting'] as const)(
  'a model that knows when nothing fits is right on %s',
  async (name) => {
    const { report } = await served.run({
      ...rest,
      agent: 'direct',
      model: 'mock/gold',
      category: name,
    });
    expect(report.metrics.relevance).toMatchObject({ value: 1, n: 6 });
  },
);

describe('baselines', () => {
  test.each(COMPOSED.flatMap((name) => ['lexical', 'random'].map((agent) => ({ name, agent }))))(
    '$agent gets a figure on $name, and no perfect one',
    async ({ name, agent }) => {
      const { report } = await served.run({ ...rest, agent, category: name });
      expect(report.ledger).toMatchObject({ infra_error: 0, not_run: 0, total: 6 });
      expect(report.metrics.completion.value).toBeLessThan(1);
    },
  );

  test('an agent that always calls has called something', async () => {
    const { report } = await served.run({ ...rest, agent: 'random', category: 'relevance' });
    expect(report.metrics.category?.some_call.value).toBe(1);
  });
});

test('the same seed composes the same tasks, another seed others', async () => {
  const idsOf = async (seed: number) => {
    const config = {
      ...rest,
      select: { sample: 40, seed },
      agent: 'random',
      category: 'parallel_multiple' as const,
    };
    const { records } = await served.run(config);
    return records.map(({ sample_id }) => sample_id).sort();
  };
  const [first, again, other] = [await idsOf(1), await idsOf(1), await idsOf(2)];
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});

test.each([
  ['an agent that writes SQL', { agent: 'nl2sql', model: 'mock/gold', category: 'parallel' }],
  ['MCP for a whole conversation', { agent: 'mcp', model: 'mock/gold', category: 'multi_turn' }],
  [
    'one reply for several sequences',
    { agent: 'direct', model: 'mock/gold', category: 'parallel_multiple', formulation: 'slot' },
  ],
  ['one reply for a whole conversation', { agent: 'direct', model: 'mock/gold', category: 'multi_turn' }],
  ['a choice between tools in SLOT', { agent: 'oracle', category: 'parallel', formulation: 'slot' }],
  ['dialogues of a farm that has none', { agent: 'oracle', category: 'multi_turn' }],
  ['withheld tools in SEL', { agent: 'oracle', category: 'miss_func', formulation: 'sel' }],
  ['SLOT tools of the whole farm', { agent: 'oracle', formulation: 'slot', list: { scope: 'farm' } }],
] as const)('%s is refused', async (_, config) => {
  await expect(served.run({ ...rest, ...config })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    message: expect.stringMatching(/composed|conversation|sequence|dialogues|REST/),
  });
});

describe('verdicts', () => {
  type Line = Prediction & { calls: unknown[]; answer: unknown[] };

  /** Scores the predictions of a run after something was done to each line. */
  async function scored(
    from: { readonly agent: string; readonly model?: string; readonly category: 'parallel_multiple' },
    change: (line: Line) => object,
  ) {
    const { out } = await served.run({ ...rest, ...from });
    const [header = '', ...lines] = readFileSync(join(out, 'predictions.jsonl'), 'utf8').trim().split('\n');
    const texts = [header, ...lines.map((line) => JSON.stringify(change(JSON.parse(line))))];
    if (served.farm.scored === null) throw new Error('the farm has a folder');
    const numbered = texts.map((text, i) => ({ number: i + 1, text }));
    const predictions = parsePredictions('predictions', numbered, served.farm.scored);
    return scoreFarm({
      farm: served.farm.scored,
      predictions,
      universe: served.open.universe,
      replay: served.open.replay,
    });
  }
  const together = { agent: 'direct', model: 'mock/gold', category: 'parallel_multiple' } as const;
  const withCalls = (change: (calls: { name: string; arguments: object }[]) => unknown[]) =>
    scored(together, ({ raw_output, ...line }) => ({
      ...line,
      calls: change(JSON.parse(raw_output ?? '[]')),
    }));

  test('calls of one reply may come in any order', async () => {
    const { metrics } = await withCalls((calls) => calls.toReversed());
    expect(metrics.completion.value).toBe(1);
    expect(metrics.bfcl.fixed.value).toBe(1);
    expect(metrics.slot.canonical.f1).toBe(1);
  });

  test('one call too many, too few or twice is wrong, and the parts that are right are counted', async () => {
    const more = await withCalls((calls) => [...calls, ...calls.slice(0, 1)]);
    expect(more.metrics.completion.value).toBe(0);
    expect(more.metrics.category?.parts.value).toBe(1);
    expect(more.metrics.bfcl.fixed.value).toBe(0);
    const less = await withCalls((calls) => calls.slice(1));
    expect(less.metrics.completion.value).toBe(0);
    const { count, n } = less.metrics.category?.parts ?? { count: 0, n: 0 };
    expect(n - count).toBe(6);
    const twice = await withCalls((calls) => calls.map(() => calls[0]));
    expect(twice.metrics.category?.parts.count).toBe(6);
  });

  test('an answer has a place for each request', async () => {
    const live = { agent: 'tools', model: 'mock/gold', category: 'parallel_multiple' } as const;
    const swapped = await scored(live, (line) => ({ ...line, answer: line.answer.toReversed() }));
    expect(swapped.metrics.completion.value).toBe(0);
    const joined = await scored(live, (line) => ({ ...line, answer: line.answer.flat() }));
    expect(joined.metrics.completion.value).toBeLessThan(1);
  });

  test('a file with an unknown part is refused', async () => {
    await expect(
      scored(together, (line) => ({ ...line, parts: [{ sample_id: 'not/there/1/rest' }] })),
    ).rejects.toThrow(/has no sample/);
  });
});
