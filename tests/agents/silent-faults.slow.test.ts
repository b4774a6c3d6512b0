import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FarmToScore, makeFarmToScore } from '../../cli/score/testing/scored-farm.ts';
import { contradiction, silentFaultKind } from '../../contracts/faults.ts';
import { openExam } from '../support/silent-faults/exam.ts';

const SCHEMA = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, price REAL NOT NULL, stock INTEGER NOT NULL);
  INSERT INTO item (name, kind, price, stock) VALUES
    ('lamp', 'light', 12.5, 7), ('bulb', 'light', 2, 140), ('torch', 'light', 9, 31), ('candle', 'light', 1.2, 90),
    ('lantern', 'light', 33, 4), ('desk', 'wood', 80, 3), ('chair', 'wood', 40.1, 12), ('shelf', 'wood', 25, 18),
    ('stool', 'wood', 19.9, 26), ('bench', 'wood', 61, 5);
`;

const QUERIES = [
  "SELECT name, stock FROM item WHERE kind = 'light'",
  "SELECT stock FROM item WHERE kind = 'wood'",
  'SELECT name, price FROM item WHERE price > 10 ORDER BY price',
  'SELECT name FROM item WHERE stock > 10',
  "SELECT count(*) FROM item WHERE kind = 'light'",
  {
    question: 'Which items cost more than 12.5, and how much?',
    sql: 'SELECT name, price FROM item WHERE price > 12.5',
  },
  {
    question: 'Which different kinds are there above 12?',
    sql: 'SELECT DISTINCT kind FROM item WHERE price > 12',
  },
  {
    question: 'What are the 3 items of which we have most?',
    sql: 'SELECT name FROM item ORDER BY stock DESC LIMIT 3',
  },
];

let farm: FarmToScore;
let exam: Awaited<ReturnType<typeof openExam>>;
beforeAll(async () => {
  farm = await makeFarmToScore(SCHEMA, QUERIES);
  exam = await openExam(farm.folder);
});
afterAll(async () => {
  await exam?.close();
  await farm?.close();
});

const cases = silentFaultKind.options.flatMap((fault) =>
  contradiction.options.map((kind) => [fault, kind] as const),
);

test.each(cases)('%s, %s: who checks finds all, who trusts finds none', async (fault, kind) => {
  const told = exam.samplesWith(fault, { contradiction: kind }, (all) => !all.includes('repeat'));
  const untold = exam.samplesWith(fault, { contradiction: kind }, (all) => all.includes('repeat'));
  expect(told.length + untold.length).toBeGreaterThan(0);
  const checked = [
    [told, 'checking', 'transient'],
    [told, 'checking', 'permanent'],
    [untold, 'asking_twice', 'transient'],
  ] as const;
  for (const [samples, manner, lasting] of checked) {
    if (samples.length === 0) continue;
    const look = async (how: typeof manner | 'trusting') => {
      const report = await exam.examine(samples, { fault, contradiction: kind, lasting, manner: how });
      const [counts] = report.metrics.silent_faults?.kinds ?? [];
      return counts;
    };
    const n = samples.length;
    const passed = lasting === 'transient';
    expect(await look('trusting')).toEqual({ fault, n, noticed: 0, verified: 0, recovered: 0, admitted: 0 });
    expect(await look(manner)).toEqual({
      fault,
      n,
      noticed: n,
      verified: passed ? n : 0,
      recovered: passed ? n : 0,
      admitted: passed ? 0 : n,
    });
  }
});

test('the question and other endpoints are witnesses', () => {
  const told = exam.samples.flatMap(({ silent_faults }) =>
    (silent_faults?.faults ?? []).flatMap(({ fault, witnesses }) =>
      witnesses.map((each) => `${each} ${fault}`),
    ),
  );
  expect(told).toContain('other_endpoint dropped_rows');
  expect(told).toContain('question wrong_unit');
  expect(told).toContain('question duplicated_rows');
});

test('who checks has no doubts about true answers, and all of them pass', async () => {
  const clean = {
    fault: null,
    contradiction: 'explicit',
    lasting: 'transient',
    manner: 'asking_twice',
  } as const;
  const { metrics } = await exam.examine(exam.samples, clean);
  expect(metrics.silent_faults?.false_alarm).toMatchObject({ count: 0, n: exam.samples.length });
  expect(metrics.completion.count).toBe(exam.samples.length);
});

test('no faults are proven of an answer that is a single value', async () => {
  const counted = await makeFarmToScore(SCHEMA, ['SELECT count(*) FROM item']);
  const sample = counted.find('0/slot');
  await counted.close();
  expect(sample).not.toHaveProperty('silent_faults');
});
