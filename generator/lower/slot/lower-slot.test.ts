import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { sameRows } from '../../../contracts/answer-rows.ts';
import type { Row } from '../../../contracts/catalog.ts';
import { QueryError } from '../../../contracts/errors.ts';
import { ToolBench } from '../../../services/testing/tool-bench.ts';
import { parseQuery, printQuery } from '../../../sql/index.ts';
import { smallDatabase } from '../../../tests/support/small-database.ts';
import { readCatalog } from '../../read/catalog.ts';
import { lowerSel, startKeysOf } from '../lower-sel.ts';
import { lowerSlot } from './lower-slot.ts';
import type { SlotSequence } from './sequence.ts';

const cases = readFileSync(new URL('./cases.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const db = new Database(smallDatabase(), { readonly: true });
const catalog = readCatalog('shop', db);
const bench = new ToolBench(db, catalog);
const parse = (sql: string) => parseQuery(sql, { catalog, referenceTime: '2025-06-15 12:30:00' });

async function replay(sequence: SlotSequence): Promise<Row[] | null> {
  const { label, arguments: args } = sequence.initialization_step;
  const others = (args.additional_tables ?? []) as { label: string }[];
  const labels = [label as string, ...others.map((other) => other.label)];
  const starts = sequence.startTables.map((start, i) => [labels[i] as string, bench.start(start)]);
  return bench.replay(sequence.output, Object.fromEntries(starts));
}

describe('a lowered query answers the rows of its SQL', () => {
  it.each(cases)('%s', async (sql) => {
    const query = parse(sql);
    const gold = db.prepare(printQuery(query)).raw().all() as Row[];
    const ordered = query.kind !== 'values' && query.orderBy.length > 0;
    const groups = ordered ? gold.map((_, i) => i) : null;
    const slot = lowerSlot(query, catalog);
    const rows = await replay(slot);
    expect(rows !== null && sameRows(gold, rows, groups), JSON.stringify({ gold, rows })).toBe(true);
    const sel = await replay(lowerSel(slot, startKeysOf(slot, catalog)));
    expect(sel).toEqual(rows);
  });
});

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
