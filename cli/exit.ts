import { CommanderError } from 'commander';
import { UserError } from '../contracts/errors.ts';
import { calledHere } from '../contracts/package-root.ts';

/** Exit codes: 0 done, 1 below a threshold, 2 bad input, 3 stopped but resumable, 70 a bug, 130 interrupted. */
export const EXIT = { ok: 0, missed: 1, usage: 2, stopped: 3, bug: 70, interrupted: 130 } as const;

/** Ends a command with the exit code of a command it ran, which has printed the reason. */
export class CommandFailed extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`a command ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Turns an error into an exit code and a message for stderr. */
export function reportError(error: unknown): { exitCode: number; message: string } {
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage, message: '' };
  if (error instanceof CommandFailed) return { exitCode: error.exitCode, message: '' };
  if (error instanceof UserError) {
    const exitCode = error.code === 'INTERRUPTED' ? EXIT.interrupted : EXIT.usage;
    return { exitCode, message: calledHere(`${error.file}: ${error.code} ${error.message}`) };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exitCode: EXIT.bug, message: `This is a bug in rookery.\n${stack}` };
}

/**
 * A signal that fires at Ctrl-C or SIGTERM; a second Ctrl-C ends the process at once. `out` is the folder
 * that the command writes; its temporary files are removed if the process has to be killed.
 */
export function interruptSignal(out?: string): AbortSignal {
  if (out !== undefined) process.send?.({ writing: out });
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}
