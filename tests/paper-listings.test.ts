import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { lowerSel, lowerSlot, startKeysOf } from '../generator/lower/lower-sequences.ts';
import { readCatalog } from '../generator/read/catalog.ts';
import { parseQuery } from '../sql/index.ts';

/**
 * What the Live API-Bench paper shows of its sequences, as facts about names and arguments: a query that it
 * supports must become exactly its calls.
 */
const SCHEMA = `
  CREATE TABLE member (member_id TEXT PRIMARY KEY, first_name TEXT, last_name TEXT, link_to_major TEXT);
  CREATE TABLE major (major_id TEXT PRIMARY KEY, major_name TEXT);
  CREATE TABLE schools (CDSCode TEXT PRIMARY KEY, School TEXT, Magnet INTEGER);
  CREATE TABLE satscores (cds TEXT PRIMARY KEY, NumTstTakr INTEGER);
  CREATE TABLE Player_Attributes (id INTEGER PRIMARY KEY, player_api_id INTEGER, date TEXT, overall_rating INTEGER);
`;

const db = new Database(':memory:');
db.exec(SCHEMA);
const catalog = readCatalog('paper', db);

function lower(sql: string) {
  const slot = lowerSlot(parseQuery(sql, { catalog, referenceTime: '2025-01-01 00:00:00' }), catalog);
  return { slot, sel: lowerSel(slot, startKeysOf(slot, catalog)) };
}

describe('Listing 10: two filters and a column', () => {
  const { slot } = lower(
    `SELECT T2.major_name FROM member AS T1 INNER JOIN major AS T2 ON T1.link_to_major = T2.major_id
     WHERE T1.first_name = 'Angela' AND T1.last_name = 'Sanders'`,
  );
  it('begins from the joined tables', () => {
    expect(slot.initialization_step).toEqual({
      name: 'initialize_active_data',
      arguments: {
        condition_sequence: [['T1.link_to_major', 'T2.major_id', 'INNER']],
        alias_to_table_dict: {
          T1: { original_table_name: 'member', modified_table_name: 'member' },
          T2: { original_table_name: 'major', modified_table_name: 'major' },
        },
      },
      label: 'starting_table_var',
    });
  });
  it('has the calls of the paper', () => {
    expect(slot.output).toEqual([
      {
        name: 'filter_data',
        arguments: {
          data_source: '$starting_table_var$',
          key_name: 'member_first_name',
          value: 'Angela',
          condition: 'equal_to',
        },
        label: 'FILTERED_DF_0',
      },
      {
        name: 'filter_data',
        arguments: {
          data_source: '$FILTERED_DF_0$',
          key_name: 'member_last_name',
          value: 'Sanders',
          condition: 'equal_to',
        },
        label: 'FILTERED_DF_1',
      },
      {
        name: 'retrieve_data',
        arguments: {
          data_source: '$FILTERED_DF_1$',
          key_name: 'major_major_name',
          distinct: false,
          limit: -1,
        },
        label: 'SELECT_COL_0',
      },
    ]);
  });
});

describe('Listings 2 and 3: the same question as SLOT and as SEL', () => {
  const { slot, sel } = lower(
    `SELECT T2.School FROM satscores AS T1 INNER JOIN schools AS T2 ON T1.cds = T2.CDSCode
     WHERE T2.Magnet = 1 AND T1.NumTstTakr > 500`,
  );
  it('SLOT names columns and conditions in arguments', () => {
    expect(
      slot.output.map(({ name, arguments: args }) => [name, args.key_name, args.condition, args.value]),
    ).toEqual([
      ['filter_data', 'schools_Magnet', 'equal_to', 1],
      ['filter_data', 'satscores_NumTstTakr', 'greater_than', 500],
      ['retrieve_data', 'schools_School', undefined, undefined],
    ]);
  });
  it('SEL has them in the names of its tools', () => {
    expect(sel.output).toEqual([
      {
        name: 'select_data_equal_to',
        arguments: { data_source: '$starting_table_var$', key_name: 'schools_Magnet', value: 1 },
        label: 'FILTERED_DF_0',
      },
      {
        name: 'select_data_greater_than',
        arguments: { data_source: '$FILTERED_DF_0$', key_name: 'satscores_NumTstTakr', value: 500 },
        label: 'FILTERED_DF_1',
      },
      { name: 'get_schools_Schools', arguments: { data_source: '$FILTERED_DF_1$' }, label: 'SELECT_COL_0' },
    ]);
  });
});

describe('Listing 11: a transformation before a filter', () => {
  const { slot, sel } = lower(
    `SELECT player_api_id FROM Player_Attributes WHERE SUBSTR(date, 1, 10) = '2010-08-30' ORDER BY overall_rating DESC LIMIT 1`,
  );
  it('substring replaces the column that is filtered', () => {
    expect(slot.output.slice(0, 2).map(({ name, arguments: args }) => [name, args])).toEqual([
      [
        'transform_data',
        {
          data_source: '$starting_table_var$',
          key_name: 'Player_Attributes_date',
          operation_type: 'substring',
          operation_args: { start_index: 0, end_index: 10 },
        },
      ],
      [
        'filter_data',
        {
          data_source: '$TRANSFORMED_DF_0$',
          key_name: 'Player_Attributes_date',
          value: '2010-08-30',
          condition: 'equal_to',
        },
      ],
    ]);
  });
  it('and the order and the limit of SEL are tools of their own', () => {
    expect(sel.output.map(({ name }) => name)).toEqual([
      'transform_data_to_substring',
      'select_data_equal_to',
      'sort_data_descending',
      'get_Player_Attributes_player_api_ids',
      'truncate',
    ]);
  });
});

describe('the other tools of the paper', () => {
  const names = (sql: string) => lower(sql).slot.output.map(({ name }) => name);
  it('distinct and limit are arguments of retrieve_data', () => {
    const { slot, sel } = lower('SELECT DISTINCT School FROM schools LIMIT 5');
    expect(slot.output.map((call) => call.arguments)).toEqual([
      { data_source: '$starting_table_var$', key_name: 'schools_School', distinct: true, limit: 5 },
    ]);
    expect(sel.output.map(({ name, arguments: args }) => [name, args])).toEqual([
      ['get_schools_Schools', { data_source: '$starting_table_var$' }],
      ['select_unique_values', { unique_array: '$SELECT_COL_0_ALL$' }],
      ['truncate', { truncate_array: '$SELECT_COL_0_UNIQUE$', n: 5 }],
    ]);
  });
  it('an aggregate is one call', () => {
    const { slot, sel } = lower('SELECT COUNT(DISTINCT School) FROM schools');
    expect(slot.output.map(({ name, arguments: args, label }) => [name, args, label])).toEqual([
      [
        'aggregate_data',
        {
          data_source: '$starting_table_var$',
          key_name: 'schools_School',
          aggregation_type: 'count',
          distinct: true,
          limit: -1,
        },
        'COUNT',
      ],
    ]);
    expect(sel.output.map(({ name }) => name)).toEqual(['compute_data_count']);
  });
  it('SELECT of several columns is a call for each', () => {
    expect(names('SELECT School, Magnet FROM schools')).toEqual(['retrieve_data', 'retrieve_data']);
  });
});
