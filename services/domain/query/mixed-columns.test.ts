import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCatalog } from '../../../generator/read/catalog.ts';
import { toStatement } from '../tools/conditions.ts';
import { collectionsOf, hasType } from './collections.ts';
import { compileQuery, readQuery } from './compile-query.ts';

const TEXTS = [
  '7',
  '7.0',
  '7.5',
  '07',
  ' 7',
  '7x',
  '<5',
  '',
  'n/a',
  '1e1',
  '0x7',
  '9007199254740993',
] as const;
const NUMBERS = [7n, -1n, 10n, 9007199254740993n, 7.5, -0.25, 1e21] as const;
const OPERATORS = ['=', '<', '>', '<=', '>='] as const;
const MIXED = fc.record({
  declared: fc.constantFrom('TEXT', 'INTEGER', 'REAL', 'NUMERIC', 'DECIMAL(4,1)', 'BLOB', ''),
  values: fc.array(fc.constantFrom(...TEXTS, ...NUMBERS, null), { minLength: 3, maxLength: 12 }),
});

test('filters of columns with numbers and texts match SQLite', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(MIXED, fc.boolean(), ({ declared, values }, throughView) => {
      const db = new Database(':memory:').defaultSafeIntegers(true);
      // With numeric affinity, SQLite compares numbers with numeric texts.
      db.exec(`CREATE TABLE held (id INTEGER PRIMARY KEY, c ${declared}); CREATE TABLE numbers (id INTEGER, n NUMERIC);
        CREATE VIEW seen AS SELECT id, c FROM held`);
      const insert = db.prepare('INSERT INTO held (c) VALUES (?)');
      for (const value of values) insert.run(value);
      db.exec(`INSERT INTO numbers SELECT id, c FROM held WHERE typeof(c) IN ('integer', 'real')`);
      const name = throughView ? 'seen' : 'held';
      const collections = collectionsOf(readCatalog('mixed', db));
      const property = collections
        .find((each) => each.name === name)
        ?.properties.find((each) => each.name === 'c');
      const ids = (sql: string, parameters: object) => db.prepare(sql).pluck().all(parameters).sort();
      const found = (type: 'text' | 'integer', operator: string, value: string | number | bigint) => {
        seen.add(`${declared} ${type} ${operator}`);
        const filter = { property_name: 'c', operator, value };
        const call = { collection_name: name, [`${type}_property_filter`]: filter };
        const { sql, parameters } = toStatement(compileQuery(readQuery(collections, call)).select);
        return ids(sql, parameters);
      };
      if (property && hasType(property, 'text')) {
        for (const value of TEXTS) {
          const own = 'SELECT id FROM held WHERE c = :value UNION SELECT id FROM numbers WHERE n = :value';
          expect(found('text', '=', value)).toEqual(ids(own, { value }));
        }
      }
      if (property && hasType(property, 'integer')) {
        for (const value of NUMBERS)
          for (const operator of OPERATORS) {
            const own = `SELECT id FROM held WHERE c ${operator} ${value}`;
            expect(found('integer', operator, value)).toEqual(ids(own, {}));
          }
      }
      db.close();
    }),
    { numRuns: 300, seed: 1 },
  );
  for (const declared of ['INTEGER', 'REAL', 'NUMERIC', 'BLOB', ''])
    for (const filter of ['text =', ...OPERATORS.map((each) => `integer ${each}`)])
      expect(seen).toContain(`${declared} ${filter}`);
});
