/**
 * What the runner adds to the time of a model: tasks at concurrency 50 against a provider that answers after 200 ms,
 * compared with the time that the requests alone take. The provider is a process of its own, and so is the farm, as
 * `rookery run <folder>` has it; what is counted of the processor is the runner's.
 *
 *     npm run bench:run -- <farm> [<samples> [<agents>]]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executeCell } from '../cli/run/execute-cell.ts';
import { openFarmAccess } from '../cli/run/open-farm-access.ts';
import { runConfig } from '../runner/files/run-config.ts';
import { EXECUTION } from '../tests/support/run-cell-on.ts';
import { startProvider } from './run/provider.ts';

const [place = 'farm', samples = '200', agents = 'direct,tools,react'] = process.argv.slice(2);
const LATENCY_MS = 200;
const CONCURRENCY = 50;

process.env.OPENAI_API_KEY ??= 'none';
const farm = await openFarmAccess(place);
const folder = mkdtempSync(join(tmpdir(), 'rookery-bench-run-'));
for (const agent of agents.split(',')) {
  const format = agent === 'direct' ? 'json_list_without_labels' : 'by tools';
  const server = await startProvider(farm.client.address(''), place, format, LATENCY_MS);
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
  const cpuS = (user + system) / 1e6;
  const turns = records.reduce((sum, { loops }) => sum + loops, 0);
  const ideal = (turns / CONCURRENCY) * (LATENCY_MS / 1000);
  process.stdout.write(
    `${agent}: ${records.length} samples, ${turns} requests in ${took.toFixed(2)} s; ideal ${ideal.toFixed(2)} s; ratio ${(took / ideal).toFixed(2)}; ${((cpuS / records.length) * 1000).toFixed(1)} ms of the runner’s CPU a sample\n`,
  );
  server.stop();
}
await farm.close();
rmSync(folder, { recursive: true });
