import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasPublished, publishedSplit, withPublished } from '../../../tests/support/published-splits.ts';
import { betterSqlite3 } from './better-sqlite3.ts';
import { type Connection, jsonSql, rowsAsJson, type SqlValue, type Statement } from './driver.ts';

/** Every fifth question: enough to cover all kinds of queries within seconds. */
const EVERY = 5;

describe.each(['bird-dev', 'spider-dev'] as const)('on the queries of %s', (name) => {
  const split = publishedSplit(name);
  const title = withPublished(name, 'the JSON holds the very rows of the plain statement, in their order');
  test.skipIf(!hasPublished(name))(title, () => {
    const connections = new Map<string, Connection>();
    const files = new Map(
      readdirSync(split, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.sqlite'))
        .map((file) => [basename(file, '.sqlite'), join(split, file)]),
    );
    const questions = JSON.parse(readFileSync(join(split, 'dev.json'), 'utf8')) as Question[];
    let compared = 0;
    for (const { db_id, SQL, query } of questions.filter((_, at) => at % EVERY === 0)) {
      const sql = (SQL ?? query ?? '').trim().replace(/;$/, '');
      const connection = connections.get(db_id) ?? betterSqlite3.open(files.get(db_id) as string);
      connections.set(db_id, connection);
      const plain = prepare(connection, sql);
      if (!plain) continue;
      const keys = plain.columns.map((_, at) => `column ${at}`);
      const { text } = rowsAsJson(
        connection.prepareAdHoc(jsonSql(sql, keys)),
        {},
        { maxRows: 1e9, maxBytes: 1e12 },
      );
      const rows = (JSON.parse(`[${text}]`) as Record<string, unknown>[]).map((row) =>
        keys.map((key) => row[key]),
      );
      expect(rows, sql).toEqual(plain.all().map((row) => row.map(asCell)));
      compared++;
    }
    for (const connection of connections.values()) connection.close();
    expect(compared).toBeGreaterThan(questions.length / EVERY / 2);
  });
});

interface Question {
  readonly db_id: string;
  readonly SQL?: string;
  readonly query?: string;
}

/** undefined for a statement that only prepares if SQLite accepts double-quoted strings. */
function prepare(connection: Connection, sql: string): Statement | undefined {
  try {
    return connection.prepareAdHoc(sql);
  } catch {
    return undefined;
  }
}

function asCell(value: SqlValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex').toUpperCase();
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}
