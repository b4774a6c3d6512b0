/**
 * What the runner adds to the time of a model: tasks at concurrency 50 against a provider that answers after 200 ms,
 * compared with the time that the requests alone take. Provider and farm are processes of their own, as `rookery run
 * <folder>` has it; what is counted of the processor is the runner's. The first round of an agent is shown and not
 * counted: it also loads the provider's package. Of the others the middle one is the figure.
 *
 *     npm run bench:run -- <farm> [<samples> [<agents> [<rounds> [<latency in ms>]]]]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executeCell } from '../cli/run/execute-cell.ts';
import { openFarmAccess } from '../cli/run/farm-access.ts';
import { runConfig } from '../runner/files/run-config.ts';
import { EXECUTION } from '../tests/support/run-cell-on.ts';
import { median } from './process.ts';
import { startProvider } from './run/provider.ts';

const [place = 'farm', samples = '200', agents = 'direct,tools,react', rounds = '5', latency = '200'] =
  process.argv.slice(2);
const LATENCY_MS = Number(latency);
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
  const measured: { readonly ratio: number; readonly cpuMs: number }[] = [];
  for (let round = 0; round <= Number(rounds); round++) {
    const [started, cpu] = [performance.now(), process.cpuUsage()];
    const { records } = await executeCell(
      config,
      farm,
      join(folder, `${agent}-${round}`),
      agent,
      { ...EXECUTION, concurrency: CONCURRENCY, maxConnections: CONCURRENCY },
      new Map(),
    );
    const took = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const turns = records.reduce((sum, { loops }) => sum + loops, 0);
    const ideal = (turns / CONCURRENCY) * (LATENCY_MS / 1000);
    const ratio = took / ideal;
    const cpuMs = (user + system) / 1000 / records.length;
    process.stdout.write(
      `${agent}: ${records.length} samples, ${turns} requests in ${took.toFixed(2)} s; ideal ${ideal.toFixed(2)} s; ratio ${ratio.toFixed(2)}; ${cpuMs.toFixed(1)} ms of the runner’s CPU a sample\n`,
    );
    if (round > 0) measured.push({ ratio, cpuMs });
  }
  const middle = (of: (each: { ratio: number; cpuMs: number }) => number) => median(measured.map(of));
  process.stdout.write(
    `${agent}, the middle of ${rounds}: ratio ${middle(({ ratio }) => ratio).toFixed(2)}, ${middle(({ cpuMs }) => cpuMs).toFixed(1)} ms of CPU a sample; the best ratio ${Math.min(...measured.map(({ ratio }) => ratio)).toFixed(2)}\n`,
  );
  server.stop();
}
await farm.close();
rmSync(folder, { recursive: true });
