import { type ChildProcess, spawn } from 'node:child_process';

export { freePort } from '../../services/base/http/listen.ts';

/** A process that is started again whenever it ends, as a container's engine does. */
export interface Supervised {
  /** Sends SIGKILL to the process as it is now. */
  kill(): void;
  /** How often it has been started. */
  readonly starts: number;
  /** Ends it for good. */
  stop(): Promise<void>;
}

/** Runs a file with Node, again and again. Throws its output if it ends by itself three times in a row. */
export function supervise(args: readonly string[], env: NodeJS.ProcessEnv = {}): Supervised {
  let child: ChildProcess;
  let starts = 0;
  let isOver = false;
  let gone: Promise<void> = Promise.resolve();
  const start = () => {
    starts++;
    child = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...env },
    });
    gone = new Promise((resolve) => {
      child.once('close', () => {
        resolve();
        if (!isOver) start();
      });
    });
  };
  start();
  return {
    kill: () => void child.kill('SIGKILL'),
    get starts() {
      return starts;
    },
    async stop() {
      isOver = true;
      child.kill('SIGTERM');
      await gone;
    },
  };
}
