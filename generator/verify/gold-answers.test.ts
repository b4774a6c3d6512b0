import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { parseQuery } from '../../sql/index.ts';
import { smallDatabase } from '../../tests/support/small-database.ts';
import { Oracle } from '../oracle/oracle.ts';
import { readCatalog } from '../read/catalog.ts';
import { GoldAnswers } from './gold-answers.ts';

const referenceTime = '2025-06-15 12:30:00';
const file = smallDatabase();
const catalog = readCatalog('shop', new Database(file, { readonly: true }));
const oracle = new Oracle({ referenceTime, children: 1 });
afterAll(() => oracle.close());

test.each([
  ['a column beside a figure, of no row in particular', 'SELECT city, count(*) FROM customer', true],
  ['such a column that all rows agree in', "SELECT city, count(*) FROM customer WHERE city = 'Oslo'", false],
  [
    'such a column of one of two tables, whichever is visited first',
    'SELECT r.stars, sum(o.total) FROM "order" AS o JOIN rating AS r ON r.customer_id = o.customer_id',
    true,
  ],
  ['the first rows of no order', 'SELECT city FROM customer LIMIT 1', true],
  ['the first rows of an order', 'SELECT city FROM customer ORDER BY id LIMIT 1', false],
  ['rows of no order', 'SELECT city FROM customer', false],
])('whether an answer depends on the order of visits is seen: %s', async (_, sql, isOpen) => {
  const question = { db_id: 'shop', question_id: sql, question: '', evidence: '', sql, difficulty: null };
  const query = parseQuery(sql, { catalog, referenceTime });
  const variant = { label: 'original', plain: file, served: file, isNeighbour: false };
  expect(await new GoldAnswers(oracle, catalog).isOpen({ question, query }, variant)).toBe(isOpen);
});

const EARLIEST = "FROM customer WHERE born > '1' ORDER BY born";

test.each([
  [
    'of the rows tied at a LIMIT any is told',
    `SELECT DISTINCT city ${EARLIEST} LIMIT 1`,
    { tied_rows: [{ group: 0, rows: [['London'], ['Paris']] }] },
  ],
  ['no tie, nothing to tell', `SELECT DISTINCT city ${EARLIEST} LIMIT 2`, {}],
  [
    'of the rows tied in a subquery each gives an answer',
    `SELECT city FROM customer WHERE id = (SELECT id ${EARLIEST} LIMIT 1)`,
    { other_answers: [[['Paris']]] },
  ],
  [
    'a choice that changes nothing is no other answer',
    `SELECT count(*) FROM customer WHERE id = (SELECT id ${EARLIEST} LIMIT 1)`,
    {},
  ],
])('ties: %s', async (_, sql, ties) => {
  const question = { db_id: 'shop', question_id: sql, question: '', evidence: '', sql, difficulty: null };
  const gold = { question, query: parseQuery(sql, { catalog, referenceTime }) };
  const variant = { label: 'original', plain: file, served: file, isNeighbour: false };
  expect(await new GoldAnswers(oracle, catalog).ties(gold, variant)).toEqual(ties);
});
