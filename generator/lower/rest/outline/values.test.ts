import { expect, test } from 'vitest';
import { restFixture } from '../rest-fixture.ts';

const shop = restFixture(`
  CREATE TABLE region (id INTEGER PRIMARY KEY, region_name TEXT NOT NULL, area INTEGER, population INTEGER);
  CREATE TABLE client (
    id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, segment TEXT, birth_date TEXT, height INTEGER,
    population INTEGER, region_id INTEGER REFERENCES region(id)
  );
  CREATE TABLE invoice (
    id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES client(id), month_text TEXT, issued TEXT,
    paid TEXT, total INTEGER, price REAL, cost REAL, quantity INTEGER, highest_offer INTEGER
  );
  INSERT INTO region VALUES (1, 'North', 70, 900), (2, 'South', 30, NULL);
  INSERT INTO client VALUES
    (1, 'Ada', 'Berg', 'shop', '1970-02-01', 170, 5, 1), (2, 'Otto', 'Falk', 'home', '1981-11-30', NULL, 6, 2),
    (3, NULL, 'Falk', 'home', NULL, 180, 7, 2);
  INSERT INTO invoice VALUES
    (1, 1, '201201', '2012-01-03', '2012-02-01', 5, 7.5, 3.0, 2, 9),
    (2, 1, '201202', '2012-02-03', '2012-02-09', 8, 2.5, 1.0, 4, 9),
    (3, 2, '201311', '2013-11-30', '2013-12-24', 3, 4.5, 6.0, 1, 4);
`);

const summaryOf = (sql: string): string | undefined => shop.lower(sql).endpoints[0]?.summary;
const nameOf = (sql: string): string | undefined => shop.lower(sql).endpoints[0]?.name;

test.each([
  ['SELECT COUNT(*) / 12.0 FROM invoice', 'Number of invoices divided by 12'],
  ['SELECT price * 60 FROM invoice', '60 times price of invoices'],
  ['SELECT 1 - cost / price FROM invoice', '1 minus ratio of cost to price of invoices'],
  ['SELECT price + 5000 FROM invoice', 'Prices plus 5000 of invoices'],
  [
    'SELECT SUM(price * quantity * cost) FROM invoice',
    'Total product of price, quantity and cost of invoices',
  ],
  ['SELECT price * 1.0 / cost FROM invoice', 'Ratios of price to cost of invoices'],
  ['SELECT quantity % 2 FROM invoice', 'Remainders of quantity divided by 2 of invoices'],
  ['SELECT id FROM invoice ORDER BY -price LIMIT 1', 'The ID of the invoice with the lowest price'],
])('constants in arithmetic are told: %s', (sql, summary) => {
  if (sql.includes('ORDER BY')) expect(summaryOf(sql)).not.toBe(summary.replace('lowest', 'highest'));
  else expect(summaryOf(sql)).toBe(summary);
});

test('a constant that some question chooses is not told', () => {
  const { endpoints } = shop.lower(
    'SELECT COUNT(*) / 12.0 FROM invoice',
    'SELECT id FROM invoice WHERE quantity = 12',
  );
  expect(endpoints[0]?.summary).toBe('Number of invoices divided by a fixed number');
  expect(JSON.stringify([endpoints[0]?.name, endpoints[0]?.columns])).not.toContain('12');
});

test.each([
  ['SELECT SUM(price) / COUNT(*) FROM invoice', 'Average price of invoices'],
  ['SELECT SUM(height) * 1.0 / COUNT(*) FROM client', 'Total height per client'],
  ['SELECT SUM(price) / COUNT(DISTINCT client_id) FROM invoice', 'Total price per client of invoices'],
  ['SELECT SUM(total) / COUNT(*) FROM invoice', 'Whole part of average total of invoices'],
  ['SELECT area / population FROM region', 'Whole parts of ratio of area to population of regions'],
  [
    'SELECT total / 30, COUNT(*) FROM invoice GROUP BY total / 30',
    'Number of invoices per whole part of total divided by 30',
  ],
  ['SELECT AVG(height > 5) FROM client', 'Share of clients with height above a given value'],
  [
    "SELECT AVG(CASE WHEN segment = 'home' THEN height ELSE 0 END) FROM client",
    'Average height with a given segment (else 0)',
  ],
])('an average is called so only where it is one: %s', (sql, summary) => {
  expect(summaryOf(sql)).toBe(summary);
});

test('a growth tells where it begins, and whether it is a percentage', () => {
  expect(summaryOf('SELECT (price - cost) / cost FROM invoice')).toBe(
    'Relative changes from cost to price of invoices',
  );
  expect(summaryOf('SELECT (price - cost) / price FROM invoice')).toBe(
    'Relative decreases from price to cost of invoices',
  );
  expect(summaryOf('SELECT (price - cost) * 100 / cost FROM invoice')).toBe(
    'Percentage changes from cost to price of invoices',
  );
});

test.each([
  ["SELECT date(issued, '+7 days') FROM invoice", 'Issued dates plus 7 days of invoices'],
  [
    "SELECT date(issued, 'start of month') FROM invoice",
    'First moments of the month of issued date of invoices',
  ],
  ['SELECT paid - issued FROM invoice', 'Years from issued date to paid date of invoices'],
  [
    'SELECT julianday(paid) - julianday(issued) FROM invoice',
    'Days from issued date to paid date of invoices',
  ],
  ['SELECT DISTINCT substr(month_text, 1, 4) FROM invoice', 'Different month text years of invoices'],
])('what is done to a date is told: %s', (sql, summary) => {
  expect(summaryOf(sql)).toBe(summary);
});

test.each([
  [
    'SELECT id, SUM(price) OVER (PARTITION BY client_id ORDER BY issued ROWS UNBOUNDED PRECEDING) FROM invoice',
    'running total of price in the order of issued date within each client ID',
  ],
  [
    'SELECT id, AVG(price) OVER (ORDER BY issued ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM invoice',
    'moving average price over rows from a fixed number before to this one in the order of issued date',
  ],
  ['SELECT id, SUM(price) OVER (PARTITION BY client_id) FROM invoice', 'total price within each client ID'],
  [
    'SELECT id, first_value(price) OVER (ORDER BY issued) FROM invoice',
    'first price in the order of issued date',
  ],
])('a window tells its rows: %s', (sql, text) => {
  expect(shop.lower(sql).endpoints[0]?.columns[1]?.description.toLowerCase()).toBe(`${text.toLowerCase()}.`);
});

test.each([
  [
    'SELECT MAX(ABS(price - cost)) FROM invoice',
    'Highest absolute difference between price and cost of invoices',
  ],
  [
    "SELECT COUNT(DISTINCT first_name || '-' || last_name) FROM client",
    'Number of different values of full name',
  ],
  [
    'SELECT COUNT(DISTINCT CASE WHEN price > 5 THEN client_id END) * 100.0 / COUNT(DISTINCT client_id) FROM invoice',
    'Percentage of different clients with price above a given value',
  ],
  ['SELECT COUNT(first_name) FROM client', 'Number of clients with a known first name'],
  ['SELECT MAX(NULLIF(price, 5)) FROM invoice', 'Highest price other than a fixed value'],
  ['SELECT SUM(price) / NULLIF(COUNT(*), 0) FROM invoice', 'Average price of invoices'],
  [
    'SELECT COALESCE(first_name, last_name) FROM client',
    'First names or last name where that is missing of clients',
  ],
  [
    "SELECT substr(first_name, 1, 1) || '.' || last_name FROM client",
    'First letters of first name joined with last name of clients',
  ],
])('no part of a value is dropped: %s', (sql, summary) => {
  expect(summaryOf(sql)).toBe(summary);
});

test.each([
  ['SELECT SUM(total) FROM invoice', 'Sum of total of invoices'],
  ['SELECT MAX(highest_offer) FROM invoice', 'Highest offer of invoices'],
  [
    'SELECT client_id FROM invoice GROUP BY client_id ORDER BY COUNT(*) >= 5',
    'Client IDs, sorted by whether number of invoices is at least a given value',
  ],
])('words are not said twice, and conditions are said whole: %s', (sql, summary) => {
  expect(summaryOf(sql)).toBe(summary);
});

test('a value chosen by a condition names all that it may be', () => {
  expect(
    summaryOf("SELECT CASE WHEN segment = 'home' THEN height ELSE population END FROM client"),
  ).toContain('eights or population depending on segment');
  expect(nameOf('SELECT SUM(CASE WHEN price > cost THEN 3 ELSE 1 END) FROM invoice')).toContain('value');
});

test.each([
  [
    'SELECT SUM(price) FROM invoice GROUP BY client_id ORDER BY SUM(price) DESC LIMIT 1',
    'highest_total_price_per_client_id',
    'The highest total price per client ID',
  ],
  [
    'SELECT COUNT(*) FROM invoice GROUP BY client_id ORDER BY COUNT(*) LIMIT 1',
    'lowest_invoice_count_per_client_id',
    'The lowest number of invoices per client ID',
  ],
  [
    'SELECT DISTINCT client_id, COUNT(DISTINCT quantity) FROM invoice GROUP BY client_id',
    'count_distinct_quantities_per_client_id',
    'Number of different quantities per client ID',
  ],
])('groups that are not shown are not what is returned: %s', (sql, name, summary) => {
  const [endpoint] = shop.lower(sql).endpoints;
  expect([endpoint?.name, endpoint?.summary]).toEqual([name, summary]);
});

test('a function by another name is the same endpoint', () => {
  const { endpoints } = shop.lower(
    "SELECT id FROM invoice WHERE substr(month_text, 1, 4) = '2012'",
    "SELECT id FROM invoice WHERE substring(month_text, 1, 4) = '2013'",
  );
  expect(endpoints.map(({ summary }) => summary)).toEqual(['IDs of invoices for a given month text year']);
});

test('what codes are called is no choice', () => {
  const [endpoint] = shop.lower(
    "SELECT id, CASE segment WHEN 'home' THEN 'private' WHEN 'shop' THEN 'trade' END FROM client",
  ).endpoints;
  expect(endpoint?.parameters).toEqual([]);
  expect(endpoint?.summary).toBe('IDs and labels for segment of clients');
});

test('of two that are said alike it is told which values are others', () => {
  const of = (year: number, type: string) =>
    `SUM(CASE WHEN segment = '${type}' AND height > ${year} THEN population END)`;
  expect(summaryOf(`SELECT ${of(1, 'home')} - ${of(2, 'home')} FROM client`)).toBe(
    'Difference between total population with a given segment and height above a given value and total population with the same given segment and height above another given value',
  );
  expect(
    shop.lower(`SELECT ${of(1, 'home')} - ${of(2, 'shop')} FROM client`).endpoints[0]?.columns[0],
  ).toMatchObject({
    description:
      'Difference between total population with segment = `first_segment` and height > `first_min_height` and total population with segment = `second_segment` and height > `second_min_height`.',
  });
});

test.each([
  [
    "SELECT id, CASE WHEN price > cost THEN 'gain' ELSE 'loss' END FROM invoice",
    'IDs and labels by whether price is above cost of invoices',
  ],
  ["SELECT IIF(price > cost, 'yes', 'no') FROM invoice", 'Whether price is above cost of invoices'],
  [
    'SELECT (SELECT COUNT(*) FROM client) - (SELECT COUNT(*) FROM client WHERE height > 5)',
    'Difference between number of clients and another number of clients with height above a given value',
  ],
  [
    "SELECT SUM(segment = 'home'), SUM(segment = 'shop') FROM client",
    'Number of clients with a given segment and number of clients with another given segment',
  ],
])('what a label depends on is told: %s', (sql, summary) => {
  expect(summaryOf(sql)).toBe(summary);
});

test('how far a result is rounded is told where it is described', () => {
  expect(shop.lower('SELECT ROUND(AVG(price), 2) FROM invoice').endpoints[0]?.columns[0]?.description).toBe(
    'Average price, rounded to 2 decimals.',
  );
});

test('a parameter that a date function moves is told so', () => {
  const [endpoint] = shop.lower(
    "SELECT id FROM invoice WHERE issued > date('2012-01-01', '+1 month')",
  ).endpoints;
  expect(endpoint?.parameters[0]?.description).toBe(
    'Issued date (invoice.issued): more than this value plus 1 month. Written as YYYY-MM-DD.',
  );
  expect(endpoint?.description).toContain('issued date > `issued_after` plus 1 month');
});

test('the one with the highest of what is highest is said once', () => {
  expect(summaryOf('SELECT client_id FROM invoice GROUP BY client_id ORDER BY MAX(price) DESC LIMIT 1')).toBe(
    'The client ID with the highest price',
  );
  expect(shop.lower('SELECT COUNT(*) / 12.0 FROM invoice').endpoints[0]?.columns[0]?.name).toBe(
    'invoice_count_divided_by_12',
  );
});
