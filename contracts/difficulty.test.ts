import { expect, test } from 'vitest';
import { callShape, difficultyOf, queryNeeds, skeletonOf, tablesNamedIn } from './difficulty.ts';

test.each([
  ['SELECT name FROM person WHERE age > 3', { joins: 0, nesting: 0, operations: 0 }],
  ["SELECT name FROM person WHERE job = 'JOIN (SELECT' -- GROUP BY", { joins: 0, nesting: 0, operations: 0 }],
  ['SELECT "group by" FROM [order by] WHERE `join` = 1', { joins: 0, nesting: 0, operations: 0 }],
  ['SELECT count(*) FROM a JOIN b ON a.x = b.x', { joins: 1, nesting: 0, operations: 1 }],
  [
    'SELECT a.x FROM a, b, (SELECT max(p, q) FROM c, d) e WHERE a.x IN (1, 2)',
    { joins: 3, nesting: 1, operations: 1 },
  ],
  ['SELECT a FROM t WHERE b > (SELECT avg(b) FROM t) ORDER BY a, b', { joins: 0, nesting: 1, operations: 2 }],
  ['WITH c AS (SELECT 1 AS n) SELECT n FROM c UNION SELECT 2', { joins: 0, nesting: 2, operations: 1 }],
])('what %s takes', (sql, needs) => expect(queryNeeds(sql)).toEqual(needs));

test.each([
  // Name, age.
  ['SELECT name FROM person AS p WHERE p.age > 3', 1, 0, 'easy'],
  // A join, COUNT and GROUP BY; clinic_id, id and name are one beyond two.
  [
    'SELECT c.name, COUNT(*) AS n FROM pet p JOIN clinic c ON p.clinic_id = c.id GROUP BY c.name',
    1,
    4,
    'medium',
  ],
  // The same in eight calls.
  [
    'SELECT c.name, COUNT(*) AS n FROM pet p JOIN clinic c ON p.clinic_id = c.id GROUP BY c.name',
    8,
    7,
    'hard',
  ],
  // Two nested SELECTs, a window, sorting, an aggregate and grouping, a join.
  [
    'WITH m AS (SELECT site, SUM(d) AS s FROM a JOIN e USING (id) GROUP BY site), r AS (SELECT site, RANK() OVER (ORDER BY s DESC) AS k FROM m) SELECT site FROM r WHERE k <= 3',
    2,
    11,
    'extra',
  ],
])('%s in %i calls has %i points: %s', (sql, calls, points, level) => {
  expect(difficultyOf(sql, calls)).toEqual({ points, level });
});

test('a skeleton has clauses and operations, and neither names, values nor the number of conditions', () => {
  const skeleton = 'SELECT COUNT FROM JOIN WHERE IN ( SELECT FROM WHERE ) GROUP HAVING ORDER DESC LIMIT';
  const sql = `SELECT a.x, COUNT(*) FROM a JOIN b ON a.i = b.i WHERE a.y = 'or' AND b.z IN (SELECT w FROM c WHERE v = 3)
    GROUP BY a.x HAVING COUNT(*) > 2 ORDER BY 2 DESC LIMIT 3`;
  expect(skeletonOf(sql)).toBe(skeleton.replace('HAVING', 'HAVING COUNT'));
  expect(skeletonOf(sql.replaceAll('a.', 'other.').replace("'or'", '7 AND q = 1'))).toBe(skeletonOf(sql));
  expect(skeletonOf(sql.replace('DESC ', ''))).not.toBe(skeletonOf(sql));
});

test('the tables of a query, each once', () => {
  expect(tablesNamedIn('SELECT 1 FROM "Order" o JOIN pet USING (id) WHERE x IN (SELECT x FROM [pet])')).toBe(
    'order pet',
  );
});

test.each<[string, readonly (readonly [label: string, ...uses: string[]])[], object]>([
  ['nothing', [], { depth: 0, width: 0 }],
  [
    'a filter in a filter in a column',
    [
      ['a', 'start'],
      ['b', 'a'],
      ['c', 'b'],
    ],
    { depth: 3, width: 1 },
  ],
  ['three side by side', [['a'], ['b'], ['c']], { depth: 1, width: 3 }],
  ['two filters, each with a column', [['a'], ['b', 'a'], ['c'], ['d', 'c']], { depth: 2, width: 2 }],
  ['a label used again', [['f'], ['f', 'f'], ['f', 'f']], { depth: 3, width: 1 }],
])('the shape of calls: %s', (_, calls, shape) => {
  const made = calls.map(([label, ...uses]) => ({
    name: 'tool',
    label,
    arguments: { data: uses.map((use) => `$${use}$`) },
  }));
  expect(callShape(made)).toEqual(shape);
});
