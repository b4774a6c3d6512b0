import Database from 'better-sqlite3';
import { type Stored, type StoredRequest, VISITED, type VisitsRequest } from './messages.ts';

/** The rows of a query as SQLite stores them; null when SQLite refuses it or it visits too many rows. */
export function readStored(
  db: Database.Database,
  { storedOf, maxVisits }: Pick<StoredRequest, 'storedOf' | 'maxVisits'>,
): Stored[][] | null {
  limitVisits(db, maxVisits);
  try {
    return db.prepare<[], Stored[]>(storedOf).raw(true).safeIntegers(true).all();
  } catch (error) {
    if (error instanceof TooManyVisits || error instanceof Database.SqliteError) return null;
    throw error;
  }
}

/** Whether a query visits more rows than that; of one that SQLite refuses nothing is known, so it does not. */
export function exceedsVisits(
  db: Database.Database,
  { visitsOf, maxVisits }: Pick<VisitsRequest, 'visitsOf' | 'maxVisits'>,
): boolean {
  limitVisits(db, maxVisits);
  try {
    for (const _ of db.prepare(visitsOf).raw(true).iterate());
    return false;
  } catch (error) {
    if (error instanceof TooManyVisits) return true;
    if (error instanceof Database.SqliteError) return false;
    throw error;
  }
}

function limitVisits(db: Database.Database, maxVisits: number): void {
  let visits = 0;
  db.function(VISITED, { varargs: true, deterministic: true }, () => {
    visits++;
    if (visits > maxVisits) throw new TooManyVisits();
    return 1;
  });
}

class TooManyVisits extends Error {}
