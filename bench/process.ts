import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';
import { bundle } from '../scripts/build/bundle.ts';

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** The nearest-rank quantile. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** What measured, for a report. */
export const MACHINE = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };

/** Writes `bench/results/<name>`: an object as JSON, or a text. */
export function writeResult(name: string, result: object | string): void {
  const folder = join(packageRoot, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const text = typeof result === 'string' ? result : `${JSON.stringify(result, null, 2)}\n`;
  writeFileSync(join(folder, name), text);
}

/** The processes that the benches start, bundled as they ship. */
const ENTRIES = {
  cli: 'cli/main.ts',
  server: 'bench/serve/server-entry.ts',
  bare: 'bench/serve/bare-entry.ts',
} as const;

/** Inside the package, so that its node_modules are found. */
const BUILT = join(packageRoot, '.tmp', 'bench');

let built: Promise<unknown> | undefined;

export interface ServerProcess {
  readonly address: string;
  /** Processor time used so far, in microseconds. */
  cpuMicros(): number;
  /** Current resident memory, in megabytes. */
  memoryMb(): number;
  stop(): Promise<void>;
}

export async function builtEntry(entry: keyof typeof ENTRIES): Promise<string> {
  built ??= bundle(ENTRIES, BUILT);
  await built;
  return join(BUILT, `${entry}.js`);
}

export async function startProcess(entry: keyof typeof ENTRIES, ...args: string[]): Promise<ServerProcess> {
  const path = await builtEntry(entry);
  const child: ChildProcess = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A failing bench leaves no process running.
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (text) => {
      output += text;
      const [found] = /https?:\/\/[\w.]+:\d+/.exec(output) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`${entry} ended with ${code}`)));
  });
  return {
    address,
    cpuMicros: () => cpuMicros(child.pid as number),
    memoryMb: () => memoryMb(child.pid as number),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** From Linux's /proc, where a tick is 10 ms. */
function cpuMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function memoryMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}
