import Database from 'better-sqlite3';
import { HttpProblem } from '../../base/http/problem.ts';

/** What SQLite says when the disk, or the memory that it may have, takes no more, or the disk fails. */
const FULL = /^SQLITE_(?:FULL|IOERR)/;

/** What went wrong with writing runs: STORAGE_FULL when there is no room or the disk is at fault, else the error itself. */
export function asStorageProblem(error: unknown): unknown {
  return error instanceof Database.SqliteError && FULL.test(error.code) ? storageFull(error) : error;
}

/** STORAGE_FULL, for whatever was to be recorded. */
export function storageFull(cause: unknown): HttpProblem {
  const detail = 'Where runs are kept there is no more room. Nothing was recorded, and this did not count.';
  return new HttpProblem('STORAGE_FULL', detail, { headers: { 'retry-after': '10' }, cause });
}
