import { expect, test } from 'vitest';
import type { MadeCall } from '../attempt/tool-session.ts';
import { apiUseOf } from './recorded-calls.ts';

const made = (name: string, args: object, answer: object, status = 200): MadeCall => ({
  name,
  arguments: JSON.stringify(args),
  status,
  ok: status === 200,
  handle: null,
  text: JSON.stringify(answer),
  latencyMs: 1,
  fault: null,
});
const task = { question: 'How many books did Ada write?', evidence: '' };
const use = (...calls: MadeCall[]) => apiUseOf(task, calls, (name) => (name === 'FUNC_1' ? 'run_sql' : name));

test('counts calls, pages and rows of APIs, plans included, but not of the database', () => {
  const plan = { data: [], row_count: 0, calls: 3, rows_moved: 20, plan: [{ pages: 2 }, { pages: 2 }] };
  expect(
    use(
      made('FUNC_1', { sql: 'SELECT 1' }, plan),
      made('execute_sql', { sql: 'SELECT 1' }, { data: [{}], row_count: 1 }),
      made('get_book', { limit: 1000 }, { data: [{}, {}], row_count: 2, total: 2 }),
    ),
  ).toEqual({ calls: 4, pages: 5, rows: 22, invented: 0, misrouted: 0, unbound: 0 });
});

test('a value in neither the question nor an earlier answer is invented', () => {
  const author = made('get_author', { name: 'Ada' }, { data: [{ id: 1234, name: 'Ada "A"' }], row_count: 1 });
  expect(use(author, made('get_book', { author_id: 1234 }, { row_count: 0 })).invented).toBe(0);
  expect(use(author, made('count_syllables', { inputs: [{ string: 'Ada "A"' }] }, {})).invented).toBe(0);
  expect(use(made('get_book', { author_id: 1234, offset: 99 }, { row_count: 0 }), author).invented).toBe(1);
});

test('distinguishes misrouted calls from APIs without inputs', () => {
  const hidden = { code: 'INVALID_PARAMETERS', detail: 'no table is called book' };
  expect(use(made('execute_sql', { sql: 'SELECT * FROM book' }, hidden, 400)).misrouted).toBe(1);
  expect(use(made('get_loan', {}, { code: 'UNKNOWN_TOOL', detail: '' }, 404)).misrouted).toBe(1);
  expect(use(made('run_sql', { sql: 'SELECT *' }, { code: 'UNBOUND_API_INPUT' }, 400)).unbound).toBe(1);
});
