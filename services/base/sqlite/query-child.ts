import { betterSqlite3 } from './better-sqlite3.ts';
import { serveChild } from './child-pool.ts';
import { type Connection, type JsonQuery, type JsonRows, runJsonQuery } from './driver.ts';

export interface ChildQuery extends JsonQuery {
  readonly database: string;
}

const connections = new Map<string, Connection>();

serveChild<ChildQuery, JsonRows>((query) => {
  let connection = connections.get(query.database);
  if (!connection) {
    connection = betterSqlite3.open(query.database);
    connections.set(query.database, connection);
  }
  return runJsonQuery(connection, query);
});
