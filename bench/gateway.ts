import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { readFarm } from '../eval/farm/read-farm.ts';
import { bundledFarm } from './farms.ts';
import { quantile, startProcess } from './process.ts';

/**
 * `npm run bench:gateway [-- --farm <folder>]`: how much longer an answer takes through the gateway than from the
 * service itself. Every gold REST call of a farm is sent to both in turn, so that other load affects both. *new*: no
 * caches, each answer is computed. *kept by the service*: the gateway has no cache, so this is the cost of one more
 * hop. *asked before*: as deployed, every call for the second time.
 */
const ROUNDS = 12;
const MEGABYTES_64 = 64 * 1024 * 1024;
const { values } = parseArgs({ options: { farm: { type: 'string' } } });
const scratch = mkdtempSync(join(tmpdir(), 'rookery-bench-'));
try {
  const farm = values.farm ?? (await bundledFarm(join(scratch, 'farm')));
  const paths = goldPaths(farm);
  const rows = [];
  for (const [answers, keptByService, keptByGateway] of [
    ['new', 0, 0],
    ['kept by the service', MEGABYTES_64, 0],
    ['asked before', MEGABYTES_64, MEGABYTES_64],
  ] as const) {
    const service = await startProcess('server', farm, JSON.stringify({ cache: { bytes: keptByService } }));
    const options = { servicesAt: service.address, cache: { bytes: keptByGateway } };
    const gateway = await startProcess('gateway', farm, JSON.stringify(options));
    for (const atOnce of [1, 8]) {
      rows.push({
        answers,
        at_once: atOnce,
        ...(await compare(service.address, gateway.address, paths, atOnce)),
      });
    }
    await gateway.stop();
    await service.stop();
  }
  const report = {
    machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version },
    farm: readFarm(farm).farm.name,
    calls: paths.length,
    rounds: ROUNDS,
    milliseconds: rows,
  };
  const results = fileURLToPath(new URL('./results/', import.meta.url));
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'gateway.json'), `${JSON.stringify(report, null, 2)}\n`);
  console.table(rows);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The addresses of all gold REST calls, each once. */
function goldPaths(farm: string): string[] {
  const paths = readFarm(farm)
    .samples.filter(({ formulation }) => formulation === 'rest')
    .map(({ output: [call] }) => {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(call?.arguments ?? {})) {
        for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
      }
      return `${call?.path}?${query}`;
    });
  return [...new Set(paths)];
}

async function compare(direct: string, gateway: string, paths: readonly string[], atOnce: number) {
  const pools = [direct, gateway].map((origin) => new Pool(origin, { connections: atOnce }));
  const times: [number[], number[]] = [[], []];
  const queue = Array.from({ length: ROUNDS + 1 }, (_, round) => paths.map((path) => ({ path, round })))
    .flat()
    .reverse();
  const work = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      for (const side of [0, 1] as const) {
        const began = performance.now();
        const { statusCode, body } = await (pools[side] as Pool).request({ method: 'GET', path: next.path });
        await body.text();
        if (statusCode !== 200) throw new Error(`${next.path}: ${statusCode}`);
        // The first round prepares statements and fills the caches.
        if (next.round > 0) times[side].push(performance.now() - began);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await Promise.all(pools.map((pool) => pool.close()));
  const at = (side: 0 | 1, share: number) => Number(quantile(times[side], share).toFixed(3));
  return {
    service_median: at(0, 0.5),
    gateway_median: at(1, 0.5),
    ratio: Number((at(1, 0.5) / at(0, 0.5)).toFixed(2)),
    service_p99: at(0, 0.99),
    gateway_p99: at(1, 0.99),
  };
}
