import type { Row } from '../../../contracts/value.ts';
import { catalogOf, smallDatabase } from './small-database.ts';
import { ToolBench } from './tool-bench.ts';

const db = smallDatabase();
export const bench = new ToolBench(db, catalogOf(db));
const one = (table: string) => ({
  condition_sequence: [],
  alias_to_table_dict: { [table]: { original_table_name: table, modified_table_name: table } },
});
/** The handles of start tables over it: one a table, and two joins. */
export const starts = {
  person: bench.start(one('person')),
  city: bench.start(one('city')),
  visit: bench.start(one('visit')),
  pair: bench.start(one('pair')),
  lived: bench.start({
    condition_sequence: [['T1.city_id', 'T2.id', 'LEFT']],
    alias_to_table_dict: {
      T1: { original_table_name: 'person', modified_table_name: 'person' },
      T2: { original_table_name: 'city', modified_table_name: 'city' },
    },
  }),
  visits: bench.start({
    condition_sequence: [
      ['p.id', 'v.person_id', 'INNER'],
      ['v.city_id', 'c.id', 'INNER'],
    ],
    alias_to_table_dict: {
      p: { original_table_name: 'person', modified_table_name: 'person' },
      v: { original_table_name: 'visit', modified_table_name: 'visit' },
      c: { original_table_name: 'city', modified_table_name: 'city' },
    },
  }),
};

/** One call. */
export type Step = [tool: string, args: Record<string, unknown>];

/** Steps in order; `$0$` is the result of the first, `$1$` of the second, `$person$` a start table. */
export function run(...steps: Step[]): Promise<Row[] | null> {
  const calls = steps.map(([name, args], i) => ({ name, arguments: args, label: String(i) }));
  return bench.replay(calls, starts);
}

/** What SQLite says. */
export const rowsOf = (sql: string): Row[] => db.prepare(sql).raw().all() as Row[];

export const filter = (from: string, key_name: string, condition: string, value?: unknown): Step => [
  'filter_data',
  { data_source: `$${from}$`, key_name, condition, ...(value === undefined ? {} : { value }) },
];
export const get = (from: string | number, key_name: string, more = {}): Step => [
  'retrieve_data',
  { data_source: `$${from}$`, key_name, distinct: false, limit: -1, ...more },
];
export const transform = (
  from: string | number,
  key_name: string,
  operation_type: string,
  args = {},
  into?: string,
): Step => [
  'transform_data',
  {
    data_source: `$${from}$`,
    key_name,
    operation_type,
    operation_args: args,
    ...(into ? { new_key_name: into } : {}),
  },
];
export const aggregate = (
  from: string | number,
  key_name: string,
  aggregation_type: string,
  more = {},
): Step => ['aggregate_data', { data_source: `$${from}$`, key_name, aggregation_type, ...more }];
