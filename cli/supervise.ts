import { fork } from 'node:child_process';
import type { Growth } from '../contracts/api.ts';
import { recoverLeftovers, targetOf } from '../generator/write/write-folder.ts';
import { resolveChildModule } from '../services/base/sqlite/child-pool.ts';
import { EXIT } from './terminal.ts';

/**
 * Commands that open untrusted databases in their own process, where statements cannot be interrupted. No
 * other part of the command line may: `.dependency-cruiser.mjs` reads this list and enforces it.
 */
export const SUPERVISED: readonly string[] = [
  'audit',
  'augment',
  'coverage',
  'embed',
  'generate',
  'prepare',
  'synthesize',
  'vocabulary',
];

/** Grace period for a command to stop after a signal. */
const GRACE_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What a command reports while it generates a farm that is served meanwhile. */
export interface GrowthReport {
  /** The folder of the domains proven so far, whenever one is added. */
  readonly grown?: string;
  readonly growth: Growth;
}

type Report = { readonly writing: string } | GrowthReport;

/**
 * Runs a command in a child process on this terminal, and resolves to its exit code. Signals are forwarded. A
 * command that is still running a second later, or at a second signal, is killed, and its partial output is
 * removed. `quiet` suppresses its stdout.
 */
export function supervise(
  args: readonly string[],
  {
    quiet = false,
    onGrowth,
    signal: stopped,
  }: {
    readonly quiet?: boolean;
    readonly onGrowth?: (report: GrowthReport) => void;
    /** Stops the command as SIGTERM does. */
    readonly signal?: AbortSignal;
  } = {},
): Promise<number> {
  const { file, execArgv } = resolveChildModule(new URL('./command-child.ts', import.meta.url));
  const child = fork(file, args, {
    execArgv: [...process.execArgv, ...execArgv],
    // A process group of its own: Ctrl-C reaches only this process, which forwards it once.
    detached: true,
    stdio: ['inherit', quiet ? 'ignore' : 'inherit', 'inherit', 'ipc'],
  });
  const outputs = new Set<string>();
  child.on('message', (message: Report) => {
    if ('writing' in message) outputs.add(message.writing);
    else onGrowth?.(message);
  });
  let timer: NodeJS.Timeout | undefined;
  const stop = (signal: NodeJS.Signals) => {
    child.kill(timer ? 'SIGKILL' : signal);
    timer ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  stopped?.addEventListener('abort', () => stop('SIGTERM'), { once: true });
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const out of outputs) recoverLeftovers(targetOf(out));
      if (code !== null) return resolve(code);
      if (timer) {
        process.stderr.write(
          `rookery ${args[0]}: INTERRUPTED and ended at once; what it was writing is removed\n`,
        );
        return resolve(EXIT.interrupted);
      }
      process.stderr.write(`rookery ${args[0]} was ended by ${signal}, perhaps for want of memory\n`);
      resolve(EXIT.bug);
    });
  }).finally(() => {
    clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, stop);
  });
}
