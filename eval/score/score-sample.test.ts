import { expect, test } from 'vitest';
import type { Row } from '../../contracts/catalog.ts';
import { type Prediction, prediction } from '../../contracts/prediction.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { HybridFailure } from '../metrics/hybrid.ts';
import { scoreHybrid } from '../metrics/hybrid.ts';

const GOLD: Row[] = [
  ['Ada', 3],
  ['Per', 1],
];
const sample = {
  gold_answer: GOLD,
  ordered: false,
  order_groups: null,
  plan: { share: 40, seed: 7, class: 'mixed', calls: 2, pages: 3, rows_moved: 30 },
} as unknown as Sample;
const use = { calls: 4, pages: 5, rows: 60, invented: 0, misrouted: 0, unbound: 0 };

const score = (rows: readonly Row[] | null, given: Partial<Prediction> = {}) =>
  scoreHybrid(sample, prediction.parse({ sample_id: 'a', api_use: use, ...given }), {
    readings: rows === null ? [] : [rows],
    refusals: [],
  });

test('extra columns are allowed, but not in the exact figure', () => {
  expect(score([...GOLD].reverse())).toMatchObject({ execution: true, exact: true, failure: null });
  const wider = GOLD.map((row, i) => [i, ...row]);
  expect(score(wider)).toMatchObject({ execution: true, exact: false, failure: null });
});

test('reports API use beside that of the gold plan', () => {
  expect(score(GOLD, { model_s: 2, execution_s: 0.5 })).toMatchObject({
    share: '40-7',
    class: 'mixed',
    used: { calls: 4, pages: 5, rows: 60 },
    planned: { calls: 2, pages: 3, rows: 30 },
    model_s: 2,
    execution_s: 0.5,
  });
  expect(score(GOLD, { api_use: null })?.used).toBeNull();
});

test.each<[HybridFailure, readonly Row[] | null, Partial<Prediction>]>([
  ['unbound_input', null, { sql: 'SELECT 1', api_use: { ...use, unbound: 1, misrouted: 1 } }],
  ['routing', null, { sql: 'SELECT 1', api_use: { ...use, misrouted: 1 } }],
  ['not_executed', null, { sql: 'SELECT 1' }],
  ['no_answer', null, {}],
  ['no_answer', null, { sql: 'SELECT 1', out_of_budget: true }],
  ['invented_value', [['Ada', 9]], { api_use: { ...use, invented: 2 } }],
  ['lost_rows', [['Ada', 3]], {}],
  ['lost_rows', [], {}],
  ['extra_rows', [...GOLD, ['Zoe', 2]], {}],
  ['extra_rows', [...GOLD, ...GOLD], {}],
  [
    'wrong_aggregation',
    [
      ['Per', 2],
      ['Ada', 3],
    ],
    {},
  ],
  [
    'wrong_rows',
    [
      ['Ada', 3],
      ['Zoe', 1],
    ],
    {},
  ],
  ['wrong_rows', [['Zoe', 1]], {}],
])('a failure is called %s', (code, rows, given) => expect(score(rows, given)?.failure).toBe(code));

test('other tasks have no such score', () => {
  const { plan: _, ...other } = sample;
  expect(scoreHybrid(other, { sample_id: 'a' }, { readings: [GOLD], refusals: [] })).toBeNull();
});
