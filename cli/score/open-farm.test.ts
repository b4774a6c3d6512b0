import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call, Sample } from '../../contracts/sample.ts';
import { type FarmToScore, makeFarmToScore } from './testing/scored-farm.ts';

const SCHEMA = `
  CREATE TABLE account (id INTEGER PRIMARY KEY, owner TEXT, number INTEGER, opened TEXT);
  INSERT INTO account VALUES (1,'Ada',9007199254740993,'2020-01-05'),(2,'Bo',9007199254740992,'2021-02-06'),
    (3,'Cy',9223372036854775807,'2022-03-07'),(4,'Di',17,NULL),(5,'Bo',23,'2020-08-09');
`;
const STATEMENTS = [
  "SELECT number FROM account WHERE owner = 'Ada'",
  "SELECT owner FROM account WHERE owner = 'nobody'",
  'SELECT owner, number FROM account ORDER BY number DESC LIMIT 2',
  "SELECT SUM(id) FROM account WHERE owner = 'Bo' AND opened > '2025-01-01'",
  "SELECT substr(opened, 1, 4) FROM account WHERE owner = 'Cy'",
  'SELECT owner FROM account WHERE number = 9007199254740993',
];

let shop: FarmToScore;
beforeAll(async () => {
  shop = await makeFarmToScore(SCHEMA, STATEMENTS);
});
afterAll(() => shop.close());

const outcomeOf = async (id: string, calls: readonly object[], more: object = {}) =>
  (await shop.scoreOne({ sample_id: shop.find(id).sample_id, calls, ...more })).outcome;

describe('calls that fail', () => {
  const wrong = (sample: Sample): Call => ({
    name: sample.output[0]?.name as string,
    arguments: { nope: 1 },
  });

  test.each(['before', 'after'])('leave the right rows alone when they come %s them', async (when) => {
    for (const id of ['0/rest', '0/slot', '0/sel']) {
      const sample = shop.find(id);
      const calls = when === 'before' ? [wrong(sample), ...sample.output] : [...sample.output, wrong(sample)];
      expect(await outcomeOf(id, calls), id).toBe('pass');
    }
  });

  test('leave no result if all calls fail', async () => {
    const sample = shop.find('0/rest');
    const score = await shop.scoreOne({ sample_id: sample.sample_id, calls: [wrong(sample)] });
    expect(score.outcome).toBe('fail');
    expect(score.shown.note).toContain('nope');
  });

  test('do not hide different rows of a later call', async () => {
    const [gold] = shop.find('0/rest').output as [Call];
    const other = {
      ...gold,
      arguments: Object.fromEntries(Object.keys(gold.arguments).map((key) => [key, 'Di'])),
    };
    expect(await outcomeOf('0/rest', [gold, other])).toBe('fail');
    expect(await outcomeOf('0/rest', [other, gold])).toBe('pass');
  });
});

describe('a reference to a label that no call made', () => {
  test.each(['1/slot', '1/sel'])('does not equal an empty gold: %s', async (id) => {
    const text = JSON.stringify(shop.find(id).output);
    expect(shop.find(id).gold_answer).toEqual([]);
    expect(await outcomeOf(id, JSON.parse(text))).toBe('pass');
    for (const dangling of ['$nope$', '$nope.rows[0]$', '$nope$.rows', '$FILTERED_DF_9$']) {
      const calls = JSON.parse(text.replaceAll('"nobody"', JSON.stringify(dangling)));
      const score = await shop.scoreOne({ sample_id: shop.find(id).sample_id, calls });
      expect(score.outcome, dangling).toBe('fail');
      expect(score.shown.note).toContain('there is no result');
    }
  });

  test('does not produce the NULL of a gold sum', async () => {
    expect(shop.find('3/slot').gold_answer).toEqual([[null]]);
    const calls = [
      {
        name: 'calculate',
        arguments: { input: '$SUM$', operation_type: 'divide', operation_args: { operand: '$COUNT$' } },
        label: 'x',
      },
    ];
    expect(await outcomeOf('3/slot', calls)).toBe('fail');
  });

  test('is plain text in REST, which has no labels', async () => {
    const [gold] = shop.find('1/rest').output as [Call];
    const calls = [
      { ...gold, arguments: Object.fromEntries(Object.keys(gold.arguments).map((k) => [k, '$nope$'])) },
    ];
    expect(await outcomeOf('1/rest', calls)).toBe('pass');
  });
});

describe('integers of 64 bits', () => {
  test('keep every digit in the gold', () => {
    for (const form of ['rest', 'slot', 'sel']) {
      expect(shop.find(`0/${form}`).gold_answer).toEqual([[9007199254740993n]]);
      expect(shop.find(`2/${form}`).gold_answer).toEqual([
        ['Cy', 9223372036854775807n],
        ['Ada', 9007199254740993n],
      ]);
    }
  });

  test.each(['0', '2', '5'])('come out of replayed calls: question %s', async (question) => {
    for (const form of ['rest', 'slot', 'sel']) {
      const { sample_id, output } = shop.find(`${question}/${form}`);
      const score = await shop.scoreOne({ sample_id, calls: output }, { replay: 'all' });
      expect(score.outcome, form).toBe('pass');
      expect(score.shown.predicted_rows).toEqual(shop.find(`${question}/${form}`).gold_answer);
    }
  });

  test.each([
    [9007199254740993n, 'pass'],
    ['9007199254740993', 'pass'],
    [9007199254740992n, 'fail'],
    [9007199250000000, 'fail'],
    [9007199254740994n, 'fail'],
  ])('compare exactly: %s', async (answer, outcome) => {
    for (const given of [answer, [[answer]]]) {
      const score = await shop.scoreOne({ sample_id: shop.find('0/rest').sample_id, answer: given });
      // Text inside rows is text; alone it may spell a number.
      if (typeof answer !== 'string' || given === answer) expect(score.outcome).toBe(outcome);
    }
  });

  test('are distinguished in arguments, by the service and by the metrics', async () => {
    const { sample_id, output } = shop.find('5/slot');
    const withValue = (value: unknown) =>
      output.map((call) =>
        'value' in call.arguments ? { ...call, arguments: { ...call.arguments, value } } : call,
      );
    const right = await shop.scoreOne({ sample_id, calls: withValue(9007199254740993n) });
    expect(right).toMatchObject({ outcome: 'pass', shown: { predicted_rows: [['Ada']] } });
    const other = await shop.scoreOne({ sample_id, calls: withValue(9007199254740992n) });
    expect(other).toMatchObject({ outcome: 'fail', shown: { predicted_rows: [['Bo']] } });
  });
});

describe('an argument of the wrong type', () => {
  const asked = async (id: string, change: (args: Record<string, unknown>) => Record<string, unknown>) => {
    const { sample_id, output } = shop.find(id);
    const calls = output.map((call) => ({ ...call, arguments: change(call.arguments) }));
    return shop.scoreOne({ sample_id, calls });
  };

  test('is a value error, as for the service', async () => {
    const limit = (value: unknown) =>
      asked('2/slot', (args) => ('limit' in args ? { ...args, limit: value } : args));
    expect(await limit('2')).toMatchObject({ outcome: 'fail', error_class: 'value_error' });
    expect(await limit(true)).toMatchObject({ outcome: 'fail', error_class: 'value_error' });
    expect((await limit(2)).outcome).toBe('pass');
  });

  test('is refused for a position, in SLOT and SEL', async () => {
    const slot = (start_index: unknown) =>
      asked('4/slot', (args) =>
        args.operation_args === undefined
          ? args
          : { ...args, operation_args: { ...(args.operation_args as object), start_index } },
      );
    const sel = (start_index: unknown) =>
      asked('4/sel', (args) => ('start_index' in args ? { ...args, start_index } : args));
    for (const position of ['0', 'x', 0.5, true]) {
      for (const score of [await slot(position), await sel(position)]) {
        expect(score).toMatchObject({ outcome: 'fail', error_class: 'value_error' });
        expect(score.shown.note).toContain('must be a whole number');
      }
    }
    expect((await slot(0)).outcome).toBe('pass');
    expect((await sel(0)).outcome).toBe('pass');
  });
});
