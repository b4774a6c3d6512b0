/**
 * What the runner adds to the time of a model: tasks at concurrency 50 against a provider that answers after 200 ms,
 * compared with the time that the requests alone take.
 *
 *     npm run bench:run -- <farm> [<samples>]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executeCell } from '../cli/run/execute-cell.ts';
import { openFarmAccess } from '../cli/run/open-farm-access.ts';
import { runConfig } from '../runner/files/run-config.ts';
import { startGoldServer } from '../tests/support/gold-server.ts';
import { EXECUTION } from '../tests/support/run-cell-on.ts';

const [place = 'farm', samples = '200'] = process.argv.slice(2);
const LATENCY_MS = 200;
const CONCURRENCY = 50;

process.env.OPENAI_API_KEY ??= 'none';
const farm = await openFarmAccess(place);
const folder = mkdtempSync(join(tmpdir(), 'rookery-bench-run-'));
for (const agent of ['direct', 'tools', 'react']) {
  const format = agent === 'direct' ? 'json_list_without_labels' : 'by tools';
  const server = await startGoldServer(farm, { format, latencyMs: LATENCY_MS });
  const config = runConfig.parse({
    agent,
    model: 'openai/gold',
    base_url: server.address,
    formulation: 'rest',
    select: { sample: Number(samples) },
  });
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  const { records } = await executeCell(
    config,
    farm,
    join(folder, agent),
    agent,
    { ...EXECUTION, concurrency: CONCURRENCY, maxConnections: CONCURRENCY },
    new Map(),
  );
  const took = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const turns = records.reduce((sum, { loops }) => sum + loops, 0);
  const ideal = (turns / CONCURRENCY) * (LATENCY_MS / 1000);
  process.stdout.write(
    `${agent}: ${records.length} samples, ${turns} requests in ${took.toFixed(2)} s; ideal ${ideal.toFixed(2)} s; ratio ${(took / ideal).toFixed(2)}; ${((user + system) / 1e6).toFixed(2)} s of CPU, farm and provider included\n`,
  );
  await server.stop();
}
await farm.close();
rmSync(folder, { recursive: true });
