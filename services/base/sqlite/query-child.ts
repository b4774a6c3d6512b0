import { serveChild } from '../sandbox/serve-child.ts';
import { betterSqlite3 } from './better-sqlite3.ts';
import type { Connection } from './driver.ts';
import { type JsonQuery, runJsonQuery } from './json-query.ts';
import type { JsonRows } from './rows-as-json.ts';

/** A query and the database it is for. */
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
