import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Pool } from 'undici';
import { type Farm, farm as farmSchema } from '../../contracts/farm.ts';
import { service as serviceSchema } from '../../contracts/service.ts';
import { CUSTOMERS, ENDPOINTS_PER_DOMAIN, repeatDomains, writeSyntheticFarm } from '../farms.ts';
import { builtEntry, type MACHINE, median, quantile, type ServerProcess, startProcess } from '../process.ts';

export interface ThroughputResult {
  readonly name: string;
  readonly requestsPerSecond: number;
  /** Relative to the bare static route in the same round; like all figures, the median over the rounds. */
  readonly ratio: number;
  /** The bare route's processor time divided by this one's; null for what runs in the bench itself. */
  readonly cpuRatio: number | null;
  /** The server's processor time per request; null for what runs in the bench itself. */
  readonly cpuMicros: number | null;
}

const ROUNDS = 5;
const SECONDS = 2;

/**
 * Loads each kind in turn, for several rounds, so that other load on the machine affects all of them. Each is
 * compared with the bare route of the same round; the median round counts.
 */
export async function measureThroughput(farm: string): Promise<ThroughputResult[]> {
  const bare = await startProcess('bare');
  const uncached = await startProcess('server', farm, '{"cache":{"bytes":0}}');
  const cached = await startProcess('server', farm);
  const join_ = (i: number) =>
    `/v1/bench/shop_00${i % 10}/orders_of_customer?id=${(i % CUSTOMERS) + 1}&status=paid`;
  const city = (i: number) => `/v1/bench/shop_00${i % 10}/customers_of_city?city=City%20${i % 40}`;
  const kinds: [string, ServerProcess, (i: number) => string][] = [
    ['bare fastify, one static route', bare, () => '/static'],
    ['point endpoint, not cached', uncached, pointPath],
    ['join, 6 rows, not cached', uncached, join_],
    ['125 rows, not cached', uncached, city],
    ['point endpoint, cached', cached, (i) => pointPath(i % 100)],
    ['125 rows, cached', cached, (i) => city(i % 100)],
  ];
  const rates = new Map<string, { perSecond: number[]; cpu: number[] }>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, server, path] of kinds) {
      const measured = rates.get(name) ?? { perSecond: [], cpu: [] };
      rates.set(name, measured);
      const { perSecond, cpu } = await load(server, path);
      measured.perSecond.push(perSecond);
      measured.cpu.push(cpu);
    }
  }
  await Promise.all([bare.stop(), uncached.stop(), cached.stop()]);
  const raw = { name: 'raw better-sqlite3 in process, point query + JSON.stringify', ...rawPoint(farm) };
  const base = rates.get(kinds[0]?.[0] ?? '');
  if (!base) throw new Error('nothing was measured');
  const ratios = (of: readonly number[], to: readonly number[]) =>
    median(of.map((value, round) => value / (to[round] as number)));
  const results = kinds.map(([name]): ThroughputResult => {
    const { perSecond = [], cpu = [] } = rates.get(name) ?? {};
    return {
      name,
      requestsPerSecond: median(perSecond),
      ratio: ratios(perSecond, base.perSecond),
      cpuMicros: median(cpu),
      cpuRatio: ratios(base.cpu, cpu),
    };
  });
  return [...results, { ...raw, ratio: raw.requestsPerSecond / median(base.perSecond), cpuRatio: null }];
}

/** Asks without a pause, 32 requests at a time over 16 connections. */
async function load(server: ServerProcess, path: (i: number) => string) {
  const pool = new Pool(server.address, { connections: 16, pipelining: 2 });
  let sent = 0;
  const before = server.cpuMicros();
  const began = performance.now();
  const ask = async () => {
    while (performance.now() - began < SECONDS * 1000) await call(pool, path(sent++));
  };
  await Promise.all(Array.from({ length: 32 }, ask));
  const seconds = (performance.now() - began) / 1000;
  const cpu = (server.cpuMicros() - before) / sent;
  await pool.close();
  return { perSecond: sent / seconds, cpu };
}

/** The query of the point endpoint, without HTTP. */
function rawPoint(farm: string): { requestsPerSecond: number; cpuMicros: null } {
  const db = new Database(join(farm, 'databases', 'shop_000.sqlite'), { readonly: true });
  const statement = db.prepare('SELECT name, city, credit FROM customer WHERE id = ?');
  const began = performance.now();
  let calls = 0;
  while (performance.now() - began < 1000) {
    for (let i = 0; i < 1000; i++) JSON.stringify({ data: statement.all((calls++ % CUSTOMERS) + 1) });
  }
  db.close();
  return { requestsPerSecond: calls / ((performance.now() - began) / 1000), cpuMicros: null };
}

/** The latency of quick requests beside constant one-second queries. */
export interface NeighbourResult {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const NEIGHBOURS_ROUNDS = 5;
const NEIGHBOURS_SECONDS = 5;
/** Requests per second: far below the server's limit, so that latency is due to waiting only. */
const RATE = 400;

/**
 * The latencies of a point endpoint alone, beside one-second queries in a child process, and beside some in
 * the main thread. Alone and beside alternate; the median round of each counts.
 */
export async function measureNeighbours(farm: string): Promise<NeighbourResult[]> {
  const steps = stepsOfASecond();
  const server = await startProcess('server', farm, '{"cache":{"bytes":0}}');
  const alone: Latency[] = [];
  const beside: Latency[] = [];
  for (let round = 0; round < NEIGHBOURS_ROUNDS; round++) {
    alone.push(await latencies(server));
    const stop = keepBusy(server, 'about_a_second', steps + round * 1000, 0);
    // The first one starts the child process.
    await setTimeout(1500);
    beside.push(await latencies(server));
    await stop();
  }
  await server.stop();
  // For contrast: a server that runs every query on its main thread, with pauses so that other requests get a
  // turn.
  const single = await startProcess('server', farm, '{"cache":{"bytes":0},"limits":{"quickMs":3600000}}');
  const stopSingle = keepBusy(single, 'about_a_second_here', steps, 2000);
  const blocked = await latencies(single);
  await stopSingle();
  await single.stop();
  return [
    { name: 'nothing else', ...middle(alone) },
    { name: 'a one-second query all the time, in a child process', ...middle(beside) },
    { name: 'a one-second query every three seconds, on the main thread', ...blocked },
  ];
}

type Latency = Omit<NeighbourResult, 'name'>;

function middle(rounds: readonly Latency[]): Latency {
  return { p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)), p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)) };
}

async function latencies(server: ServerProcess): Promise<Latency> {
  const pool = new Pool(server.address, { connections: 32 });
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const began = performance.now();
  for (let i = 0; i < RATE * NEIGHBOURS_SECONDS; i++) {
    const due = began + (i * 1000) / RATE;
    const wait = due - performance.now();
    if (wait > 1) await setTimeout(wait);
    pending.push(timed(pool, i).then((ms) => void times.push(ms)));
  }
  await Promise.all(pending);
  await pool.close();
  return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}

async function timed(pool: Pool, i: number): Promise<number> {
  const began = performance.now();
  await call(pool, pointPath(i));
  return performance.now() - began;
}

const pointPath = (i: number) => `/v1/bench/shop_00${i % 10}/customer_by_id?id=${(i % CUSTOMERS) + 1}`;

/** Sends slow queries one after the other, with pauses, until stopped. */
function keepBusy(
  server: ServerProcess,
  endpoint: string,
  steps: number,
  pauseMs: number,
): () => Promise<void> {
  const pool = new Pool(server.address, { connections: 1 });
  let stopping = false;
  const work = (async () => {
    for (let i = 0; !stopping; i++) {
      await call(pool, `/v1/bench/shop_000/${endpoint}?steps=${steps + i}`);
      await setTimeout(pauseMs);
    }
  })();
  return async () => {
    stopping = true;
    await work;
    await pool.close();
  };
}

/** The count that SQLite reaches in a second on this machine. */
function stepsOfASecond(): number {
  const db = new Database(':memory:');
  const count = db.prepare(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT count(*) FROM n',
  );
  const began = performance.now();
  const probe = 1_000_000;
  count.get(BigInt(probe));
  db.close();
  return Math.round((probe * 1000) / (performance.now() - began));
}

export interface StartResult {
  readonly endpoints: number;
  readonly domains: number;
  /** From process start to the first response of an endpoint, in milliseconds; the median over the rounds. */
  readonly firstAnswerMs: number;
  readonly memoryMb: number;
  /** After each quick endpoint was called once: statements prepared, databases open, answers cached. */
  readonly memoryAllCalledMb: number;
}

const START_ROUNDS = 5;

/** Starts a server with this many endpoints, several times. `source`: a farm to clone; default: a synthetic one. */
export async function measureStart(endpoints: number, source: string | undefined): Promise<StartResult> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-bench-'));
  try {
    if (source === undefined) writeSyntheticFarm(folder, endpoints / ENDPOINTS_PER_DOMAIN);
    else repeatDomains(source, folder, { endpoints });
    const farm = farmSchema.parse(JSON.parse(readFileSync(join(folder, 'farm.json'), 'utf8')));
    const paths = [...quickPaths(folder, farm)];
    const times: number[] = [];
    const memory: number[] = [];
    let memoryAllCalledMb = 0;
    const runs = join(folder, 'runs.sqlite');
    await builtEntry('cli');
    for (let round = 0; round < START_ROUNDS; round++) {
      const began = performance.now();
      // As a user would: `rookery serve` with all features.
      const server = await startProcess('cli', 'serve', folder, '--port', '0', '--runs', runs);
      const pool = new Pool(server.address, { connections: 4 });
      await call(pool, paths[0] as string);
      times.push(performance.now() - began);
      memory.push(server.memoryMb());
      if (round === START_ROUNDS - 1) {
        for (const path of paths) await call(pool, path);
        memoryAllCalledMb = server.memoryMb();
      }
      await pool.close();
      await server.stop();
    }
    return {
      endpoints,
      domains: farm.domains.length,
      firstAnswerMs: median(times),
      memoryMb: median(memory),
      memoryAllCalledMb,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function* quickPaths(folder: string, farm: Farm): Iterable<string> {
  for (const { db } of farm.domains) {
    const text = readFileSync(join(folder, 'services', `${db}.json`), 'utf8');
    const { split, endpoints } = serviceSchema.parse(JSON.parse(text));
    for (const endpoint of endpoints) {
      if (endpoint.speed === 'quick')
        yield `/v1/${split}/${db}/${endpoint.name}?${endpoint.parameters.map(({ name }) => `${name}=1`).join('&')}`;
    }
  }
}

async function call(pool: Pool, path: string): Promise<void> {
  const { statusCode, body } = await pool.request({ method: 'GET', path });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
}

/** `bench/results/serve.json` */
export interface ServeReport {
  /** `loadBefore`: the machine's load average before the measurement. */
  readonly machine: typeof MACHINE & { readonly loadBefore: number };
  readonly startedFrom: string;
  readonly throughput: readonly ThroughputResult[];
  readonly neighbours: readonly NeighbourResult[];
  readonly start: readonly StartResult[];
}

export function emitReport(report: ServeReport): string {
  const { machine } = report;
  const quiet = report.neighbours[0]?.p99Ms ?? Number.NaN;
  return `# Serving, measured

${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load ${machine.loadBefore.toFixed(1)} before the bench. Written by \`npm run bench:serve\`.

| one server process, load from the same machine | requests/s | of bare | server CPU a request | of bare |
|---|--:|--:|--:|--:|
${report.throughput.map(emitThroughput).join('\n')}

| a point endpoint at 400 requests/s, and beside it | p50 | p99 | of quiet p99 |
|---|--:|--:|--:|
${report.neighbours.map((r) => row(r.name, `${r.p50Ms.toFixed(2)} ms`, `${r.p99Ms.toFixed(2)} ms`, (r.p99Ms / quiet).toFixed(1))).join('\n')}

| start (${report.startedFrom}) | domains | first answer after | memory | every quick endpoint called once |
|---|--:|--:|--:|--:|
${report.start
  .map((r) =>
    row(
      `${count(r.endpoints)} endpoints`,
      count(r.domains),
      `${Math.round(r.firstAnswerMs)} ms`,
      `${Math.round(r.memoryMb)} MB`,
      `${Math.round(r.memoryAllCalledMb)} MB`,
    ),
  )
  .join('\n')}
`;
}

function emitThroughput({ name, requestsPerSecond, ratio, cpuMicros, cpuRatio }: ThroughputResult): string {
  const cpu = cpuMicros === null ? '–' : `${cpuMicros.toFixed(1)} µs`;
  return row(name, count(requestsPerSecond), ratio.toFixed(2), cpu, cpuRatio?.toFixed(2) ?? '–');
}

function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}
