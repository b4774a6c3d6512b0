import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printExactJson } from '../../contracts/exact-json.ts';
import type { Outcome } from '../../contracts/judgement.ts';
import type { Sample } from '../../contracts/sample.ts';
import { TINY_SAMPLES, TINY_UNIVERSE, tinyReplay, writeTinyFarm } from '../../tests/support/tiny-farm.ts';
import { readFarm, readPredictions, type ScoredFarm } from '../farm/read-farm.ts';
import { type ErrorClass, type Report, report as reportSchema } from '../metrics/report.ts';
import { reportTables } from '../report/report-tables.ts';
import { type ScoreInput, scoreFarm } from './score-farm.ts';

let farm: ScoredFarm;
beforeAll(() => {
  farm = readFarm(writeTinyFarm());
});
afterAll(() => rmSync(farm.folder, { recursive: true, force: true }));

/** Scores predictions given as objects, or as lines of text. */
async function score(
  predictions: readonly (object | string)[],
  options: Partial<ScoreInput> = {},
): Promise<Report> {
  const file = join(farm.folder, 'predictions.jsonl');
  writeFileSync(file, predictions.map((p) => (typeof p === 'string' ? p : JSON.stringify(p))).join('\n'));
  const report = await scoreFarm({
    farm,
    predictions: readPredictions(file, farm),
    universe: TINY_UNIVERSE,
    replay: tinyReplay,
    ...options,
    options: { resamples: 50, ...options.options },
  });
  return reportSchema.parse(report);
}

const find = (id: string) => TINY_SAMPLES.find(({ sample_id }) => sample_id === `tiny/shop/${id}`) as Sample;
const gold = ({ sample_id, output }: Sample) => ({ sample_id, calls: output });
const perfect = (report: Report) => {
  const { intent, slot, completion, exact_string, execution_accuracy } = report.metrics;
  const f1s = [intent.prefix, intent.position, intent.multiset, slot.raw, slot.canonical].map(({ f1 }) => f1);
  expect([...f1s, completion.value, exact_string.value, execution_accuracy.value]).toEqual(Array(8).fill(1));
  expect(report.ledger).toEqual({ pass: 12, fail: 0, unparseable: 0, infra_error: 0, not_run: 0, total: 12 });
};

describe('the oracle', () => {
  test('by gold calls, taken as proven', async () => {
    const report = await score(TINY_SAMPLES.map(gold));
    perfect(report);
    expect(new Set(report.samples.map(({ shown }) => shown.source))).toEqual(new Set(['gold_calls']));
  });

  test('by gold calls, replayed', async () => {
    const report = await score(TINY_SAMPLES.map(gold), { options: { replay: 'all' } });
    perfect(report);
    expect(new Set(report.samples.map(({ shown }) => shown.source))).toEqual(new Set(['replay']));
    expect(report.metrics.bfcl).toMatchObject({
      faithful: { value: 1, n: 4 },
      fixed: { value: 1, n: 4 },
      error_types: {},
    });
  });

  test('by gold calls in the text of a model', async () => {
    perfect(
      await score(
        TINY_SAMPLES.map(({ sample_id, output }) => ({ sample_id, raw_output: JSON.stringify(output) })),
      ),
    );
  });

  test('but not by text if a server recorded that nothing was called', async () => {
    const written = TINY_SAMPLES.map(({ sample_id, output }) => ({
      ...{ sample_id, calls: [], recorded: true },
      raw_output: JSON.stringify(output),
    }));
    expect((await score(written)).ledger).toMatchObject({ pass: 0, fail: written.length });
  });

  test('by gold answers alone: completion, and null for call metrics', async () => {
    const report = await score(
      TINY_SAMPLES.map(({ sample_id, gold_answer }) => ({ sample_id, answer: gold_answer })),
    );
    expect(report.metrics.completion).toMatchObject({ value: 1, n: 12, count: 12, ci: [1, 1] });
    expect(report.metrics.intent.prefix).toMatchObject({ f1: null, n: 0, ci: null });
    expect(report.metrics.react.stuck_name.n).toBe(0);
  });

  test('by calls that name results by handle', async () => {
    const { sample_id, output } = find('3/slot');
    const calls = output.map(({ name, arguments: args }, i) => ({
      name,
      arguments: { ...args, data_source: i === 0 ? 'item' : `h${i - 1}` },
    }));
    const report = await score([{ sample_id, calls }]);
    expect(report.metrics.slot.canonical).toMatchObject({ f1: 1, n: 1 });
    expect(report.metrics.slot.raw.f1).toBeLessThan(1);
    expect(report.ledger.pass).toBe(1);
    const told = calls.map((call, i) => ({ ...call, handle: `h${i}` }));
    const byAnswer = await score([{ sample_id, calls: told, answer: ['lamp', 'bulb'] }], {
      replay: () => Promise.reject(new Error('not needed')),
    });
    expect(byAnswer.metrics.slot.canonical.f1).toBe(1);
  });
});

describe('nothing', () => {
  test('a missing prediction is not run, and does not affect figures', async () => {
    const report = await score([]);
    expect(report.ledger).toEqual({
      pass: 0,
      fail: 0,
      unparseable: 0,
      infra_error: 0,
      not_run: 12,
      total: 12,
    });
    expect(report.metrics.completion).toEqual({ value: null, count: 0, n: 0, ci: null });
    expect(report.metrics.intent.prefix).toMatchObject({ f1: null, n: 0 });
    expect(report.error_classes.n).toBe(0);
  });

  test.each<[string, object, Outcome, object]>([
    ['an empty list of calls', { calls: [] }, 'fail', { endings: { empty: 12 } }],
    [
      'prose',
      { raw_output: 'I do not know.' },
      'unparseable',
      { endings: {}, counts: { instruction_alignment_failure: 12 } },
    ],
    ['an empty output', { raw_output: '' }, 'unparseable', { endings: { empty: 12 } }],
    ['an empty prediction', {}, 'unparseable', { endings: { empty: 12 } }],
    [
      'half a reply',
      { raw_output: '[{"name', ended_by: 'length' },
      'unparseable',
      { endings: { length: 12 } },
    ],
    ['too many loops', { calls: [], loops: 10 }, 'fail', { endings: { loops: 12 } }],
    ['a run that broke', { ended_by: 'error' }, 'infra_error', { n: 0, endings: {} }],
  ])('%s for every sample is 0 of 12', async (_, content, outcome, classes) => {
    const report = await score(TINY_SAMPLES.map(({ sample_id }) => ({ sample_id, ...content })));
    expect(report.ledger).toMatchObject({ [outcome]: 12, pass: 0, not_run: 0 });
    expect(report.metrics.completion).toMatchObject({ value: 0, n: 12 });
    expect(report.error_classes).toMatchObject(classes);
    if (outcome === 'infra_error') return;
    expect(report.metrics.intent.prefix).toMatchObject({ f1: 0, precision: null, recall: 0, n: 12 });
  });

  test("a broken run is an infra error: in the paper's denominator, out of the second one", async () => {
    const report = await score([
      gold(find('0/rest')),
      { sample_id: 'tiny/shop/1/rest', error: 'rate limit' },
    ]);
    expect(report.ledger).toMatchObject({ pass: 1, infra_error: 1, not_run: 10 });
    expect(report.metrics.completion).toMatchObject({ count: 1, n: 12 });
    expect(report.metrics.completion_of_run).toMatchObject({ value: 0.5, n: 2 });
    expect(report.metrics.completion_without_infra_errors).toMatchObject({ value: 1, n: 1 });
    expect(report.metrics.intent.prefix.n).toBe(1);
    expect(report.samples.find(({ outcome }) => outcome === 'infra_error')?.shown.note).toBe('rate limit');
  });

  test('gold calls do not answer a run whose budget was spent', async () => {
    const [empty, slot, withheld] = [find('0/rest'), find('0/slot'), find('0/sel')];
    const cutOff = { out_of_budget: true, latency_s: 9 };
    const report = await score([
      { ...gold(slot), ...cutOff },
      { ...gold(empty), ...cutOff, calls: [] },
      { sample_id: withheld.sample_id, ...cutOff, calls: [], withheld: true },
    ]);
    expect(report.ledger).toMatchObject({ pass: 0, fail: 2, not_run: 10 });
    const scored = report.samples.find(({ sample_id }) => sample_id === slot.sample_id);
    expect(scored).toMatchObject({
      outcome: 'fail',
      out_of_budget: true,
      unclassified: false,
      execution: false,
      latency_s: 9,
      calls: slot.output.length,
      intent: { prefix: [slot.output.length, 0, 0] },
      shown: { note: 'The budget was spent without an answer.', source: null },
    });
    expect(report.metrics.relevance).toMatchObject({ value: 0, n: 1 });
    const judged = await score([{ ...gold(slot), ...cutOff }], {
      options: { replay: 'all', judge: 'calls' },
    });
    expect(judged.ledger).toMatchObject({ pass: 0, fail: 1 });
  });

  test('a replay that breaks is an infra error too', async () => {
    const report = await score(
      [{ sample_id: 'tiny/shop/0/rest', calls: [{ name: 'get_price_by_name', arguments: {} }] }],
      {
        replay: () => Promise.reject(new Error('no disk')),
      },
    );
    expect(report.ledger).toMatchObject({ infra_error: 1, fail: 0 });
  });
});

/** What changes in the gold, and what must come of it. */
const MUTATIONS: readonly [
  string,
  string,
  (calls: Sample['output']) => unknown[],
  Outcome,
  ErrorClass | null,
][] = [
  ['unchanged', '3/slot', (c) => c, 'pass', null],
  ['a dropped call', '3/slot', (c) => c.slice(1), 'fail', 'wrong_func_count'],
  ['a call too many, same result', '0/slot', (c) => [c[0], c[0], c[1]], 'pass', null],
  [
    'a call too many, other result',
    '0/rest',
    (c) => [...c, { name: 'get_price_by_name', arguments: { item_name: 'lamp' } }],
    'fail',
    'wrong_func_count',
  ],
  [
    'a swapped argument',
    '0/slot',
    (c) => [with_(c[0], { key_name: 'light', value: 'kind' }), c[1]],
    'fail',
    'value_error',
  ],
  ['a wrong value', '0/rest', (c) => [with_(c[0], { kind: 'wood' })], 'fail', 'value_error'],
  ['a wrong value that gives the same rows', '1/rest', (c) => [with_(c[0], { min_price: 30 })], 'pass', null],
  ['a value off by 1e-12', '1/rest', (c) => [with_(c[0], { min_price: 40.1 - 1e-12 })], 'pass', null],
  ['a value off by 1e-3', '1/rest', (c) => [with_(c[0], { min_price: 40.101 })], 'fail', 'value_error'],
  [
    'a wrong reference',
    '3/slot',
    (c) => [c[0], c[1], with_(c[2], { data_source: '$starting_table_var$' })],
    'fail',
    'value_error',
  ],
  [
    'other labels',
    '3/slot',
    (c) => JSON.parse(JSON.stringify(c).replaceAll('FILTERED_DF', 'f')),
    'pass',
    null,
  ],
  [
    'another condition',
    '0/slot',
    (c) => [with_(c[0], { condition: 'greater_than_equal_to' }), c[1]],
    'fail',
    'value_error',
  ],
  ['another tool', '0/sel', (c) => [c[0], { ...c[1], name: 'get_item_kinds' }], 'fail', 'wrong_func_name'],
  [
    'a made-up tool',
    '0/sel',
    (c) => [c[0], { ...c[1], name: 'get_item_colours' }],
    'fail',
    'hallucinated_func_name',
  ],
  [
    'a missing parameter',
    '0/rest',
    (c) => [{ ...c[0], arguments: {} }],
    'fail',
    'missing_required_parameter',
  ],
  [
    'an unexpected parameter',
    '0/rest',
    (c) => [with_(c[0], { kind: 'wood', colour: 'red' })],
    'fail',
    'unexpected_param',
  ],
  [
    'defaults left out',
    '0/slot',
    (c) => [c[0], { name: 'retrieve_data', arguments: { data_source: '$FILTERED_DF_0$', key_name: 'name' } }],
    'pass',
    null,
  ],
  ['the last call again', '0/slot', (c) => [...c, c.at(-1)], 'pass', null],
  [
    'each call again, under another label',
    '0/slot',
    (c) => c.flatMap((call) => [call, again(call)]),
    'pass',
    null,
  ],
  ['the next page of a column', '0/slot', (c) => [...c, with_(c.at(-1), { offset: 100 })], 'pass', null],
  [
    'a wrong value, and the call again',
    '0/rest',
    (c) => [with_(c[0], { kind: 'stone' }), with_(c[0], { kind: 'stone' })],
    'fail',
    'value_error',
  ],
  ['another call', '0/rest', (c) => [...c, with_(c[0], { kind: 'stone' })], 'fail', 'wrong_func_count'],
  [
    'arguments as text',
    '0/rest',
    (c) => [{ ...c[0], arguments: '{"kind":"light"}' }],
    'fail',
    'wrong_func_format',
  ],
];
const again = (call: Sample['output'][number]) => ({ ...call, label: `${call.label}_again` });
const with_ = (call: unknown, args: object) => {
  const { arguments: old, ...rest } = call as Sample['output'][number];
  return { ...rest, arguments: { ...old, ...args } };
};

describe('mutated gold calls', () => {
  test.each(MUTATIONS)('%s (%s)', async (_, id, mutate, outcome, errorClass) => {
    const sample = find(id);
    const report = await score([{ sample_id: sample.sample_id, calls: mutate(sample.output) }]);
    const scored = report.samples.find(({ sample_id }) => sample_id === sample.sample_id);
    expect([scored?.outcome, scored?.error_class]).toEqual([outcome, errorClass]);
  });
});

test.each<[string, (inner: object, rest: object) => object]>([
  [
    'a call as a value of an argument',
    (inner, rest) => ({ calls: [{ name: 'retrieve_data', arguments: { ...rest, data_source: inner } }] }),
  ],
  [
    'the same as text',
    (inner, rest) => ({
      raw_output: JSON.stringify([{ name: 'retrieve_data', arguments: { ...rest, data_source: inner } }]),
    }),
  ],
])('nested calls count as the sequence that they mean: %s', async (_, nest) => {
  const sample = find('0/slot');
  const [first, last] = sample.output;
  if (first === undefined || last === undefined) throw new Error('two calls');
  const { data_source: __, ...rest } = last.arguments;
  const report = await score([
    { sample_id: sample.sample_id, ...nest({ name: first.name, arguments: first.arguments }, rest) },
  ]);
  const scored = report.samples.find(({ sample_id }) => sample_id === sample.sample_id);
  expect(scored).toMatchObject({ outcome: 'pass', calls: 2, intent: { prefix: [2, 0, 0] } });
  expect(scored?.slot?.canonical.slice(1)).toEqual([0, 0]);
});

describe('mutated gold answers', () => {
  test.each<[string, string, unknown, Outcome, Outcome]>([
    // name, sample, answer, outcome, outcome under --legacy
    ['unordered rows in another order', '0/rest', [['bulb'], ['lamp']], 'pass', 'pass'],
    ['ordered rows in another order', '1/rest', [['chair'], ['desk']], 'fail', 'pass'],
    ['a dropped row', '0/rest', [['bulb']], 'fail', 'fail'],
    ['a float off by 1e-12', '2/rest', 12.5 + 1e-12, 'pass', 'fail'],
    ['a float off by 1e-3', '2/rest', 12.501, 'fail', 'fail'],
    ['another type', '2/rest', ['12.5x'], 'fail', 'fail'],
  ])('%s', async (_, id, answer, outcome, legacyOutcome) => {
    const { sample_id, output } = find(id);
    const prediction = { sample_id, calls: output, answer };
    const outcomeOf = (report: Report) => report.samples.find((s) => s.sample_id === sample_id);
    const scored = outcomeOf(await score([prediction]));
    expect(scored?.outcome).toBe(outcome);
    expect(scored?.error_class).toBe(outcome === 'fail' ? 'right_calls_wrong_answer' : null);
    expect(outcomeOf(await score([prediction], { options: { legacy: true } }))?.outcome).toBe(legacyOutcome);
    expect(outcomeOf(await score([prediction], { options: { judge: 'calls' } }))?.outcome).toBe('pass');
  });
});

describe('the gold tool withheld', () => {
  test('calling nothing is right; these samples count for nothing else', async () => {
    const report = await score([
      { sample_id: 'tiny/shop/0/rest', withheld: true, raw_output: 'No tool fits.' },
      { sample_id: 'tiny/shop/1/rest', withheld: true, calls: [] },
      { sample_id: 'tiny/shop/2/rest', withheld: true, calls: find('2/rest').output },
      gold(find('0/rest')),
    ]);
    expect(report.metrics.relevance).toMatchObject({ count: 2, n: 3 });
    expect(report.metrics.completion_of_run).toMatchObject({ count: 1, n: 1 });
    expect(report.ledger).toMatchObject({ pass: 1, fail: 0, total: 12 });
  });
});

describe('edge cases that must not change a verdict', () => {
  test('an empty error is not a broken run', async () => {
    const wrong = { sample_id: 'tiny/shop/0/rest', calls: [] };
    for (const error of ['', ' ', null]) {
      expect((await score([{ ...wrong, error }])).ledger).toMatchObject({ fail: 1, infra_error: 0 });
    }
  });

  test.each([150, 450, 100_000])('an answer %i levels deep fails alone', async (levels) => {
    const deep = `{"sample_id": "tiny/shop/0/rest", "answer": ${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const report = await score([deep, gold(find('1/rest'))]);
    expect(report.ledger).toMatchObject({ pass: 1, fail: 1 });
    expect(report.samples[0]?.shown.note).toContain('cannot be read as rows');
  });

  test('an infinite number in an answer is not NULL, and the report can be written', async () => {
    const report = await score(['{"sample_id": "tiny/shop/0/rest", "answer": [[1e400]]}']);
    expect(report.samples[0]).toMatchObject({ outcome: 'fail', shown: { predicted_rows: [['Infinity']] } });
    expect(printExactJson(report)).toContain('"Infinity"');
  });

  test('an answer of 400,000 values is judged in linear time', async () => {
    const answer = Array.from({ length: 400_000 }, (_, i) => i / 7);
    const started = process.cpuUsage();
    await score([{ sample_id: 'tiny/shop/0/rest', answer }]);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(5);
  });

  test('a sample that was not run is not completed', async () => {
    const { metrics, groups } = await score([gold(find('0/rest'))]);
    expect(metrics.completion).toMatchObject({ value: 1 / 12, count: 1, n: 12 });
    expect(metrics.completion_of_run).toMatchObject({ value: 1, count: 1, n: 1 });
    expect(groups.formulation.map(({ key, completion }) => [key, completion.value])).toEqual([
      ['rest', 0.25],
      ['slot', null],
      ['sel', null],
    ]);
  });
});

describe('several attempts', () => {
  const attempt = (epoch: number, right: boolean) => ({
    sample_id: 'tiny/shop/0/rest',
    epoch,
    calls: right ? find('0/rest').output : [],
  });

  test('each count; those that are missing were not run', async () => {
    const report = await score([attempt(1, true), attempt(3, false)]);
    expect(report.ledger).toEqual({
      pass: 1,
      fail: 1,
      unparseable: 0,
      infra_error: 0,
      not_run: 34,
      total: 36,
    });
    const of = report.samples.filter(({ sample_id }) => sample_id === 'tiny/shop/0/rest');
    expect(of.map(({ epoch, outcome }) => [epoch, outcome])).toEqual([
      [1, 'pass'],
      [2, 'not_run'],
      [3, 'fail'],
    ]);
    expect(report.repeated).toMatchObject({ epochs: 3, samples: 0 });
  });

  test('a broken attempt is excluded from pass@k, and counted', async () => {
    const broken = { sample_id: 'tiny/shop/0/rest', epoch: 2, error: 'timeout: no answer' };
    const report = await score([attempt(1, true), broken, attempt(3, false)]);
    expect(report.repeated).toMatchObject({
      samples: 1,
      infra_errors: 1,
      at: [
        { any: { value: 0.5, n: 1 } },
        { any: { value: 1 }, all: { value: 0, n: 1 } },
        { any: { value: null, n: 0 } },
      ],
    });
    expect(reportTables(report).map(({ title }) => title)).toContainEqual(
      expect.stringContaining('without 1 that broke'),
    );
  });

  test('with the same number are refused', async () => {
    await expect(score([attempt(2, true), attempt(2, true)])).rejects.toThrow(
      /second prediction .* in epoch 2/,
    );
  });
});

describe('why models fail', () => {
  const slot = () => structuredClone(find('1/slot')) as Sample;

  test('names the tool called in place of another, and whether it exists', async () => {
    const sample = slot();
    const [first, ...rest] = sample.output;
    const report = await score([
      { sample_id: sample.sample_id, calls: [{ ...first, name: 'made_up' }, ...rest] },
    ]);
    const expected = first?.name as string;
    expect(report.failures.confusions).toEqual([{ expected, called: 'made_up', offered: false, count: 1 }]);
    expect(report.failures.tools).toContainEqual({ tool: expected, due: 1, missed: 1, wrong_arguments: 0 });
  });

  test('counts missing calls', async () => {
    const sample = slot();
    const report = await score([{ sample_id: sample.sample_id, calls: [] }]);
    expect(report.failures.confusions.every(({ called }) => called === null)).toBe(true);
    expect(report.failures.confusions.reduce((sum, { count }) => sum + count, 0)).toBe(sample.output.length);
  });

  test('names the argument and how its value differs', async () => {
    const sample = find('1/rest');
    const [call] = sample.output;
    const [argument, value] = Object.entries(call?.arguments ?? {})[0] ?? [];
    const calls = [{ ...call, arguments: { [argument as string]: Number(value) * 1000 } }];
    const report = await score([{ sample_id: sample.sample_id, calls }]);
    expect(report.failures.value_faults).toMatchObject({ unit: 1, other: 0 });
    expect(report.failures.arguments).toEqual([
      { tool: call?.name, argument, missing: 0, unexpected: 0, value: 1 },
    ]);
  });

  test('a refused call is repaired by an attempt that passes; faults and busy servers refuse nothing', async () => {
    const attempt = (id: string, seen: object, answer: unknown) => ({
      ...gold(find(id)),
      calls: find(id).output.map((call) => ({ ...call, ...seen })),
      answer,
    });
    const refused = { status: 422, code: 'INVALID_PARAMETERS' };
    const report = await score([
      attempt('0/rest', refused, find('0/rest').gold_answer),
      attempt('1/rest', refused, 'nothing'),
      attempt('2/rest', { status: 429, code: 'OVERLOADED' }, 'nothing'),
      attempt('3/rest', { ...refused, fault: 'drift' }, 'nothing'),
    ]);
    expect(report.metrics.repaired).toMatchObject({ count: 1, n: 2 });
  });

  test('ignores samples that passed', async () => {
    const { failures } = await score(TINY_SAMPLES.map(gold));
    expect(failures).toMatchObject({ confusions: [], tools: [], arguments: [] });
  });
});

describe('the transcript of a sample', () => {
  test('has the run’s observations of each call, and the model’s output', async () => {
    const sample = find('1/slot');
    const calls = sample.output.map((call, i) => ({
      ...call,
      arguments: { ...call.arguments, value: 1 },
      handle: `h_${i}`,
      status: i === 0 ? 400 : 200,
      code: i === 0 ? 'INVALID_PARAMETERS' : null,
      latency_ms: 10 * (i + 1),
    }));
    const report = await score([
      { sample_id: sample.sample_id, calls, answer: 1, raw_output: 'thinking …', cost: 2 },
    ]);
    const { shown } = report.samples.find(
      ({ sample_id }) => sample_id === sample.sample_id,
    ) as Report['samples'][number];
    expect(shown.transcript[0]).toMatchObject({
      name: sample.output[0]?.name,
      handle: 'h_0',
      status: 400,
      code: 'INVALID_PARAMETERS',
      latency_ms: 10,
    });
    expect(shown.raw_output).toBe('thinking …');
    const { call_latency_ms, cost_per_1000_calls, cost_per_pass } = report.metrics.efficiency;
    expect(call_latency_ms).toMatchObject({ n: calls.length, p95: 10 * calls.length });
    expect(call_latency_ms.sd).toBeCloseTo(calls.length === 2 ? Math.sqrt(50) : 10);
    expect(cost_per_1000_calls).toBeCloseTo(2000 / calls.length);
    expect(cost_per_pass).toBeNull();
  });
});

describe('the report', () => {
  test('numbers keep their source text for BFCL', async () => {
    const line =
      '{"sample_id":"tiny/shop/1/rest","calls":[{"name":"get_items_by_min_price","arguments":{"min_price":40.10}}]}';
    const report = await score([line]);
    expect(report.metrics.bfcl.faithful).toMatchObject({ value: 1, n: 1 });
    expect(report.metrics.slot.raw.f1).toBe(1);
  });

  test('groups by formulation, domain, difficulty, construct and length, each with its ledger', async () => {
    const report = await score(TINY_SAMPLES.filter(({ formulation }) => formulation !== 'sel').map(gold));
    const keys = (name: keyof Report['groups']) =>
      report.groups[name].map(({ key, ledger }) => `${key} ${ledger.pass}/${ledger.total}`);
    expect(keys('formulation')).toEqual(['rest 4/4', 'slot 4/4', 'sel 0/4']);
    expect(keys('domain')).toEqual(['shop 8/12']);
    expect(keys('difficulty')).toEqual(['simple 4/6', 'moderate 2/3', 'unknown 2/3']);
    expect(keys('construct')).toEqual(['order_by 2/3', 'where 6/9']);
    expect(keys('gold_calls')).toEqual(['1 4/4', '2 2/4', '3 2/4']);
    expect(keys('depth')).toEqual(['1 4/4', '2 2/4', '3 2/4']);
    expect(keys('width')).toEqual(['1 8/12']);
    expect(keys('parameters')).toEqual(['1 4/4', '3 0/4', '4 4/4']);
    expect(report.groups.formulation[2]?.completion).toEqual({ value: null, count: 0, n: 0, ci: null });
  });

  test('is the same each time, intervals included', async () => {
    const predictions = TINY_SAMPLES.map((s, i) =>
      i % 3 === 0 ? { sample_id: s.sample_id, calls: [] } : gold(s),
    );
    expect(await score(predictions)).toEqual(await score(predictions));
    const { ci, value } = (await score(predictions)).metrics.completion;
    expect(ci?.[0]).toBeLessThanOrEqual(value as number);
    expect(ci?.[1]).toBeGreaterThanOrEqual(value as number);
  });

  test('averages loops, tokens and cost over the samples that have them', async () => {
    const report = await score(
      [
        { model: 'm', settings: { temperature: 0.0 } },
        { ...gold(find('0/rest')), loops: 2, latency_s: 1.0, input_tokens: 1000, output_tokens: 100 },
        { sample_id: 'tiny/shop/1/rest', calls: [], loops: 10 },
        gold(find('2/rest')),
      ],
      { prices: { m: { input_per_million: 1, output_per_million: 10 } } },
    );
    expect(report.metrics.react.loops).toEqual({ value: 6, n: 2 });
    expect(report.metrics.react.out_of_budget).toMatchObject({ count: 1, n: 2 });
    expect(report.metrics.efficiency.latency_s).toEqual({ value: 1, n: 1, p50: 1, p95: 1, sd: null });
    expect(report.metrics.efficiency.total_cost).toBeCloseTo(0.002);
    expect(report.run).toEqual({ model: 'm', settings: { temperature: 0 } });
  });

  test('an attempt that ended without an answer fails by its ending, except for its budget', async () => {
    const [first, second, third] = [find('0/rest'), find('1/rest'), find('0/slot')];
    const report = await score([
      { ...gold(first), ended_by: 'refused' },
      { ...gold(second), ended_by: 'context_window' },
      gold(third),
    ]);
    expect(report.ledger).toMatchObject({ pass: 1, fail: 2 });
    expect(report.metrics.ended_by).toMatchObject({
      refused: { count: 1, n: 3 },
      context_window: { count: 1, n: 3 },
      broken_arguments: { count: 0, n: 3 },
    });
    expect(report.metrics.react.out_of_budget.count).toBe(0);
    const scored = report.samples.find(({ sample_id }) => sample_id === first.sample_id);
    expect(scored).toMatchObject({
      ended_by: 'refused',
      error_class: null,
      shown: { note: 'Ended without an answer: refused.' },
    });
    const rows = reportTables(report).flatMap((table) => table.rows.map((row) => row.join(' ')));
    expect(rows).toContainEqual(expect.stringMatching(/^ended: context window +33\.3 %/));
  });

  test('reads calls from the text if the runner recorded none', async () => {
    const [first, second] = [find('0/rest'), find('1/rest')];
    const report = await score([
      { sample_id: first.sample_id, calls: [], raw_output: JSON.stringify(first.output) },
      { sample_id: second.sample_id, calls: [], raw_output: 'Nothing to call.' },
    ]);
    expect(report.ledger).toMatchObject({ pass: 1, fail: 1, unparseable: 0 });
  });

  test('checks responses of calls as BFCL did', async () => {
    const rest = TINY_SAMPLES.filter(({ formulation }) => formulation === 'rest');
    const right = await score(rest.map(gold));
    expect(right.metrics.executed.exact).toMatchObject({ count: rest.length, n: rest.length });
    expect(right.metrics.executed.rest).toMatchObject({ count: rest.length, n: rest.length });
    const { sample_id, output } = find('1/rest');
    const [call] = output;
    const refused = await score([{ sample_id, calls: [{ ...call, arguments: { unheard_of: 1 } }] }], {
      replay: () => Promise.resolve({ error: 'It was refused.', refusals: ['unknown parameter'] }),
    });
    const verdicts = refused.samples.find((each) => each.sample_id === sample_id)?.executed;
    expect(verdicts).toMatchObject({ rest: 'executable_checker_rest:wrong_status_code' });
    expect((await score([{ sample_id, answer: 1 }])).metrics.executed.exact.n).toBe(0);
  });

  test('reads positional arguments as those of the tool', async () => {
    const { sample_id } = find('1/rest');
    const report = await score([{ sample_id, raw_output: 'get_items_by_min_price(40.1)' }]);
    expect(report.ledger).toMatchObject({ pass: 1 });
  });

  test('counts the rungs that read the outputs', async () => {
    const report = await score([
      { sample_id: 'tiny/shop/0/rest', raw_output: JSON.stringify(find('0/rest').output) },
      { sample_id: 'tiny/shop/1/rest', raw_output: 'get_items_by_min_price(min_price=40.1)' },
      { sample_id: 'tiny/shop/2/rest', raw_output: 'no' },
    ]);
    expect(report.parsing).toMatchObject({
      n: 3,
      rungs: { json: 1, call_syntax: 1, none: 1 },
      strict: { count: 1, n: 3 },
    });
    expect(report.ledger).toMatchObject({ pass: 2, unparseable: 1 });
    const strictly = await score(
      [{ sample_id: 'tiny/shop/1/rest', raw_output: 'get_items_by_min_price(min_price=40.1)' }],
      {
        options: { parse: 'strict' },
      },
    );
    expect(strictly.ledger).toMatchObject({ pass: 0, unparseable: 1 });
  });
});

describe('a prediction file is refused', () => {
  test.each([
    [`{"farm_hash":"${'b'.repeat(64)}"}`, 'PREDICTIONS_FOR_OTHER_FARM', /:1$/],
    ['{"sample_id":"other/shop/0/rest"}', 'PREDICTIONS_FOR_OTHER_FARM', /:1$/],
    ['\n{"sample_id":', 'PREDICTIONS_INVALID', /:2$/],
    ['[]', 'PREDICTIONS_INVALID', /:1$/],
    ['{"sample_id":"tiny/shop/0/rest","loops":-1}', 'PREDICTIONS_INVALID', /:1$/],
    ['{"sample_id":"tiny/shop/0/rest","calls":{}}', 'PREDICTIONS_INVALID', /:1$/],
    ['{"sample_id":"tiny/shop/0/rest","anwser":1}', 'PREDICTIONS_INVALID', /:1$/],
    ['{"sample_id":"tiny/shop/0/rest"}\n{"sample_id":"tiny/shop/0/rest"}', 'PREDICTIONS_INVALID', /:2$/],
    ['{"modle":"x"}', 'PREDICTIONS_INVALID', /:1$/],
    ['{"model":"x"}\n{"model":"x"}', 'PREDICTIONS_INVALID', /:2$/],
  ])('%s', async (text, code, place) => {
    await expect(score([text])).rejects.toMatchObject({ code, file: expect.stringMatching(place) });
  });

  test('if it does not exist', () => {
    expect(() => readPredictions('/nowhere.jsonl', farm)).toThrow(
      expect.objectContaining({ code: 'PREDICTIONS_NOT_FOUND' }),
    );
  });
});
