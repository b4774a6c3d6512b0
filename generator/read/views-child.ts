import Database from 'better-sqlite3';
import { serveChild } from '../../services/base/sqlite/child-pool.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { openNative } from '../oracle/engines.ts';
import { readStatistics, type TableStatistics } from './catalog.ts';
import type { ViewRequest } from './read-split.ts';

/** Replies null when SQLite fails. */
serveChild<ViewRequest, TableStatistics | null>(({ file, view }) => {
  const db = openNative(file);
  try {
    // Statistics stop after a million rows, later queries do not.
    db.prepare(`SELECT count(*) FROM ${quoteIdentifier(view.name)}`).get();
    return readStatistics(db, view);
  } catch (error) {
    if (error instanceof Database.SqliteError) return null;
    throw error;
  } finally {
    db.close();
  }
});
