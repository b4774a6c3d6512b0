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
  return runJsonQuery(journal.length > 0 ? written(database, journal) : plain(database), query);
});

function plain(database: string): Connection {
  const connection = connections.get(database) ?? betterSqlite3.open(database);
  connections.set(database, connection);
  return connection;
}

function written(database: string, journal: readonly string[]): Connection {
  const copy = copies.get(database) ?? new PrivateCopy(database);
  copies.set(database, copy);
  return new WrittenConnection(
    copy,
    journal.map((text) => new JournalStep(text)),
  );
}
