import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Pool } from 'undici';
import { median, quantile } from './median.ts';
import { type ServerProcess, startProcess } from './process.ts';
import { CUSTOMERS } from './synthetic-farm.ts';

/** The latency of quick requests while one-second queries run all the time. */
export interface NeighbourResult {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const ROUNDS = 5;
const SECONDS = 5;
/** Requests a second: far below the server's limit, so that latency is due to waiting only. */
const RATE = 400;

/**
 * The latencies of a point endpoint alone, beside one-second queries in a child, and beside some in the main
 * thread. Alone and beside take turns, and the median round of each counts.
 */
export async function measureNeighbours(farm: string): Promise<NeighbourResult[]> {
  const steps = stepsOfASecond();
  const server = await startProcess('server', farm, '{"cache":{"bytes":0}}');
  const alone: Latency[] = [];
  const beside: Latency[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await latencies(server));
    const stop = keepBusy(server, 'about_a_second', steps + round * 1000, 0);
    // The first one starts the child process.
    await setTimeout(1500);
    beside.push(await latencies(server));
    await stop();
  }
  await server.stop();
  // For contrast: a server that runs every query on its main thread, with pauses between queries so that other requests
  // get a turn.
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
  for (let i = 0; i < RATE * SECONDS; i++) {
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
  const path = `/v1/bench/shop_00${i % 10}/customer_by_id?id=${(i % CUSTOMERS) + 1}`;
  const { statusCode, body } = await pool.request({ method: 'GET', path });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
  return performance.now() - began;
}

/** Requests one slow query after the other, with pauses, until stopped. */
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
      const path = `/v1/bench/shop_000/${endpoint}?steps=${steps + i}`;
      const { statusCode, body } = await pool.request({ method: 'GET', path });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
      await setTimeout(pauseMs);
    }
  })();
  return async () => {
    stopping = true;
    await work;
    await pool.close();
  };
}

/** How far SQLite counts in a second on this machine. */
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
