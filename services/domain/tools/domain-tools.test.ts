import { expect, test } from 'vitest';
import { KnownPlans, type ToolCall } from './domain-tools.ts';
import type { FilterPlan, Plan, StartPlan } from './plan.ts';

const start = {
  op: 'start',
  handle: 'start',
  columns: [],
  definition: { condition_sequence: [], alias_to_table_dict: {} },
} as StartPlan;
const filter = (handle: string, input: Plan): FilterPlan => ({
  op: 'filter',
  handle,
  input,
  columns: start.columns,
  predicate: { kind: 'all', of: [] },
});
const call = (text = ''): ToolCall => ({ formulation: 'slot', name: 'filter_data', arguments: { text } });
const handles = (plans: KnownPlans) => [...plans].map(({ plan }) => plan.handle);

/** Adds a chain of filters called `<name>0`, `<name>1`, … */
function addChain(plans: KnownPlans, name: string, length: number, text = ''): void {
  let known = plans.get('start');
  for (let i = 0; i < length && known; i++) {
    plans.add(filter(`${name}${i}`, known.plan), call(text), [known]);
    known = plans.get(`${name}${i}`);
  }
}

test('evicts the least recently used first, start tables never', () => {
  const plans = new KnownPlans([start], 3000);
  addChain(plans, 'a', 1);
  addChain(plans, 'b', 1);
  plans.get('a0');
  for (const name of ['c', 'd', 'e', 'f']) {
    addChain(plans, name, 1);
    plans.get('a0');
  }
  expect(handles(plans)).toContain('a0');
  expect(handles(plans)).not.toContain('b0');
  expect(plans.get('start')?.plan).toBe(start);
});

test('a plan counts as long as a plan derived from it is kept', () => {
  const plans = new KnownPlans([start], 20_000);
  // Ten plans of 2 kB; only the last is used again.
  addChain(plans, 'long', 9, 'x'.repeat(1500));
  for (let i = 0; i < 100; i++) {
    addChain(plans, `other${i}_`, 1);
    plans.get('long8');
  }
  expect(handles(plans)).toContain('long8');
  // `long8` keeps its whole chain alive, which leaves little of the budget.
  expect(handles(plans).length).toBeLessThan(5);
});

test('finds a plan by its bare handle, but not with another word', () => {
  const plans = new KnownPlans([{ ...start, handle: 'start_zoo_0123456789ab' }], 20_000);
  plans.add(filter('filtered_ba9876543210', start), call(), []);
  for (const [bare, handle] of [
    ['t_0123456789ab', 'start_zoo_0123456789ab'],
    ['t_ba9876543210', 'filtered_ba9876543210'],
  ] as const) {
    expect(plans.get(handle)?.plan.handle).toBe(handle);
    expect(plans.get(bare)?.plan.handle).toBe(handle);
  }
  expect(plans.get('sorted_ba9876543210')).toBeUndefined();
  expect(handles(plans)).toEqual(['filtered_ba9876543210']);
});

test('a budget of 0 keeps only the start tables', () => {
  const plans = new KnownPlans([start], 0);
  addChain(plans, 'a', 3);
  expect(handles(plans)).toEqual([]);
});

test('a caller that makes many plans evicts only its own', () => {
  const plans = new KnownPlans([start], 20_000);
  const honest = filter('honest', start);
  plans.add(honest, call(), [], 'honest');
  plans.add(filter('both', start), call(), [], 'greedy');
  plans.get('both', 'honest');
  for (let i = 0; i < 100; i++) plans.add(filter(`greedy${i}`, start), call('x'.repeat(1500)), [], 'greedy');
  expect(handles(plans)).toEqual(expect.arrayContaining(['honest', 'both', 'greedy99']));
  expect(handles(plans).length).toBeLessThan(15);
});

test('a shared plan is dropped when its last holder drops it', () => {
  const plans = new KnownPlans([start], 3000);
  for (let i = 0; i < 50; i++) {
    plans.add(filter(`plan${i}`, start), call(), [], `caller${i % 7}`);
    plans.get(`plan${i}`, `caller${(i + 1) % 7}`);
  }
  expect(handles(plans).length).toBeLessThan(6);
  expect(handles(plans)).toContain('plan49');
});
