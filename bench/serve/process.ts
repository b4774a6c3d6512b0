import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own. */
export interface ServerProcess {
  readonly address: string;
  /** Processor time used so far, in microseconds. */
  cpuMicros(): number;
  /** Resident memory now, in megabytes. */
  memoryMb(): number;
  stop(): Promise<void>;
}

/** Starts a file, relative to this one, and waits for the address it prints. */
export async function startProcess(file: string, ...args: string[]): Promise<ServerProcess> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A bench that fails leaves nothing running.
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (text) => resolve(/https?:\/\/[\w.]+:\d+/.exec(String(text))?.[0] ?? ''));
    child.once('exit', (code) =>
      reject(new Error(`${file} ended with ${code}; run \`npm run build\` first`)),
    );
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
