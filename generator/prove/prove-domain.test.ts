import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { smallDatabase } from '../../tests/support/small-database.ts';
import { Oracle } from '../oracle/oracle.ts';
import { readCatalog } from '../read/catalog.ts';
import { readGold } from './prove-domain.ts';

const file = smallDatabase();
const referenceTime = '2025-01-01 00:00:00';
const oracle = new Oracle({ referenceTime, children: 1 });
afterAll(() => oracle.close());

test('gold that only another build of SQLite would run is not executable', async () => {
  const db = new Database(file, { readonly: true });
  const catalog = readCatalog('shop', db);
  db.close();
  const ask = (question_id: number, sql: string) => ({
    question_id,
    db_id: 'shop',
    question: '?',
    evidence: '',
    difficulty: null,
    sql,
  });
  const { golds, unreadable } = await readGold(
    [ask(1, 'SELECT reverse("first name") FROM customer WHERE city = "Paris"'), ask(2, 'SELECT 1')],
    { catalog, referenceTime },
    { oracle, file, jobs: 1 },
  );
  expect(golds.map(({ question }) => question.question_id)).toEqual([2]);
  expect(unreadable.map(({ rejection }) => rejection)).toEqual([
    { code: 'SQL_NOT_EXECUTABLE', reason: 'no such function: reverse', clause: null },
  ]);
});
