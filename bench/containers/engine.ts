import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MOST_OUTPUT = 64 * 1024 * 1024;

export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await run('docker', args, { maxBuffer: MOST_OUTPUT });
  return stdout.trim();
}

export interface Container {
  readonly id: string;
  readonly service: string;
}

/** The containers of a farm, by the compose that is named: `docker compose` or `docker-compose`. */
export class Project {
  readonly name: string;
  readonly #command: readonly string[];
  readonly #folder: string;
  readonly #env: Record<string, string>;

  constructor(command: string, folder: string, env: Record<string, string>) {
    this.name = `rookery-bench-${process.pid}`;
    this.#command = command.split(' ');
    this.#folder = folder;
    this.#env = env;
  }

  async compose(...args: string[]): Promise<string> {
    const [command = '', ...first] = this.#command;
    const options = {
      cwd: this.#folder,
      env: { ...process.env, ...this.#env },
      maxBuffer: MOST_OUTPUT,
      timeout: 600_000,
    };
    const { stdout, stderr } = await run(command, [...first, '-p', this.name, ...args], options);
    return stdout + stderr;
  }

  async containers(): Promise<Container[]> {
    const label = `label=com.docker.compose.project=${this.name}`;
    const format = '{{.ID}} {{.Label "com.docker.compose.service"}}';
    const lines = (await docker('ps', '--no-trunc', '--filter', label, '--format', format)).split('\n');
    return lines
      .filter((line) => line !== '')
      .map((line) => {
        const [id = '', service = ''] = line.split(' ');
        return { id, service };
      });
  }

  async container(service: string): Promise<string> {
    const found = (await this.containers()).find((each) => each.service === service);
    if (!found) throw new Error(`no container of ${service} runs`);
    return found.id;
  }
}

/** Bytes that containers use, without what the operating system may take back. */
export async function memoryOf(containers: readonly Container[]): Promise<number> {
  const rows = await docker(
    'stats',
    '--no-stream',
    '--format',
    '{{.MemUsage}}',
    ...containers.map(({ id }) => id),
  );
  return rows.split('\n').reduce((sum, row) => sum + bytesOf(row.split(' / ')[0] ?? ''), 0);
}

function bytesOf(text: string): number {
  const [, number = '0', unit = 'B'] = /^([\d.]+)([A-Za-z]+)$/.exec(text) ?? [];
  const power = ['B', 'KiB', 'MiB', 'GiB'].indexOf(unit);
  return Number(number) * 1024 ** Math.max(0, power);
}

/** The share of one core that containers take over some seconds, checks of health included, and the engine itself. */
export async function idleProcessor(
  containers: readonly Container[],
  seconds: number,
): Promise<{ readonly containers: number; readonly engine: number }> {
  const before = [containersSeconds(containers), engineSeconds()] as const;
  await setTimeout(seconds * 1000);
  const share = (after: number, earlier: number) => Number(((after - earlier) / seconds).toFixed(3));
  return {
    containers: share(containersSeconds(containers), before[0]),
    engine: share(engineSeconds(), before[1]),
  };
}

function containersSeconds(containers: readonly Container[]): number {
  return containers.reduce((sum, { id }) => sum + groupSeconds(id), 0);
}

/** Processor time of a container's control group, by either version of these. */
function groupSeconds(id: string): number {
  const first = `/sys/fs/cgroup/cpuacct/docker/${id}/cpuacct.usage`;
  if (existsSync(first)) return Number(readFileSync(first, 'utf8')) / 1e9;
  const file = [
    `/sys/fs/cgroup/docker/${id}/cpu.stat`,
    `/sys/fs/cgroup/system.slice/docker-${id}.scope/cpu.stat`,
  ].find(existsSync);
  if (file === undefined) throw new Error(`the control group of ${id} was not found`);
  return Number(/usage_usec (\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) / 1e6;
}

const ENGINE = /^(dockerd|containerd|containerd-shim)/;
const TICKS_A_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Processor time of the engine's own processes, and of those that they have waited for. */
function engineSeconds(): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      if (!ENGINE.test(name)) continue;
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    } catch {
      // It has ended.
    }
  }
  return ticks / TICKS_A_SECOND;
}
