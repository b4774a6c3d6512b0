import { expect, test } from 'vitest';
import type { PlanStep } from '../../../contracts/plan.ts';
import { planOf } from './plan-of.ts';

const step: PlanStep = {
  api: 'scalars/get_country_of_place',
  alias: null,
  by: 'inputs',
  calls: 1,
  pages: 1,
  keys: 2,
  rows: 2,
};
const answer = (plan: readonly PlanStep[]) => ({
  columns: ['name'],
  data: [],
  row_count: 0,
  truncated: false,
  executor: 'http',
  class: 'db_only',
  hidden: [],
  plan,
  calls: 1,
  rows_moved: 2,
});
const share = { share: 40, seed: 0 };

test('a plan that asked for a place of several with its name says so', () => {
  expect(planOf(answer([step]), share)).toEqual({
    plan: { ...share, class: 'db_only', calls: 1, pages: 1, rows_moved: 2 },
    choosesPlaces: false,
  });
  expect(planOf(answer([step, { ...step, ambiguous: 1 }]), share).choosesPlaces).toBe(true);
});
