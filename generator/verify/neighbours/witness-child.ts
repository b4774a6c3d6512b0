import Database from 'better-sqlite3';
import { serveChild } from '../../../services/sandbox/index.ts';
import type { Stored } from './table-shape.ts';

/** What is asked of the child: a query on a file. */
export interface WitnessRequest {
  readonly file: string;
  readonly sql: string;
}

process.env.TZ = 'UTC';

let last: { readonly file: string; readonly db: Database.Database } | null = null;

serveChild<WitnessRequest, Stored[][]>(({ file, sql }) => {
  if (last?.file !== file) {
    last?.db.close();
    last = { file, db: new Database(file, { readonly: true, fileMustExist: true }) };
  }
  return last.db.prepare<[], Stored[]>(sql).raw(true).safeIntegers(true).all();
});
