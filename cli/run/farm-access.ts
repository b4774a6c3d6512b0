import { fork } from 'node:child_process';
import { join } from 'node:path';
import { Rookery } from '../../client/index.ts';
import type { Catalog, Row } from '../../contracts/catalog.ts';
import { OptionError, QueryError } from '../../contracts/errors.ts';
import { searchIndex, vectorTable } from '../../contracts/service.ts';
import { readFarm, type ScoredFarm } from '../../eval/farm/read-farm.ts';
import { Oracle } from '../../generator/oracle/oracle.ts';
import { findDatabases, findLayout } from '../../generator/read/layouts.ts';
import { numberQuestions } from '../../generator/read/questions.ts';
import type { FarmData } from '../../runner/agents/agent.ts';
import type { FarmAccess } from '../../runner/harness/prepare-cell.ts';
import { textFetch } from '../../runner/text-fetch.ts';
import {
  fromWire,
  loadFarm,
  makeHarnessKey,
  resolveChildModule,
  type WireError,
} from '../../services/index.ts';
import { quoteIdentifier } from '../../sql/index.ts';

/** The database files of a split by domain, without opening them. Throws the errors of reading the split. */
export function splitDatabases(folder: string): ReadonlyMap<string, string> {
  const found = findLayout(folder);
  const { layout, place } = found;
  const all = numberQuestions(place.questionsFile, layout.readQuestions(place));
  return findDatabases(found, all);
}

/** The limits of SQL run by a service or a baseline. */
const LIMITS = { limitMs: 10_000, maxRows: 10_000, maxBytes: 16 * 1024 * 1024, children: 2 };

/**
 * The databases of a farm folder, read in child processes, so that any statement can be interrupted.
 * `originals` are the split's databases: served copies have the same rows but other indexes, so an answer
 * that SQL leaves open (a bare column, a tie at a LIMIT) may differ.
 */
export function openFarmData(
  folder: string,
  referenceTime: string,
  catalogs: ReadonlyMap<string, Catalog>,
  originals: ReadonlyMap<string, string> = new Map(),
): FarmData & { close(): Promise<void> } {
  const oracle = new Oracle({ referenceTime, ...LIMITS });
  const fileOf = (db: string) => originals.get(db) ?? join(folder, 'databases', `${db}.sqlite`);
  const texts = new Map<string, Promise<string>>();
  const columns = new Map<string, Promise<readonly Row[number][]>>();
  const once = (key: string, make: () => Promise<string>) => {
    const known = texts.get(key) ?? make();
    texts.set(key, known);
    return known;
  };
  const rowsOf = async (db: string, sql: string) => (await oracle.run(fileOf(db), sql)).rows;

  // Many questions concern the same few columns.
  async function valuesOf(db: string, table: string, column: string, max: number) {
    const [from, name] = [quoteIdentifier(table), quoteIdentifier(column)];
    const sql = `SELECT ${name} FROM ${from} WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${max}`;
    try {
      return (await rowsOf(db, sql)).map(([value]) => value ?? null);
    } catch (error) {
      if (error instanceof QueryError) return [];
      throw error;
    }
  }

  return {
    ddl: (db) =>
      once(`ddl ${db}`, async () => {
        const rows = await rowsOf(db, TABLES);
        return rows.map(([sql]) => `${sql};`).join('\n');
      }),
    descriptions: (db) => once(`descriptions ${db}`, async () => describe(catalogs.get(db))),
    firstRows: (db, count) =>
      once(`rows ${count} ${db}`, async () => {
        const tables = (catalogs.get(db)?.tables ?? []).map(({ name }) => name);
        const shown = await Promise.all(
          tables.map(async (table) => {
            const { columns, rows } = await oracle.run(
              fileOf(db),
              `SELECT * FROM ${quoteIdentifier(table)} LIMIT ${count}`,
            );
            return [`${table} (${columns.join(', ')})`, ...rows.map((row) => JSON.stringify(row))].join('\n');
          }),
        );
        return shown.join('\n\n');
      }),
    async query(db, sql) {
      try {
        const { columns, rows } = await oracle.run(fileOf(db), sql);
        return { columns, rows };
      } catch (error) {
        if (error instanceof QueryError) return `${error.code}: ${error.message}`;
        throw error;
      }
    },
    values(db, table, column, max) {
      const key = JSON.stringify([db, table, column, max]);
      const known = columns.get(key) ?? valuesOf(db, table, column, max);
      columns.set(key, known);
      return known;
    },
    close: () => oracle.close(),
  };
}

/** Excludes what the served copy adds to the split's tables: statistics, and full-text indexes. */
const OWN = ['sqlite_', searchIndex(''), vectorTable('')]
  .map((name) => `substr(name, 1, ${name.length}) <> '${name}'`)
  .join(' AND ');
const TABLES = `SELECT sql FROM sqlite_master WHERE type IN ('table', 'view') AND sql IS NOT NULL AND ${OWN} ORDER BY rowid`;

function describe(catalog: Catalog | undefined): string {
  const lines = (catalog?.tables ?? []).flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name, friendly_name, description, value_description }) => {
      const texts = [friendly_name, description, value_description].filter(
        (text) => text !== null && text !== '',
      );
      return texts.length === 0 ? [] : [`${table}.${name}: ${texts.join('; ')}`];
    }),
  );
  return lines.join('\n');
}

export interface ToFarmChild {
  readonly farm: string;
  readonly harnessKey: string;
}

export type FromFarmChild =
  | { readonly kind: 'listening'; readonly address: string }
  | { readonly kind: 'failed'; readonly error: WireError };

export interface FarmProcess {
  readonly address: string;
  close(): Promise<void>;
}

/** Serves a farm's folder from a child process, which has its own core and ends with this process. */
export function startFarmProcess(options: ToFarmChild): Promise<FarmProcess> {
  const { file, execArgv } = resolveChildModule(new URL('./farm-child.ts', import.meta.url));
  const child = fork(file, [], {
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let closing = false;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const close = async () => {
    closing = true;
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_LIMIT_MS);
    await gone;
    clearTimeout(timer);
  };
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      const how = `the process that served the farm ended (${signal ?? `exit ${code}`})`;
      reject(new Error(how));
      if (!closing) process.stderr.write(`${how}\n`);
    });
    child.once('message', (message) => {
      const reply = message as FromFarmChild;
      if (reply.kind === 'listening') return resolve({ address: reply.address, close });
      closing = true;
      reject(fromWire(reply.error));
    });
    child.send(options);
  });
}

/** Grace period after which the child is killed. */
const CLOSE_LIMIT_MS = 5_000;

export interface OpenedFarm extends FarmAccess {
  /** The folder with the gold; null if there is none on this machine. */
  readonly folder: string | null;
  readonly scored: ScoredFarm | null;
  close(): Promise<void>;
}

export interface OpenFarmOptions {
  /** The folder of a farm that is served elsewhere. */
  readonly gold?: string;
  /** The split that the farm was made from, whose databases then run SQL. */
  readonly split?: string;
  readonly apiKey?: string;
  /** For a farm served elsewhere: access to what reveals gold, such as partial toolsets, faults and records. */
  readonly harnessKey?: string;
}

/**
 * Opens a farm for runs: a folder, which a child process serves, or an address. Functions that need the gold
 * exist only with a folder. Throws FARM_NOT_FOUND, FARM_INVALID, and OPTION_INVALID for an address that does
 * not respond.
 */
export async function openFarmAccess(place: string, options: OpenFarmOptions = {}): Promise<OpenedFarm> {
  if (/^https?:\/\//.test(place)) return openServed(place, options);
  const scored = readFarm(place);
  const harnessKey = makeHarnessKey();
  const opening = [openFolder(scored, options.split), startFarmProcess({ farm: place, harnessKey })] as const;
  try {
    const [local, served] = await Promise.all(opening);
    return {
      ...local,
      client: new Rookery(served.address, { harnessKey, fetch: textFetch() }),
      keepsRecords: false,
      close: async () => void (await Promise.all([local.close(), served.close()])),
    };
  } catch (error) {
    await Promise.allSettled(opening.map(async (each) => (await each).close()));
    throw error;
  }
}

async function openServed(
  address: string,
  { gold, apiKey, harnessKey, split }: OpenFarmOptions,
): Promise<OpenedFarm> {
  const client = new Rookery(address, {
    fetch: textFetch(),
    apiKey,
    harnessKey,
  });
  try {
    await client.get('/tasks?limit=1');
  } catch (cause) {
    const { message, cause: below } = cause as Error;
    const reason = below instanceof Error ? below.message : message;
    const fix = 'give the address that `rookery serve` prints';
    throw new OptionError(address, `no farm answers there (${reason}); ${fix}`, { cause });
  }
  if (gold !== undefined) return { ...(await openFolder(readFarm(gold), split)), client, keepsRecords: true };
  return {
    client,
    keepsRecords: true,
    name: address,
    split: null,
    hash: null,
    samples: null,
    data: null,
    folder: null,
    scored: null,
    close: async () => {},
  };
}

async function openFolder(
  scored: ScoredFarm,
  split?: string,
): Promise<Omit<OpenedFarm, 'client' | 'keepsRecords'>> {
  const { folder, farm, hash, byId } = scored;
  const { domains } = await loadFarm(folder);
  const catalogs = new Map(domains.map(({ service }) => [service.db, service.catalog]));
  const data = openFarmData(
    folder,
    farm.reference_time,
    catalogs,
    split === undefined ? undefined : splitDatabases(split),
  );
  return {
    name: farm.name,
    split: farm.split.name,
    hash,
    samples: [...byId.values()],
    data,
    folder,
    scored,
    close: () => data.close(),
  };
}
