import { expect, test } from 'vitest';
import type { Service } from '../../../contracts/service.ts';
import type { Task } from '../../../contracts/task.ts';
import { countConstructs } from './constructs.ts';
import { TaskBands } from './task-bands.ts';

test.each([
  ['SELECT name FROM person WHERE age > 3', 0],
  ["SELECT name FROM person WHERE job = 'JOIN GROUP BY (SELECT'", 0],
  ['SELECT count(*) FROM a JOIN b ON a.x = b.x', 2],
  ['SELECT a FROM t WHERE b > (SELECT avg(b) FROM t) ORDER BY a', 4],
  ['SELECT x, sum(y) FROM t JOIN u USING (z) GROUP BY x HAVING sum(y) > 3', 4],
  ['SELECT rank() OVER (ORDER BY a) FROM t UNION SELECT 1', 5],
])('%s has %i constructs', (sql, count) => expect(countConstructs(sql)).toBe(count));

const EASY = 'SELECT a FROM t';
const HARD =
  'SELECT DISTINCT a, count(*) FROM t JOIN u USING (x) JOIN v USING (y) WHERE z > (SELECT avg(z) FROM t) GROUP BY a ORDER BY 2';
const service = {
  db: 'small',
  endpoints: [
    { operation_id: 'get_easy', sql: EASY },
    { operation_id: 'get_hard', sql: HARD },
  ],
} as unknown as Service;
const task = (question_id: number, formulation: string, gold_tools: string[], size: number) =>
  ({
    sample_id: `test/small/${question_id}/${formulation}`,
    db: 'small',
    question_id,
    formulation,
    gold_tools,
    toolset: { size, path: '' },
  }) as unknown as Task;
const TASKS = [
  task(1, 'rest', ['get_easy'], 16),
  task(1, 'slot', ['filter_data', 'retrieve_data'], 13),
  task(1, 'sel', ['select_data_equal_to', 'get_as'], 400),
  task(2, 'rest', ['get_hard'], 100),
  task(2, 'slot', ['aggregate_data', 'filter_data', 'group_data_by', 'retrieve_data'], 13),
];

test('constructs are those of the question in every formulation; tools and toolsets add to them', () => {
  const bands = new TaskBands(new Map([['small', service]])).ofDomain(TASKS);
  expect([...bands.values()]).toEqual(['easy', 'easy', 'medium', 'hard', 'hard']);
});

test('what was measured stands above what is reckoned', () => {
  const measured = new Map([
    ['test/small/1/rest', 0.2],
    ['test/small/1/slot', 0.5],
    ['test/small/2/rest', 1],
  ]);
  const bands = new TaskBands(new Map([['small', service]]), measured).ofDomain(TASKS);
  expect([...bands.values()]).toEqual(['hard', 'medium', 'medium', 'easy', 'hard']);
});
