import Database from 'better-sqlite3';
import { type Stored, type StoredRequest, VISITED } from './messages.ts';

/** The rows of a query as SQLite stores them; null when SQLite refuses it or it visits too many rows. */
export function readStored(
  db: Database.Database,
  { storedOf, maxVisits }: Pick<StoredRequest, 'storedOf' | 'maxVisits'>,
): Stored[][] | null {
  let visits = 0;
  db.function(VISITED, { varargs: true, deterministic: true }, () => {
    visits++;
    if (visits > maxVisits) throw new TooManyVisits();
    return 1;
  });
  try {
    return db.prepare<[], Stored[]>(storedOf).raw(true).safeIntegers(true).all();
  } catch (error) {
    if (error instanceof TooManyVisits || error instanceof Database.SqliteError) return null;
    throw error;
  }
}

class TooManyVisits extends Error {}
