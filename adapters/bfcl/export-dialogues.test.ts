import { expect, test } from 'vitest';
import type { Slot, UserScript } from '../../contracts/dialogue.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { JsonObject } from '../../eval/json/lossless.ts';
import { TINY_UNIVERSE } from '../../tests/support/tiny-farm.ts';
import { file, lines, REST } from '../testing/exported.ts';
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
const files = exportDialogues(samples, TINY_UNIVERSE, { size: 2, seed: 1, evidence: false });
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

test('a farm without dialogues has none of these files', () => {
  const none = exportDialogues(REST, TINY_UNIVERSE, { size: null, seed: 1, evidence: false });
  expect(none.map(({ path }) => path)).toEqual(['rookery_farm.py']);
});
