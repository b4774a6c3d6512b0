import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { declaredAffinity } from './catalog.ts';

const TYPES = [
  ['INT', 'BIGINT UNSIGNED', 'POINT', 'CHARINT', 'VARCHAR(20)', 'text', 'CLOB', 'BLOB', '', 'REAL', 'DOUBLE'],
  [
    'FLOAT',
    'DECIMAL(10,2)',
    'DATE',
    'BOOLEAN',
    'NUMERIC',
    'FLOATING POINT',
    'TEXTBLOB',
    'STRING',
    'BLOBREAL',
  ],
].flat();

/** How SQLite converts the text `12.0` distinguishes its affinities, except numeric and integer. */
const STORED = { integer: 'integer', numeric: 'integer', real: 'real', text: 'text', blob: 'text' };

it('gives each declared type the affinity that SQLite gives it', () => {
  const db = new Database(':memory:');
  for (const type of TYPES) {
    db.exec(`CREATE TABLE t (x ${type}); INSERT INTO t VALUES ('12.0')`);
    expect([type, db.prepare('SELECT typeof(x) FROM t').pluck().get()]).toEqual([
      type,
      STORED[declaredAffinity(type)],
    ]);
    db.exec('DROP TABLE t');
  }
  db.close();
});
