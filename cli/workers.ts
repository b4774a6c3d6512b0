import cluster, { type Worker } from 'node:cluster';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import { type WorkerPorts, writeWorkers } from '../services/agents/runs/workers.ts';
import { freePort } from '../services/base/http/listen.ts';

/** Delay before a process that ended is restarted. */
const AGAIN_MS = 200;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Runs this command in several processes that share its port and take turns at connections, each with a part
 * of the runs. A process that dies is restarted with its part while the others continue; one that fails to
 * start ends them all. Returns when all are listening; a signal stops them.
 */
export async function startWorkers(
  count: number,
  { host, port, door }: WorkerPorts & { readonly host: string },
  env: Readonly<Record<string, string>>,
): Promise<void> {
  // One that is started again when all have ended would find another port in place of 0.
  const choose = async (given: number) =>
    // The processes report why they cannot listen.
    given === 0 ? freePort(host).catch(() => 0) : given;
  const ports = {
    port: await choose(port),
    door: door && (await pMap(door, async (each) => ({ ...each, port: await choose(each.port) }))),
  };
  const folder = mkdtempSync(join(tmpdir(), 'rookery-serve-'));
  const sockets = Array.from({ length: count }, (_, process) => join(folder, `${process}.sock`));
  const workers = new Map<number, Worker>();
  let isStopping = false;
  cluster.schedulingPolicy = cluster.SCHED_RR;

  const started = sockets.map(
    (_, process) => new Promise<string>((resolve, reject) => start(process, { resolve, reject })),
  );
  for (const signal of SIGNALS) process.on(signal, () => stop(signal));
  try {
    const [text] = await Promise.all(started);
    const pids = sockets.map((_, at) => workers.get(at)?.process.pid);
    process.stdout.write(`${text}${count} processes share them: ${pids.join(', ')}\n`);
  } catch (error) {
    stop('SIGTERM');
    // The process itself has printed the error.
    process.exitCode = (error as ExitError).code;
  }

  function start(
    number: number,
    first?: { resolve: (text: string) => void; reject: (error: Error) => void },
  ) {
    const worker = cluster.fork({ ...env, ...writeWorkers({ process: number, sockets, ports }) });
    workers.set(number, worker);
    closeWhatItLeaves(worker);
    let hasStarted = false;
    let failed: number | undefined;
    worker.on('message', (report: { readonly started?: string; readonly failed?: number }) => {
      if (report.started !== undefined) {
        hasStarted = true;
        first?.resolve(report.started);
      } else if (report.failed !== undefined) {
        failed = report.failed;
        // It has printed the reason, and would wait for connections that it cannot take.
        setTimeout(() => worker.process.kill(), AGAIN_MS);
      }
    });
    worker.on('exit', (code, signal) => {
      workers.delete(number);
      if (!isStopping && hasStarted) {
        process.stderr.write(`process ${number} ended (${signal ?? code}) and is started again\n`);
        setTimeout(() => !isStopping && start(number), AGAIN_MS);
        return;
      }
      if (first) first.reject(new ExitError(failed ?? code ?? 1));
      else if (!isStopping) setTimeout(() => !isStopping && start(number), 10 * AGAIN_MS);
      if (workers.size === 0) rmSync(folder, { recursive: true, force: true });
    });
  }

  function stop(signal: NodeJS.Signals): void {
    isStopping = true;
    for (const worker of workers.values()) worker.process.kill(signal);
  }
}

/**
 * Closes the connections that a worker was handed but had not accepted when it ended. Node.js 20 to 26 leaves them open
 * in the primary for ever, and their clients wait.
 */
function closeWhatItLeaves(worker: Worker): void {
  /** By listening port: a worker is handed one connection of each at a time. */
  const handed = new Map<unknown, { close(): void }>();
  const { process } = worker;
  const send = process.send.bind(process) as (...all: unknown[]) => boolean;
  process.send = (message: unknown, handle?: unknown, ...rest: unknown[]) => {
    if (handle) handed.set((message as { key?: unknown }).key, handle as { close(): void });
    return send(message, handle, ...rest);
  };
  // Closing one that was accepted, and so is closed already, does nothing.
  worker.on('exit', () => {
    for (const handle of handed.values()) handle.close();
  });
}

class ExitError extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`a process ended with ${code}`);
    this.code = code;
  }
}
