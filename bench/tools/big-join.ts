import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DEFAULT_REFERENCE_TIME, generate } from '../../generator/generate.ts';
import type { ToolClient } from '../tool-client.ts';

export const BIG_ROWS = 100_000;

const table = (name: string) => ({ original_table_name: name, modified_table_name: name });
const START = {
  condition_sequence: [
    ['orders.customer_id', 'customer.id', 'INNER'],
    ['orders.product_id', 'product.id', 'INNER'],
  ],
  alias_to_table_dict: { orders: table('orders'), customer: table('customer'), product: table('product') },
};

/** A farm over three tables of 100,000 rows each. */
export async function makeBigFarm(scratch: string): Promise<string> {
  const split = join(scratch, 'big');
  mkdirSync(split);
  const db = new Database(join(split, 'big.sqlite'));
  db.exec(`
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE product (id INTEGER PRIMARY KEY, title TEXT, price REAL);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, product_id INTEGER REFERENCES product, amount INTEGER);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${BIG_ROWS})
      INSERT INTO customer SELECT i, 'customer ' || i, 'city ' || (i % 100) FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${BIG_ROWS})
      INSERT INTO product SELECT i, 'product ' || i, i % 997 + 0.5 FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${BIG_ROWS})
      INSERT INTO orders SELECT i, i * 7919 % ${BIG_ROWS} + 1, i * 104729 % ${BIG_ROWS} + 1, i % 9 FROM n;
  `);
  db.close();
  const sql =
    "SELECT count(*) FROM orders JOIN customer ON orders.customer_id = customer.id JOIN product ON orders.product_id = product.id WHERE city = 'city 7'";
  const question = {
    question_id: 0,
    db_id: 'big',
    question: 'How many orders come from city 7?',
    evidence: '',
    difficulty: null,
    sql,
  };
  writeFileSync(join(split, 'questions.jsonl'), `${JSON.stringify(question)}\n`);
  const out = join(scratch, 'big-farm');
  await generate(split, { out, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 60_000 });
  return out;
}

export interface StepTime {
  readonly step: string;
  readonly ms: number;
}

/** What each step on the joined table costs; the best of some tries, none of whose answers are kept. */
export async function measureBigJoin(client: ToolClient): Promise<StepTime[]> {
  const times: StepTime[] = [];
  const root = '/v1/big/big/slot';
  const timed = async <T>(step: string, action: () => Promise<T>): Promise<T> => {
    let best = Number.POSITIVE_INFINITY;
    let result = await action();
    for (let i = 0; i < 5; i++) {
      const began = performance.now();
      result = await action();
      best = Math.min(best, performance.now() - began);
    }
    times.push({ step, ms: best });
    return result;
  };
  const start = await timed('make the start table', () =>
    client.call(`${root}/initialize_active_data`, START),
  );
  await timed('its toolset', () => client.get(`${root}/toolset?start_table=${start.handle}&format=openai`));
  const city = {
    data_source: start.handle,
    key_name: 'customer_city',
    condition: 'equal_to',
    value: 'city 7',
  };
  const narrow = await timed('filter it, no preview', () =>
    client.call(`${root}/filter_data?preview=0`, city),
  );
  const sort = { data_source: narrow.handle, key_name: 'product_price', ascending: false };
  const sorted = await timed('sort that, no preview', () => client.call(`${root}/sort_data?preview=0`, sort));
  await timed('the same sort with a preview and a count', () => client.call(`${root}/sort_data`, sort));
  const read = { data_source: sorted.handle, key_name: 'product_title', limit: 10 };
  await timed('read ten values', () => client.call(`${root}/retrieve_data`, read));
  const count = { data_source: start.handle, key_name: '*', aggregation_type: 'count' };
  await timed(`count all ${BIG_ROWS.toLocaleString('en')} joined rows`, () =>
    client.call(`${root}/aggregate_data`, count),
  );
  return times;
}
