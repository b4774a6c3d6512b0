import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { JoinCondition, StartTableDefinition } from '../../../contracts/tools.ts';
import { readCatalog } from '../../../generator/read/catalog.ts';
import { fc, runs } from '../../../tests/support/random-input.ts';
import { countsOf, firstObjects, RowCounts } from './answer-plan.ts';
import { countStatement } from './compile-plan.ts';
import { planSteps, startTableBound } from './plan-bounds.ts';
import { startPlan } from './table-tools.ts';

const OBJECTS = [
  '{"a":1.0,"b":"}, {\\"x\\":1}"}',
  '{"c":"\\\\","d":"[{"}',
  '{}',
  '{"n":9223372036854775807}',
];

test.each([0, 1, 2, 3, 4, 9])('cuts out the first %i objects verbatim', (n) => {
  expect(firstObjects(OBJECTS.join(','), n)).toBe(OBJECTS.slice(0, n).join(','));
});

test('a caller does not see row counts that another caused', () => {
  const counts = new RowCounts();
  countsOf(counts, 'run a').set('filtered_1', 7);
  expect(countsOf(counts, 'run a').get('filtered_1')).toBe(7);
  expect(countsOf(counts, 'run b').get('filtered_1')).toBeUndefined();
});

test('evicts the oldest counts when there are too many', () => {
  const counts = new RowCounts();
  for (let i = 0; i < 50_000; i++) counts.set(`h${i}`, i);
  expect(counts.get('h0')).toBeUndefined();
  expect(counts.get('h49999')).toBe(49_999);
});

const SCHEMA = `
  CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, t TEXT);
  CREATE TABLE b (id INTEGER PRIMARY KEY, x INTEGER, t TEXT COLLATE NOCASE);
  CREATE TABLE c (id INTEGER PRIMARY KEY, x INTEGER, t TEXT);
  CREATE VIEW v AS SELECT a.id, b.x FROM a, b;
`;

const cell = fc.constantFrom(1, 2, 3, null);
const text = fc.constantFrom('k', 'K', '1', '2', null);
const rows = fc.array(fc.tuple(cell, text), { maxLength: 8 });
const side = (alias: string) => fc.constantFrom('id', 'x', 't').map((column) => `${alias}.${column}`);
const condition = (left: string, right: string): fc.Arbitrary<JoinCondition> =>
  fc.tuple(side(left), side(right), fc.constantFrom('INNER', 'INNER', 'LEFT', 'RIGHT', 'FULL'));
const joins = fc.tuple(
  condition('a', 'b'),
  fc.oneof(condition('a', 'c'), condition('b', 'c'), fc.constant(null)),
);

function open(tables: readonly (readonly (readonly [number | null, string | null])[])[]): Database.Database {
  const db = new Database(':memory:');
  db.exec(SCHEMA);
  tables.forEach((table, i) => {
    const insert = db.prepare(`INSERT INTO ${'abc'[i]} (x, t) VALUES (?, ?)`);
    for (const [x, t] of table) insert.run(x, t);
  });
  return db;
}

const define = (names: readonly string[], conditions: readonly JoinCondition[]): StartTableDefinition => ({
  condition_sequence: [...conditions],
  alias_to_table_dict: Object.fromEntries(
    names.map((name) => [name, { original_table_name: name, modified_table_name: name }]),
  ),
});

test('a start table never has more rows than its bound, whatever its join conditions', () => {
  fc.assert(
    fc.property(fc.tuple(rows, rows, rows), joins, (tables, [first, second]) => {
      const db = open(tables);
      const catalog = readCatalog('bound', db);
      const definition = define(['a', 'b', 'c'], second ? [first, second] : [first]);
      const { sql, parameters } = countStatement(startPlan(definition, { catalog }), catalog);
      const count = db.prepare(sql).pluck().get(parameters) as number;
      db.close();
      const bound = startTableBound(definition, catalog);
      expect(bound.rows).toBeGreaterThanOrEqual(count);
      expect(bound.steps).toBeGreaterThanOrEqual(count);
    }),
    { numRuns: runs(600) },
  );
});

test('a join along a foreign key does not raise the bound', () => {
  const many = Array.from({ length: 8 }, (_, i) => [(i % 3) + 1, 'k'] as const);
  const db = open([many, many, []]);
  const catalog = readCatalog('bound', db);
  expect(startTableBound(define(['b', 'a'], [['a.x', 'b.id', 'INNER']]), catalog).rows).toBe(8);
  db.close();
});

test('a view has no cost bound', () => {
  const db = open([[], [], []]);
  const catalog = readCatalog('bound', db);
  expect(planSteps(startPlan(define(['v'], []), { catalog }), catalog)).toBe(Number.POSITIVE_INFINITY);
  db.close();
});
