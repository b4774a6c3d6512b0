import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { type Farm, farm as farmSchema } from '../../contracts/farm.ts';
import { type Endpoint, service as serviceSchema } from '../../contracts/service.ts';
import { cloneFarm } from './clone-farm.ts';
import { median } from './median.ts';
import { builtEntry, type ServerProcess, startProcess } from './process.ts';
import { ENDPOINTS_PER_DOMAIN, writeSyntheticFarm } from './synthetic-farm.ts';

/** The cost of starting with so many endpoints. */
export interface StartResult {
  readonly endpoints: number;
  readonly domains: number;
  /** From the start of the process to the first answer of an endpoint, in milliseconds; the median of the rounds. */
  readonly firstAnswerMs: number;
  readonly memoryMb: number;
  /**
   * After every quick endpoint was called once: every statement is prepared, every database open, the answers cached.
   */
  readonly memoryAllCalledMb: number;
}

const ROUNDS = 5;

/** Starts a server with so many endpoints, several times. `source`: a farm to clone; else a synthetic one. */
export async function measureStart(endpoints: number, source: string | undefined): Promise<StartResult> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-bench-'));
  try {
    if (source === undefined) writeSyntheticFarm(folder, endpoints / ENDPOINTS_PER_DOMAIN);
    else cloneFarm(source, folder, endpoints);
    const farm = farmSchema.parse(JSON.parse(readFileSync(join(folder, 'farm.json'), 'utf8')));
    const paths = [...quickPaths(folder, farm)];
    const times: number[] = [];
    const memory: number[] = [];
    let memoryAllCalledMb = 0;
    await builtEntry('cli');
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      const server = await startServe(folder);
      const pool = new Pool(server.address, { connections: 4 });
      await call(pool, paths[0] as string);
      times.push(performance.now() - began);
      memory.push(server.memoryMb());
      if (round === ROUNDS - 1) {
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

/** As a user would: `rookery serve`, with everything that it serves. */
function startServe(farm: string): Promise<ServerProcess> {
  return startProcess('cli', 'serve', farm, '--port', '0', '--runs', join(farm, 'runs.sqlite'));
}

function* quickPaths(folder: string, farm: Farm): Iterable<string> {
  for (const { db } of farm.domains) {
    const text = readFileSync(join(folder, 'services', `${db}.json`), 'utf8');
    const { split, endpoints } = serviceSchema.parse(JSON.parse(text));
    for (const endpoint of endpoints) {
      if (endpoint.speed === 'quick') yield `/v1/${split}/${db}/${endpoint.name}${exampleQuery(endpoint)}`;
    }
  }
}

function exampleQuery(endpoint: Endpoint): string {
  return `?${endpoint.parameters.map(({ name }) => `${name}=1`).join('&')}`;
}

async function call(pool: Pool, path: string): Promise<void> {
  const { statusCode, body } = await pool.request({ method: 'GET', path });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
}
