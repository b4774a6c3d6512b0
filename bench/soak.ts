import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Rookery, type Run } from '../client/index.ts';
import type { Sample } from '../contracts/sample.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { seededNumber } from '../services/base/seeded-order.ts';
import { bundledFarm } from './farms.ts';
import { median, quantile, startProcess } from './process.ts';
import { type Soaked, soak, type Way } from './soak/soaking-agent.ts';

/**
 * `npm run bench:soak [-- --minutes 30 --runs 200 --think 2000 --farm <folder>]`: as many runs as wanted at once, for
 * as long as wanted, on loopback against the compiled server: half of them over HTTP, a quarter each over MCP as it is
 * and as it was. Agents make the gold calls of their tasks, think in between, hang up now and then, and some leave their
 * MCP session open. Each holds the record of its run against what it was answered. Prints a line a minute and writes
 * `bench/results/soak.json`; exits with 1 when a call was lost.
 */
const KEY = 'the-key-of-the-soak-bench';
const { values } = parseArgs({
  options: {
    farm: { type: 'string' },
    minutes: { type: 'string', default: '30' },
    runs: { type: 'string', default: '200' },
    think: { type: 'string', default: '2000' },
  },
});
const wanted = Number(values.runs);
const thinkMs = Number(values.think);
const endsAt = () => began + Number(values.minutes) * 60_000;
const scratch = mkdtempSync(join(tmpdir(), 'rookery-soak-'));
const folder = values.farm ?? (await bundledFarm(join(scratch, 'farm')));
const samples = new Map(readFarm(folder).samples.map((sample) => [sample.sample_id, sample]));
const agents = { runs: { place: join(scratch, 'runs.sqlite') }, harnessKey: KEY };
const server = await startProcess('server', folder, JSON.stringify({ agents }));
const farm = new Rookery(server.address, { harnessKey: KEY });

const totals = { runs: 0, calls: 0, lost: 0, hung_up: 0, failures: 0 };
/** Since the last line. */
let latencies: number[] = [];
let health: number[] = [];
const failures: string[] = [];
const began = performance.now();

try {
  const minutes = watch();
  await Promise.all(Array.from({ length: wanted }, (_, who) => work(who)));
  const lines = await minutes;
  const [early, late] = [
    lines.slice(0, Math.ceil(lines.length / 4)),
    lines.slice(-Math.ceil(lines.length / 4)),
  ];
  const report = {
    machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version },
    farm: values.farm === undefined ? 'the bundled farm' : 'another farm',
    minutes: Number(values.minutes),
    runs_at_once: wanted,
    think_ms: thinkMs,
    ...totals,
    // Medians of the first and of the last quarter of the minutes.
    memory_mb: { early: median(early.map(({ mb }) => mb)), late: median(late.map(({ mb }) => mb)) },
    call_ms: {
      median: median(lines.map(({ call_ms }) => call_ms)),
      p99: median(lines.map(({ call_p99_ms }) => call_p99_ms)),
    },
    health_ms: { p99: median(lines.map(({ health_p99_ms }) => health_p99_ms)) },
    minute_by_minute: lines,
  };
  const results = fileURLToPath(new URL('./results/', import.meta.url));
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'soak.json'), `${JSON.stringify(report, null, 2)}\n`);
  console.log({ ...report, minute_by_minute: undefined });
  for (const failure of failures.slice(0, 20)) console.log(failure);
  process.exitCode = totals.lost > 0 || totals.failures > 0 ? 1 : 0;
} finally {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}

/** Works at one run after the other until time is up. */
async function work(who: number): Promise<void> {
  for (let round = 0; performance.now() < endsAt(); round++) {
    try {
      count(await workOnce(who, round));
    } catch (error) {
      // Such as a client that would not wait any longer.
      totals.failures++;
      failures.push(String(error));
      await setTimeout(thinkMs);
    }
  }
}

async function workOnce(who: number, round: number): Promise<Soaked> {
  const draw = (...what: (string | number)[]) => seededNumber(1, who, round, ...what);
  const run = await beginOne(who, round);
  const way: Way = who % 2 === 0 ? 'http' : who % 4 === 1 ? 'mcp, stateless' : 'mcp, with sessions';
  return soak(run, samples.get(run.task.sample_id) as Sample, {
    way,
    think: (n) => thinkMs * (0.5 + draw('think', n)),
    hangsUp: (n) => draw('hang up', n) < 0.03,
    leaves: draw('leave') < 0.3,
  });
}

async function beginOne(who: number, round: number): Promise<Run> {
  const ids = [...samples.keys()];
  const sample_id = ids[Math.floor(seededNumber(2, who, round) * ids.length)] as string;
  return farm.run({ sample_id, agent: 'soak' });
}

function count(soaked: Soaked): void {
  totals.runs++;
  totals.calls += soaked.latenciesMs.length;
  totals.lost += soaked.lost;
  totals.hung_up += soaked.hungUp;
  totals.failures += soaked.failures.length;
  latencies.push(...soaked.latenciesMs);
  failures.push(...soaked.failures);
}

/** A line a minute until time is up. */
async function watch() {
  const lines: {
    minute: number;
    mb: number;
    calls_a_second: number;
    call_ms: number;
    call_p99_ms: number;
    health_p99_ms: number;
  }[] = [];
  for (let minute = 1; performance.now() < endsAt() - 1000; minute++) {
    const calls = totals.calls;
    const from = performance.now();
    const until = Math.min(endsAt(), began + minute * 60_000);
    while (performance.now() < until) {
      const asked = performance.now();
      await fetch(`${server.address}/health/live`).then(
        (answer) => answer.arrayBuffer(),
        (error) => failures.push(`health: ${error}`),
      );
      health.push(performance.now() - asked);
      await setTimeout(250);
    }
    const line = {
      minute,
      mb: round(server.memoryMb()),
      calls_a_second: round((1000 * (totals.calls - calls)) / (performance.now() - from)),
      call_ms: round(quantile(latencies, 0.5)),
      call_p99_ms: round(quantile(latencies, 0.99)),
      health_p99_ms: round(quantile(health, 0.99)),
    };
    console.log(JSON.stringify({ ...line, lost: totals.lost, failures: totals.failures }));
    lines.push(line);
    latencies = [];
    health = [];
  }
  return lines;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
