import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { QueryError } from '../../contracts/errors.ts';
import { parseQuery } from '../../sql/index.ts';
import { smallDatabase } from '../../tests/support/small-database.ts';
import { readCatalog } from '../read/catalog.ts';
import { lowerSlot } from './lower-sequences.ts';

const db = new Database(smallDatabase(), { readonly: true });
const catalog = readCatalog('shop', db);
const parse = (sql: string) => parseQuery(sql, { catalog, referenceTime: '2025-06-15 12:30:00' });

describe('what has no place is rejected by its construct', () => {
  it.each([
    ["SELECT id FROM customer WHERE city LIKE last_name ESCAPE '!'", 'escape'],
    ["SELECT json_extract(city, '$.a', '$.b') FROM customer", 'json_extract()'],
    ['SELECT json_type(city, type) FROM customer', 'json_type'],
    ['SELECT unicode(city) FROM customer', 'unicode()'],
    [
      'WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n) SELECT v FROM n LIMIT 3',
      'recursive CTE',
    ],
    ["SELECT id FROM customer WHERE city = '$x$'", 'text'],
    ['SELECT 1', 'from'],
    ["SELECT 'x' WHERE 1 = 0", 'from'],
    [
      'SELECT id, (SELECT COUNT(*) FROM "order" o WHERE o.customer_id < c.id GROUP BY o.status) FROM customer c',
      'correlated subquery',
    ],
  ])('%s', (sql, clause) => {
    let thrown: unknown = null;
    try {
      lowerSlot(parse(sql), catalog);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(QueryError);
    expect((thrown as QueryError).toRejection()).toMatchObject({ code: 'UNSUPPORTED_CONSTRUCT', clause });
  });
});

it('NULLs are moved to one end by a column of their own, even if nothing else reads the sorted one', () => {
  const { output } = lowerSlot(parse('SELECT id FROM customer ORDER BY city NULLS LAST'), catalog);
  const sorted = output.flatMap(({ name, arguments: args }) => (name === 'sort_data' ? [args.key_name] : []));
  expect(sorted).toEqual(['customer_city', expect.not.stringMatching(/^customer_city$/)]);
});

describe('no step changes nothing', () => {
  it('groups are not sorted by what follows their keys', () => {
    const sorted = (sql: string) =>
      lowerSlot(parse(sql), catalog).output.flatMap(({ name, arguments: args }) =>
        name === 'sort_data' ? [args.key_name] : [],
      );
    const groups = 'SELECT city FROM customer GROUP BY city, last_name ORDER BY';
    expect(sorted(`${groups} COUNT(*) DESC, last_name, city, MIN(id) LIMIT 1`)).toEqual([
      'customer_city',
      'customer_last_name',
      'count_rows',
    ]);
    expect(sorted(`${groups} city, MIN(id) LIMIT 1`)).toEqual(['min_customer_id', 'customer_city']);
  });
});
