import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Slot, UserScript } from '../../contracts/dialogue.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { JsonObject } from '../../eval/json/lossless.ts';
import { TINY_UNIVERSE } from '../../tests/support/tiny-farm.ts';
import { file, lines, REST, TASKS, writeTo } from '../testing/exported.ts';
import { importBfcl } from './export.ts';
import { exportDialogues } from './export-dialogues.ts';

const slot = (turn: number, name: string, said: string): Slot => ({
  name,
  words: [name],
  said,
  values: [],
  turn,
  withheld: true,
});

/** A dialogue of the first two REST questions and the first again. */
function dialogue(question_id: string, user: UserScript): Sample {
  const [first, second] = REST as [Sample, Sample];
  const turns = [first, second, first].map(({ sample_id }, i) => ({
    text: `Turn ${i + 1}?`,
    sample_id,
    edit: 'ask' as const,
    refs: [],
    alone: null,
  }));
  return { ...first, sample_id: `tiny/shop/${question_id}/rest`, question_id, turns, user };
}

const samples = [
  ...REST,
  dialogue('d1', { temperament: 'plain', slots: [] }),
  dialogue('d2', { temperament: 'late', slots: [slot(2, 'price', 'forty'), slot(2, 'kind', 'lights')] }),
];
const files = exportDialogues(samples, TASKS, { size: 2, seed: 1, evidence: false });
const read = (kind: string) => ({
  question: lines(file(files, `BFCL_v4_farm_multi_turn_${kind}.json`)),
  answer: lines(file(files, `possible_answer/BFCL_v4_farm_multi_turn_${kind}.json`)),
});
const [one, other] = REST.map(
  ({ output: [call] }) =>
    `${call?.name}(${Object.entries(call?.arguments ?? {}).map(([key, value]) => `${key}=${typeof value === 'string' ? `'${value}'` : value}`)})`,
) as [string, string];
const says = (content: string) => [{ role: 'user', content }];

test('base and long_context have the turns, with few functions and with all', () => {
  for (const [kind, name, functions] of [
    ['base', 'shop_d1', 2],
    ['long_context', 'shop', 3],
  ] as const) {
    const { question, answer } = read(kind);
    expect(question).toEqual([
      {
        id: `farm_multi_turn_${kind}_0`,
        question: [says('Turn 1?'), says('Turn 2?'), says('Turn 3?')],
        initial_config: { [name]: { sample_id: 'tiny/shop/d1/rest' } },
        path: [one, other, one].map((call) => `${name}.${call.split('(')[0]}`),
        involved_classes: [name],
      },
    ]);
    expect(answer).toEqual([{ id: `farm_multi_turn_${kind}_0`, ground_truth: [[one], [other], [one]] }]);
    expect(lines(file(files, `multi_turn_func_doc/${name}.json`))).toHaveLength(functions);
  }
});

test('a dialogue in two domains has one class with the functions of both, a name of both numbered', () => {
  const [first, second] = REST as [Sample, Sample];
  const away: Sample = {
    ...second,
    sample_id: second.sample_id.replace('/shop/', '/fair/'),
    dataset_name: 'fair',
  };
  const { turns = [], ...rest } = dialogue('d3', { temperament: 'plain', slots: [] });
  const [ask, hop] = turns.map((turn, i) => (i === 1 ? { ...turn, sample_id: away.sample_id } : turn));
  const whole = { ...rest, turns: [ask, hop] } as Sample;
  const universe = { toolsFor: () => TINY_UNIVERSE.toolsFor(first) };
  const written = exportDialogues(
    [first, away, whole],
    { ...TASKS, universe },
    { size: null, seed: 1, evidence: false },
  );
  const [asked] = lines(file(written, 'BFCL_v4_farm_multi_turn_base.json')) as [JsonObject];
  expect(asked.involved_classes).toEqual(['fair_and_shop']);
  const docs = lines(file(written, 'multi_turn_func_doc/fair_and_shop.json')).map(
    (doc) => (doc as JsonObject).name,
  );
  expect(docs).toHaveLength(6);
  expect(new Set(docs).size).toBe(6);
  // By name of domain: the fair's functions keep their names.
  expect(lines(file(written, 'possible_answer/BFCL_v4_farm_multi_turn_base.json'))).toMatchObject([
    { ground_truth: [[expect.stringMatching(/^\w+_2\(/)], [other]] },
  ]);
});

test('miss_func calls for nothing in a turn, and says nothing when the function comes', () => {
  const { question, answer } = read('miss_func');
  const [{ question: turns, missed_function }] = question as [JsonObject & { question: unknown[][] }];
  const [[at, names]] = Object.entries(missed_function as Record<string, string[]>) as [[string, string[]]];
  const { ground_truth } = answer[0] as unknown as { ground_truth: string[][] };
  expect(turns).toHaveLength(4);
  expect(turns[Number(at)]).toEqual([]);
  expect(ground_truth[Number(at) - 1]).toEqual([]);
  expect(ground_truth[Number(at)]?.map((call) => call.split('(')[0])).toEqual(names);
  // It is missing from the beginning, so no earlier turn can need it.
  expect(ground_truth.slice(0, Number(at)).flat().join()).not.toContain(names[0]);
  expect(ground_truth.filter((calls) => calls.length > 0)).toEqual([[one], [other], [one]]);
});

test('miss_param calls for nothing until the user has said the values', () => {
  const { question, answer } = read('miss_param');
  expect(question[0]?.question).toEqual([
    says('Turn 1?'),
    says('Turn 2?'),
    says('Price: forty; Kind: lights.'),
    says('Turn 3?'),
  ]);
  expect(answer).toEqual([{ id: 'farm_multi_turn_miss_param_0', ground_truth: [[one], [], [other], [one]] }]);
});

test('results of several turns are read back as turns, in either form and as far as they came', () => {
  const folder = writeTo(files);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const result = join(folder, 'BFCL_v4_farm_multi_turn_result.json');
  const native = {
    id: 'farm_multi_turn_base_0',
    result: [[[{ f: '{"class_": 1}' }], 'Done.'], []],
    latency: [[1, 2], [3]],
  };
  const prompted = {
    id: 'farm_multi_turn_miss_param_0',
    result: [['[f(a=1)]', '[g(b=2), h()]', 'Which price?']],
  };
  writeFileSync(result, [native, prompted].map((each) => `${JSON.stringify(each)}\n`).join(''));
  const { predictions } = importBfcl(result, join(folder, 'farm_samples.jsonl'));
  const [d1, d2] = ['d1', 'd2'].map(
    (id) => samples.find(({ question_id }) => question_id === id)?.turns ?? [],
  );
  const due = (turns: Sample['turns'], at: number) => turns?.[at]?.sample_id;
  expect(predictions).toMatchObject([
    {
      sample_id: 'tiny/shop/d1/rest',
      latency_s: 6,
      turns: [
        { sample_id: due(d1, 0), expects: 'answer', calls: [{ name: 'f', arguments: { class: 1 } }] },
        { sample_id: due(d1, 1), expects: 'answer', calls: [] },
        { sample_id: due(d1, 2), expects: 'answer' },
      ],
    },
    {
      sample_id: 'tiny/shop/d2/rest',
      turns: [
        {
          sample_id: due(d2, 0),
          expects: 'answer',
          calls: [
            { name: 'f', arguments: { a: 1 } },
            { name: 'g', arguments: { b: 2 } },
            { name: 'h', arguments: {} },
          ],
        },
        { sample_id: due(d2, 1), expects: 'no_call' },
        { sample_id: due(d2, 1), expects: 'answer' },
        { sample_id: due(d2, 2), expects: 'answer' },
      ],
    },
  ]);
  expect(predictions[0]?.turns?.[2]).not.toHaveProperty('calls');
  writeFileSync(result, JSON.stringify({ id: native.id, result: 'f()' }));
  expect(() => importBfcl(result, join(folder, 'farm_samples.jsonl'))).toThrow(/several turns/);
});

test('a farm without dialogues has none of these files', () => {
  const none = exportDialogues(REST, TASKS, { size: null, seed: 1, evidence: false });
  expect(none.map(({ path }) => path)).toEqual(['rookery_farm.py']);
});

test('state has tasks that change records, with the rules, in one turn', () => {
  const [first] = REST as [Sample];
  const change = { table: 'item', key: { name: 'lamp' }, before: null, after: { name: 'lamp' } };
  const task: Sample = {
    ...first,
    sample_id: 'tiny/shop/w1/records',
    formulation: 'records',
    question_id: 'w1',
    input: 'Make it wood.',
    gold_columns: [],
    gold_diff: [change],
    output: [{ name: 'update_item', arguments: { key: 'lamp', class: '', price: 5, kind: null } }],
  };
  const update = {
    required: ['key'],
    properties: {
      key: { type: 'string' },
      class: { type: 'string' },
      price: { type: 'number' },
      kind: { type: ['string', 'null'] },
    },
  };
  const answered = { ...task, question_id: 'w2', gold_columns: ['count'] };
  const refused = { ...task, question_id: 'w3', gold_diff: [] };
  const open = { ...task, question_id: 'w4', open: ['item.kind'] };
  const universe = { toolsFor: () => new Map([['update_item', update]]) };
  const rulesOf = () => ['Nothing is sold on Sundays.'];
  const written = exportDialogues(
    [task, answered, refused, open],
    { universe, rulesOf },
    {
      size: null,
      seed: 1,
      evidence: false,
    },
  );
  expect(lines(file(written, 'BFCL_v4_farm_multi_turn_state.json'))).toEqual([
    {
      id: 'farm_multi_turn_state_0',
      question: [says('Make it wood.\n\nRules that hold for every task:\n- Nothing is sold on Sundays.')],
      initial_config: { shop_records: { sample_id: 'tiny/shop/w1/records' } },
      path: ['shop_records.update_item'],
      involved_classes: ['shop_records'],
    },
  ]);
  expect(lines(file(written, 'possible_answer/BFCL_v4_farm_multi_turn_state.json'))).toEqual([
    {
      id: 'farm_multi_turn_state_0',
      ground_truth: [["update_item(key='lamp', class_='', price=5.0, kind=None)"]],
    },
  ]);
  expect(lines(file(written, 'multi_turn_func_doc/shop_records.json'))).toHaveLength(1);
});
