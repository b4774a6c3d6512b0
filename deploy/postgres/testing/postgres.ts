import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { test } from 'vitest';
import { packageRoot } from '../../../contracts/package-root.ts';
import { installTools, type Tools } from '../../../tests/interop/install-tools.ts';
import { freePort } from '../../../tests/support/supervised.ts';

export interface TestDatabase {
  /** `postgres://…` */
  readonly address: string;
  close(): Promise<void>;
}

const server = process.env.ROOKERY_TEST_POSTGRES;
const tools =
  server === undefined ? await installTools(join(packageRoot, 'tests', 'installed', 'postgres')) : null;

/** Whether `openTestDatabase` has no database to open; then the title of a test says why. */
export const noDatabase = (tools?.missing ?? null) !== null;
export const withDatabase = (title: string) => tools?.title(title) ?? title;

/** `test`, for those that open one. */
export const databaseTest = (title: string, body: () => Promise<void>, ms?: number) =>
  test.skipIf(noDatabase)(withDatabase(title), body, ms);

/**
 * PostgreSQL for tests: a new database at the server in ROOKERY_TEST_POSTGRES, or else PostgreSQL compiled to
 * WebAssembly in this process, which accepts connections like a server, but runs one statement at a time.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  return tools ? openInProcess(tools) : openAt(server ?? '');
}

async function openInProcess({ load }: Tools): Promise<TestDatabase> {
  const db = await load('@electric-sql/pglite').PGlite.create();
  const { PGLiteSocketServer } = load('@electric-sql/pglite-socket');
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

/** A dedicated PostgreSQL server, with sessions and locks, that can be stopped and started. */
export interface OwnServer extends TestDatabase {
  stop(): void;
  start(): void;
}

/** Where Debian installs several versions of PostgreSQL. */
const DEBIAN = '/usr/lib/postgresql';

export const hasPostgres = programs() !== undefined;

/** Starts a PostgreSQL in a temporary folder, on loopback. */
export async function startPostgres(): Promise<OwnServer> {
  // A folder that other users can reach, with a name short enough for a socket.
  const folder = mkdtempSync('/tmp/rookery-postgres-');
  const data = join(folder, 'data');
  // PostgreSQL refuses to run as root.
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const user = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const port = await freePort();
  const run = (program: string, ...args: string[]) =>
    void execFileSync(join(programs() ?? '', program), args, { ...user, cwd: folder, stdio: 'ignore' });
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync');
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c fsync=off -k ${folder}`;
  const start = () => run('pg_ctl', 'start', '-w', '-D', data, '-o', settings, '-l', join(folder, 'log'));
  const stop = () => run('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', data);
  start();
  return {
    address: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    async close() {
      stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The folder of PostgreSQL's programs, if installed. */
function programs(): string | undefined {
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  const folders = [stdout?.trim(), ...versions().map((version) => join(DEBIAN, version, 'bin'))];
  return folders.find((folder) => folder && spawnSync(join(folder, 'pg_ctl'), ['--version']).status === 0);
}

function versions(): string[] {
  try {
    return readdirSync(DEBIAN);
  } catch {
    return [];
  }
}
