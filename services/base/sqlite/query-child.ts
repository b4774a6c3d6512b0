import { getOrInsert } from '../concurrency.ts';
import { betterSqlite3 } from './better-sqlite3.ts';
import { serveChild } from './child-pool.ts';
import { type Connection, type JsonQuery, type JsonRows, runJsonQuery } from './driver.ts';
import { JournalStep, PrivateCopy, WrittenConnection } from './private-copy.ts';

export interface ChildQuery extends JsonQuery {
  readonly database: string;
  /** What the run has written, as text. */
  readonly journal?: readonly string[];
}

const connections = new Map<string, Connection>();
const copies = new Map<string, PrivateCopy>();

serveChild<ChildQuery, JsonRows>((query) => {
  const { database, journal = [] } = query;
  if (journal.length === 0)
    return runJsonQuery(
      getOrInsert(connections, database, () => betterSqlite3.open(database)),
      query,
    );
  const copy = getOrInsert(copies, database, () => new PrivateCopy(database));
  const steps = journal.map((text) => new JournalStep(text));
  return runJsonQuery(new WrittenConnection(copy, steps), query);
});
