import { join } from 'node:path';
import autocannon from 'autocannon';
import Database from 'better-sqlite3';
import { median } from './median.ts';
import { type ServerProcess, startProcess } from './process.ts';
import { CUSTOMERS } from './synthetic-farm.ts';

/** How fast one kind of request is answered. */
export interface ThroughputResult {
  readonly name: string;
  readonly requestsPerSecond: number;
  /** Of the bare static route in the same round; the median of the rounds, as is every other figure. */
  readonly ratio: number;
  /** The bare route's processor time by this one's; null for what runs in the bench itself. */
  readonly cpuRatio: number | null;
  /** Processor time of the server a request; null for what runs in the bench itself. */
  readonly cpuMicros: number | null;
}

const ROUNDS = 5;
const SECONDS = 2;

/**
 * Loads each kind in turn, several rounds, so that whatever else the machine does falls on all of them. Each is
 * compared with the bare route of its own round, and the median of the rounds counts.
 */
export async function measureThroughput(farm: string): Promise<ThroughputResult[]> {
  const bare = await startProcess('bare');
  const uncached = await startProcess('server', farm, '{"cache":{"bytes":0}}');
  const cached = await startProcess('server', farm);
  const point = (i: number) => `/v1/bench/shop_00${i % 10}/customer_by_id?id=${(i % CUSTOMERS) + 1}`;
  const join_ = (i: number) =>
    `/v1/bench/shop_00${i % 10}/orders_of_customer?id=${(i % CUSTOMERS) + 1}&status=paid`;
  const city = (i: number) => `/v1/bench/shop_00${i % 10}/customers_of_city?city=City%20${i % 40}`;
  const kinds: [string, ServerProcess, (i: number) => string][] = [
    ['bare fastify, one static route', bare, () => '/static'],
    ['point endpoint, not cached', uncached, point],
    ['join, 6 rows, not cached', uncached, join_],
    ['125 rows, not cached', uncached, city],
    ['point endpoint, cached', cached, (i) => point(i % 100)],
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

async function load(server: ServerProcess, path: (i: number) => string) {
  let sent = 0;
  const before = server.cpuMicros();
  const result = await autocannon({
    url: server.address,
    connections: 16,
    pipelining: 2,
    duration: SECONDS,
    requests: [{ method: 'GET', setupRequest: (request) => ({ ...request, path: path(sent++) }) }],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path(0)}: ${result.non2xx} answers were not 2xx`);
  return {
    perSecond: result.requests.total / result.duration,
    cpu: (server.cpuMicros() - before) / result.requests.total,
  };
}

/** The query of the point endpoint without any HTTP. */
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
