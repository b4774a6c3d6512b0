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

/** How many rows a query visits, at most one more than `maxVisits`; null when SQLite refuses it. */
export function visitsOf(
  db: Database.Database,
  { visitsOf, maxVisits }: Pick<VisitsRequest, 'visitsOf' | 'maxVisits'>,
): number | null {
  const visits = limitVisits(db, maxVisits);
  try {
    for (const _ of db.prepare(visitsOf).raw(true).iterate());
    return visits();
  } catch (error) {
    if (error instanceof TooManyVisits) return visits();
    if (error instanceof Database.SqliteError) return null;
    throw error;
  }
}

/** Gives how many there have been. */
function limitVisits(db: Database.Database, maxVisits: number): () => number {
  let visits = 0;
  db.function(VISITED, { varargs: true, deterministic: true }, () => {
    visits++;
    if (visits > maxVisits) throw new TooManyVisits();
    return 1;
  });
  return () => visits;
}

class TooManyVisits extends Error {}
