import type { Call } from '../../contracts/sample.ts';
import { STARTS } from './example-shop.ts';

type Step = [name: string, args: Record<string, unknown>];

/** Calls labelled 1, 2, …; the last is the one that an example is about. */
const steps = (...calls: Step[]): Call[] =>
  calls.map(([name, args], i) => ({ name, arguments: args, label: String(i + 1) }));

const cats: Step = [
  'filter_data',
  { data_source: '$pets$', key_name: 'pet_kind', condition: 'equal_to', value: 'cat' },
];
const heavy: Step = [
  'filter_data',
  { data_source: '$pets$', key_name: 'pet_weight', condition: 'greater_than', value: 10 },
];
const kinds: Step = ['group_data_by', { data_source: '$pets$', key_name: 'pet_kind' }];
const heaviest: Step = [
  'aggregate_data',
  { data_source: '$pets$', key_name: 'pet_weight', aggregation_type: 'max' },
];

/** One example for each SLOT tool, on the tables of the example database. */
export const EXAMPLES: Readonly<Record<string, readonly Call[]>> = {
  initialize_active_data: steps(['initialize_active_data', { ...STARTS.owned }]),
  filter_data: steps(cats),
  sort_data: steps(['sort_data', { data_source: '$pets$', key_name: 'pet_weight', ascending: false }]),
  group_data_by: steps(kinds),
  aggregate_data: steps(kinds, [
    'aggregate_data',
    { data_source: '$1$', key_name: 'pet_weight', aggregation_type: 'mean' },
  ]),
  transform_data: steps([
    'transform_data',
    {
      data_source: '$pets$',
      key_name: 'pet_born',
      operation_type: 'datetime_part',
      operation_args: { datetime_pattern: '%Y' },
      new_key_name: 'pet_birth_year',
    },
  ]),
  select_unique_values: steps(
    ['retrieve_data', { data_source: '$pets$', key_name: 'pet_kind' }],
    ['select_unique_values', { unique_array: '$1$' }],
  ),
  retrieve_data: steps(cats, [
    'retrieve_data',
    { data_source: '$1$', key_name: 'pet_name', distinct: false, limit: -1 },
  ]),
  truncate: steps(['truncate', { truncate_array: '$pets$', n: 2 }]),
  select_columns: steps(['select_columns', { data_source: '$pets$', key_name: ['pet_kind', 'pet_name'] }]),
  combine_rows: steps(cats, heavy, [
    'combine_rows',
    { data_source: '$1$', other_data_source: '$2$', combination: 'or' },
  ]),
  combine_results: steps(
    ['retrieve_data', { data_source: '$pets$', key_name: 'pet_name' }],
    ['retrieve_data', { data_source: '$owners$', key_name: 'owner_name' }],
    ['combine_results', { data_source: '$1$', other_data_source: '$2$', combination: 'union' }],
  ),
  join_data: steps(
    kinds,
    ['aggregate_data', { data_source: '$1$', key_name: 'pet_weight', aggregation_type: 'max' }],
    [
      'join_data',
      {
        data_source: '$pets$',
        other_data_source: '$2$',
        key_name: ['pet_kind', 'pet_weight'],
        other_key_name: ['pet_kind', 'max_pet_weight'],
        join_type: 'semi',
      },
    ],
  ),
  describe_columns: steps(['describe_columns', { data_source: '$pets$', search: 'pet o' }]),
  calculate: steps(heaviest, [
    'calculate',
    { input: '$1$', operation_type: 'divide', operation_args: { operand: 2 } },
  ]),
};

/** A question answered in both formulations. */
export const BOTH: Readonly<Record<'slot' | 'sel', readonly Call[]>> = {
  slot: steps(
    ['filter_data', { data_source: '$owned$', key_name: 'owner_town', condition: 'equal_to', value: 'Lund' }],
    ['sort_data', { data_source: '$1$', key_name: 'pet_weight', ascending: false }],
    ['retrieve_data', { data_source: '$2$', key_name: 'pet_name', distinct: false, limit: 1 }],
  ),
  sel: steps(
    ['select_data_equal_to', { data_source: '$owned$', key_name: 'owner_town', value: 'Lund' }],
    ['sort_data_descending', { data_source: '$1$', key_name: 'pet_weight' }],
    ['get_pet_names', { data_source: '$2$' }],
    ['truncate', { truncate_array: '$3$', n: 1 }],
  ),
};
