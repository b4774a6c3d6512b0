import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { farm as farmSchema } from '../contracts/farm.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { service as serviceSchema } from '../contracts/service.ts';
import { freePort } from '../tests/support/supervised.ts';
import { bundledFarm, repeatDomains } from './farms.ts';
import { builtEntry, MACHINE, median, startProcess, writeResult } from './process.ts';

/**
 * `npm run bench:start [-- --farm <folder> --domains 144 --rounds 15 --prove]`: start-up times of `rookery
 * --version`, of serving one domain up to the first response, and of a farm of many, which repeats the farm's
 * domains and tasks under other names; compared with an idle Node.js. And the first `npm start` of a checkout, once:
 * with the proofs that ship, and with `--prove`.
 */
const { values } = parseArgs({
  options: {
    farm: { type: 'string' },
    domains: { type: 'string', default: '144' },
    rounds: { type: 'string', default: '15' },
    prove: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);
const scratch = mkdtempSync(join(tmpdir(), 'rookery-bench-'));
try {
  const source = values.farm ?? (await bundledFarm(join(scratch, 'farm')));
  const many = join(scratch, 'many');
  const { domains, endpoints } = repeatDomains(source, many, { domains: Number(values.domains) });
  const samples = domains.flatMap((domain) => Object.values(domain.samples)).reduce((sum, n) => sum + n, 0);
  const cli = await builtEntry('cli');
  const rows = [
    measureCommand('node, nothing', ['-e', '0']),
    measureCommand('rookery --version', [cli, '--version']),
    await measureServe('one domain', many, ['--only', domains[0]?.db ?? '']),
    await measureServe(`${domains.length} domains`, many, []),
  ];
  console.table(rows);
  const first = await measureFirstStart();
  console.table(first);
  const report = {
    machine: MACHINE,
    rounds: ROUNDS,
    farm: { domains: domains.length, endpoints, samples },
    medians: rows,
    first_start: first,
  };
  writeResult('start.json', report);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

interface Row {
  readonly what: string;
  /** From process start to its end, or to the first response of an endpoint. */
  readonly ms: number;
  /** User and system time of the process so far. */
  readonly cpu_ms: number;
  readonly memory_mb: number | null;
}

interface FirstStart {
  readonly what: string;
  /** From the command to the first connection accepted, the first domain, and the last. */
  readonly listening_s: number;
  readonly first_domain_s: number;
  readonly all_domains_s: number;
}

async function measureFirstStart(): Promise<FirstStart[]> {
  const rows: FirstStart[] = [];
  for (const options of values.prove ? [[], ['--prove']] : [[]]) {
    for (const made of ['dist', 'databases/.built']) {
      rmSync(join(packageRoot, made), { recursive: true, force: true });
    }
    const port = await freePort();
    const farm = join(scratch, `first${rows.length}`);
    const words = ['start', '--', '--port', `${port}`, '--farm', farm, ...options];
    const began = performance.now();
    const child = spawn('npm', words, { cwd: packageRoot, stdio: 'ignore', detached: true });
    const reached: number[] = [];
    while (reached.length < 3) {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`);
      await setTimeout(50);
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
      const state = (await answer?.json().catch(() => null)) as { coming?: unknown } | null | undefined;
      const stages = !answer || !state ? 0 : !answer.ok ? 1 : state.coming ? 2 : 3;
      while (reached.length < stages) reached.push(round((performance.now() - began) / 1000));
    }
    const [listening_s = 0, first_domain_s = 0, all_domains_s = 0] = reached;
    process.kill(-(child.pid as number), 'SIGTERM');
    await once(child, 'exit');
    rows.push({ what: ['npm start', ...options].join(' '), listening_s, first_domain_s, all_domains_s });
  }
  return rows;
}

/** Times a command that ends by itself; bash's `time` adds up its CPU time. */
function measureCommand(what: string, args: readonly string[]): Row {
  const ms: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const timed = ['-c', 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null', 'bash', process.execPath, ...args];
    const [real = 0, user = 0, system = 0] = spawnSync('bash', timed, { encoding: 'utf8' })
      .stderr.trim()
      .split(' ')
      .map(Number);
    ms.push(real * 1000);
    cpu.push((user + system) * 1000);
  }
  return { what, ms: Math.round(median(ms)), cpu_ms: Math.round(median(cpu)), memory_mb: null };
}

async function measureServe(what: string, farm: string, options: readonly string[]): Promise<Row> {
  const path = firstQuickPath(farm);
  const ms: number[] = [];
  const cpu: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    const server = await startProcess('cli', 'serve', farm, '--port', '0', '--no-runs', ...options);
    const response = await fetch(`${server.address}${path}`);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    ms.push(performance.now() - began);
    cpu.push(server.cpuMicros() / 1000);
    memory.push(server.memoryMb());
    await server.stop();
  }
  return {
    what,
    ms: Math.round(median(ms)),
    cpu_ms: Math.round(median(cpu)),
    memory_mb: Math.round(median(memory)),
  };
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}

/** An endpoint of the first domain that has no parameters and runs on the main thread. */
function firstQuickPath(farm: string): string {
  const { domains } = farmSchema.parse(JSON.parse(readFileSync(join(farm, 'farm.json'), 'utf8')));
  const file = join(farm, 'services', `${domains[0]?.db}.json`);
  const { endpoints } = serviceSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const found = endpoints.find(({ speed, parameters }) => speed === 'quick' && parameters.length === 0);
  if (found === undefined) throw new Error(`${file} has no quick endpoint without parameters`);
  return found.path;
}
