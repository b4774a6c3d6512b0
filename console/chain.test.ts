import { expect, test } from 'vitest';
import { type ChainCall, nestedCall, readChain, withoutCall } from './chain.ts';

const CALLS: ChainCall[] = [
  {
    name: 'filter_data',
    arguments: { data_source: '$starting_table_var$', key_name: 'city', value: 'Ashcombe' },
    label: 'step_1',
  },
  { name: 'sort_data', arguments: { data_source: '$step_1$', key_name: 'beds' }, label: 'step_2' },
  { name: 'retrieve_data', arguments: { data_source: '$step_2$', key_name: 'name' }, label: 'step_3' },
  { name: 'retrieve_data', arguments: { data_source: '$step_2$', key_name: 'beds' }, label: 'step_4' },
];

test('a branching chain becomes one nested call per end', () => {
  const filtered = 'filter_data(data_source="$starting_table_var$", key_name="city", value="Ashcombe")';
  const sorted = `sort_data(data_source=${filtered}, key_name="beds")`;
  expect(nestedCall(CALLS)).toBe(
    `retrieve_data(data_source=${sorted}, key_name="name")\nretrieve_data(data_source=${sorted}, key_name="beds")`,
  );
});

test('removing a call connects later ones to its source', () => {
  const sources = withoutCall(CALLS, 1).map((call) => call.arguments.data_source);
  expect(sources).toEqual(['$starting_table_var$', '$step_1$', '$step_1$']);
});

test('parses a chain from a URL, and rejects other text', () => {
  expect(readChain(JSON.stringify(CALLS))).toEqual(CALLS);
  for (const text of ['', '{}', '[1]', '[{"name":"a"}]']) expect(readChain(text), text).toBeNull();
});
