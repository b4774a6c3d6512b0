import { fork } from 'node:child_process';
import { recoverLeftovers, targetOf } from '../generator/write/write-folder.ts';
import { resolveChildModule } from '../services/base/sqlite/child-pool.ts';
import { EXIT } from './exit.ts';

/**
 * Commands that read databases of others in their own process, where no statement can be interrupted. Nothing else of
 * the command line may: `.dependency-cruiser.mjs` reads this list and sees to it.
 */
export const SUPERVISED: readonly string[] = [
  'audit',
  'augment',
  'coverage',
  'generate',
  'prepare',
  'synthesize',
];

/** After a signal, for a command to stop by itself. */
const GRACE_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command in a process of its own, on this terminal, and answers its exit code. Signals are passed on. A command
 * that is still there a second later, or at a second signal, is killed, and what it was writing is removed. `quiet`
 * leaves out what it prints on its output.
 */
export function supervise(args: readonly string[], { quiet = false } = {}): Promise<number> {
  const { file, execArgv } = resolveChildModule(new URL('./command-child.ts', import.meta.url));
  const child = fork(file, args, {
    execArgv: [...process.execArgv, ...execArgv],
    // A group of its own: Ctrl-C reaches this process alone, which passes it on once.
    detached: true,
    stdio: ['inherit', quiet ? 'ignore' : 'inherit', 'inherit', 'ipc'],
  });
  const outputs = new Set<string>();
  child.on('message', (message) => outputs.add((message as { readonly writing: string }).writing));
  let timer: NodeJS.Timeout | undefined;
  const stop = (signal: NodeJS.Signals) => {
    child.kill(timer ? 'SIGKILL' : signal);
    timer ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
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
