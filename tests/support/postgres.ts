import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import postgres from 'postgres';

/** A database for the tests of one file. */
export interface TestDatabase {
  /** `postgres://…` */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * PostgreSQL for tests: the server at ROOKERY_TEST_POSTGRES, in which a new database is made, or else PostgreSQL itself
 * compiled to WebAssembly, in this process, which takes connections as a server does and carries out one statement at a time.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = process.env.ROOKERY_TEST_POSTGRES;
  return server === undefined ? openInProcess() : openAt(server);
}

async function openInProcess(): Promise<TestDatabase> {
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 100 });
  await server.start();
  return {
    address: `postgres://postgres@${server.getServerConn()}/postgres`,
    async close() {
      await server.stop();
      await db.close();
    },
  };
}

async function openAt(address: string): Promise<TestDatabase> {
  const name = `rookery_${process.pid}_${Date.now()}`;
  const sql = postgres(address, { max: 1 });
  await sql.unsafe(`CREATE DATABASE ${name}`);
  const own = new URL(address);
  own.pathname = `/${name}`;
  return {
    address: own.href,
    async close() {
      await sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
      await sql.end();
    },
  };
}
