import { expect, test } from 'vitest';
import type { Reward } from '../../contracts/judgement.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { fc, runs } from '../../tests/support/random-input.ts';
import { TINY_SAMPLES, TINY_UNIVERSE, tinyReplay } from '../../tests/support/tiny-farm.ts';
import { rewardOf, robustRewards } from './rewards.ts';
import { DEFAULT_OPTIONS } from './score-farm.ts';
import { scoreSample } from './score-sample.ts';
import type { JudgingWorld } from './worlds.ts';

type Element = Call | string;
interface Episode {
  readonly sample: Sample;
  readonly calls: readonly Element[];
  readonly answer: unknown;
}

const context = {
  options: DEFAULT_OPTIONS,
  universe: TINY_UNIVERSE,
  replay: tinyReplay,
  prices: null,
  model: null,
  goldFactsOf: () => ({ constructs: [], findings: [] }),
  onlyRewards: true,
};

/** A world that keeps every sample unchanged, and one in which every gold differs. */
const SAME: JudgingWorld = {
  samples: new Map(TINY_SAMPLES.map((each) => [each.sample_id, each])),
  replay: tinyReplay,
};
const OTHER: JudgingWorld = {
  samples: new Map(TINY_SAMPLES.map((each) => [each.sample_id, { ...each, gold_answer: [['gone']] }])),
  replay: tinyReplay,
};

/** What an episode is worth, by component and in all; what is null is worth nothing. */
async function worthOf({ sample, calls, answer }: Episode, world = SAME) {
  const prediction = { sample_id: sample.sample_id, calls: [...calls], answer };
  const score = await scoreSample(sample, prediction, 1, context);
  const judged = await robustRewards([rewardOf(sample, prediction, score)], {
    farm: { byId: new Map([[sample.sample_id, sample]]) },
    predictions: { attempts: new Map([[sample.sample_id, new Map([[1, prediction]])]]) },
    universe: TINY_UNIVERSE,
    replay: tinyReplay,
    worlds: [world],
  });
  const { reward, outcome, components, penalties } = judged[0] as Reward;
  const { completion, rows, calls: named, slots, robust } = components;
  return {
    outcome,
    components,
    penalties,
    worth: {
      reward,
      completion,
      rows: rows ?? 0,
      calls: named ?? 0,
      slots: slots ?? 0,
      robust: robust ?? 0,
    },
  };
}

const sample = fc.constantFrom(...TINY_SAMPLES);
const value = fc.constantFrom('light', 'wood', 'desk', 0, 2, 40.1, null, true);
/** A call of the gold, or one that differs from it in an argument. */
const goldLike = (of: Sample): fc.Arbitrary<Call> =>
  fc
    .tuple(fc.constantFrom(...of.output), fc.option(fc.tuple(fc.nat(3), value), { nil: undefined }))
    .map(([call, change]) => {
      const name = change && Object.keys(call.arguments)[change[0]];
      return change && name ? { ...call, arguments: { ...call.arguments, [name]: change[1] } } : call;
    });
const foreign = (of: Sample): fc.Arbitrary<Element> => {
  const own = new Set(of.output.map(({ name }) => name));
  const others = [...TINY_UNIVERSE.toolsFor(of).keys(), 'drop_everything'].filter((name) => !own.has(name));
  return fc.oneof(
    fc.constant('no call at all'),
    fc.record({
      name: fc.constantFrom(...others),
      arguments: fc.dictionary(fc.constantFrom('kind', 'value'), value),
    }),
  );
};
const rows = fc.array(fc.constantFrom(['lamp'], ['bulb'], ['desk'], [12.5], [null]), { maxLength: 5 });
const episode: fc.Arbitrary<Episode> = sample.chain((of) =>
  fc.record({
    sample: fc.constant(of),
    calls: fc.array(fc.oneof(goldLike(of), foreign(of)), { maxLength: 12 }),
    answer: fc.oneof(fc.constant(of.gold_answer), rows),
  }),
);

/** The gold calls of a sample under labels of their own, whatever was made before. */
function rightCalls({ output }: Sample): Call[] {
  const rename = (text: string) => text.replace(/^\$((?:FILTERED|SORTED|SELECT)\w+)\$$/, '$again_$1$');
  return output.map(({ name, arguments: args, label }) => ({
    name,
    arguments: Object.fromEntries(
      Object.entries(args).map(([key, each]) => [key, typeof each === 'string' ? rename(each) : each]),
    ),
    ...(label === undefined ? {} : { label: `again_${label}` }),
  }));
}

test('a right call never lowers a component or the reward, and all of them earn all', async () => {
  await fc.assert(
    fc.asyncProperty(episode, async (before) => {
      let { worth } = await worthOf(before);
      const calls = [...before.calls];
      for (const call of rightCalls(before.sample)) {
        calls.push(call);
        const after = await worthOf({ ...before, calls });
        for (const [name, was] of Object.entries(worth)) {
          expect(after.worth[name as keyof typeof worth], name).toBeGreaterThanOrEqual(was - 1e-12);
        }
        worth = after.worth;
      }
      expect(worth.slots).toBe(1);
    }),
    { numRuns: runs(200) },
  );
});

test('spam never raises a component: calls of other tools, repeated calls, surplus calls, extra rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      episode.chain((before) =>
        fc.record({
          before: fc.constant(before),
          other: foreign(before.sample),
          again: fc.nat(),
          extra: goldLike(before.sample),
        }),
      ),
      async ({ before, other, again, extra }) => {
        const { worth } = await worthOf(before);
        const { calls, sample: of, answer } = before;
        const own = new Set(of.output.map((call) => JSON.stringify([call.name, call.arguments])));
        const counts = (name: string, list: readonly Element[]) =>
          new Set(
            list.flatMap((call) =>
              typeof call === 'string' || call.name !== name ? [] : [JSON.stringify(call.arguments)],
            ),
          ).size;
        const isSurplus =
          !own.has(JSON.stringify([extra.name, extra.arguments])) &&
          counts(extra.name, calls) > counts(extra.name, of.output) + 1;
        const place = again % Math.max(1, calls.length);
        const repeated = calls[place];
        const spams: Episode[] = [
          { ...before, calls: [...calls, other] },
          { ...before, answer: [...(answer as unknown[]), ['nothing of the kind', 7]] },
          ...(repeated === undefined || typeof repeated === 'string' || of.formulation !== 'rest'
            ? []
            : // In its place: after another call, it would be the last one, whose rows count in worlds.
              [{ ...before, calls: calls.toSpliced(place, 0, repeated) }]),
          ...(isSurplus ? [{ ...before, calls: [...calls, extra] }] : []),
        ];
        for (const spam of spams) {
          const after = await worthOf(spam);
          for (const [name, was] of Object.entries(worth)) {
            expect(after.worth[name as keyof typeof worth], name).toBeLessThanOrEqual(was + 1e-12);
          }
        }
      },
    ),
    { numRuns: runs(300) },
  );
});

test('an empty attempt is worth nothing, and without anything to compare there is no figure', async () => {
  for (const each of TINY_SAMPLES) {
    const { components, penalties, worth } = await worthOf({ sample: each, calls: [], answer: null });
    expect(components).toEqual({ completion: 0, rows: null, calls: 0, slots: null, robust: 0 });
    expect(penalties).toEqual({ errors: 0, redundant_calls: 0, extra_calls: 0 });
    expect(worth.reward).toBe(0);
  }
});

test('the reward is 1 exactly if the task is completed', async () => {
  let completed = 0;
  await fc.assert(
    fc.asyncProperty(episode, async (each) => {
      const { outcome, worth } = await worthOf(each);
      expect(worth.reward).toBe(outcome === 'pass' ? 1 : 0);
      expect(worth.completion).toBe(worth.reward);
      if (worth.reward === 1) completed++;
    }),
    { numRuns: runs(300) },
  );
  expect(completed).toBeGreaterThan(50);
});

test('position and repetition of calls do not matter, except for calls of other tools', async () => {
  await fc.assert(
    fc.asyncProperty(
      sample.chain((of) =>
        fc.record({
          of: fc.constant(of),
          spam: fc.array(fc.tuple(fc.nat(20), foreign(of)), { maxLength: 4 }),
          twice: fc.boolean(),
        }),
      ),
      async ({ of, spam, twice }) => {
        const calls: Element[] = twice ? [...of.output, ...rightCalls(of)] : [...of.output];
        for (const [place, call] of spam) calls.splice(place % (calls.length + 1), 0, call);
        const { components } = await worthOf({ sample: of, calls, answer: of.gold_answer });
        const others =
          new Set(spam.map(([, call]) => JSON.stringify(call))).size +
          Math.max(0, spam.filter(([, call]) => typeof call === 'string').length - 1);
        expect(components.slots).toBe(1);
        expect(components.calls).toBeCloseTo((2 * of.output.length) / (2 * of.output.length + others), 9);
      },
    ),
    { numRuns: runs(200) },
  );
});

test('surplus calls of a gold tool earn nothing until one is right', async () => {
  const of = TINY_SAMPLES.find(({ sample_id }) => sample_id === 'tiny/shop/0/slot') as Sample;
  const [right] = of.output as [Call];
  const guess = (changed: object) => ({ name: right.name, arguments: { ...right.arguments, ...changed } });
  const slotsOf = async (...calls: Call[]) =>
    (await worthOf({ sample: of, calls, answer: null })).components.slots ?? 0;
  const bad = guess({ key_name: 'price', value: 0, condition: 'less_than' });
  const better = guess({ value: 0 });
  expect(await slotsOf(better)).toBeGreaterThan(await slotsOf(bad));
  expect(await slotsOf(bad, better)).toBe(await slotsOf(bad));
  expect(await slotsOf(bad, better, guess({}))).toBe(await slotsOf(guess({})));
});

test('only what is completed is robust, where its calls are right in every world too', async () => {
  let robust = 0;
  const perfect = sample.map((of): Episode => ({ sample: of, calls: of.output, answer: of.gold_answer }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(episode, perfect), async (each) => {
      const { worth } = await worthOf(each);
      expect(worth.robust).toBeLessThanOrEqual(worth.completion);
      expect((await worthOf(each, OTHER)).worth.robust).toBe(0);
      robust += worth.robust;
    }),
    { numRuns: runs(200) },
  );
  expect(robust).toBeGreaterThan(10);
});

test('penalties count what they are called: no more for fewer calls, and none for the gold calls', async () => {
  for (const of of TINY_SAMPLES) {
    const { penalties } = await worthOf({ sample: of, calls: of.output, answer: of.gold_answer });
    expect(penalties).toEqual({ errors: 0, redundant_calls: 0, extra_calls: 0 });
  }
  await fc.assert(
    fc.asyncProperty(episode, fc.nat(), async (each, at) => {
      const { calls, sample: of } = each;
      const refused = calls.map((call, i) =>
        typeof call !== 'string' && i % 3 === at % 3 ? { ...call, status: 400 } : call,
      );
      const { penalties } = await worthOf({ ...each, calls: refused as Element[] });
      expect(penalties.errors).toBe(
        refused.filter((call) => typeof call === 'object' && 'status' in call).length,
      );
      const made = calls.filter((call) => typeof call !== 'string');
      const distinct = new Set(made.map((call) => JSON.stringify([call.name, call.arguments]))).size;
      if (made.length === calls.length) {
        expect(penalties.extra_calls).toBe(Math.max(0, calls.length - of.output.length));
        if (of.formulation === 'rest') expect(penalties.redundant_calls).toBe(calls.length - distinct);
      }
      const fewer = calls.filter((_, i) => i !== at % Math.max(1, calls.length));
      const { penalties: less } = await worthOf({ ...each, calls: fewer });
      expect(less.extra_calls).toBeLessThanOrEqual(penalties.extra_calls);
      // Elsewhere, two calls may be the same once the result that one of them read is gone.
      if (of.formulation === 'rest')
        expect(less.redundant_calls).toBeLessThanOrEqual(penalties.redundant_calls);
    }),
    { numRuns: runs(200) },
  );
});
