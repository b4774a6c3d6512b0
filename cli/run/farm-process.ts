import { fork } from 'node:child_process';
import { fromWire, resolveChildModule, type WireError } from '../../services/index.ts';

/** What the child is told. */
export interface ToFarmChild {
  readonly farm: string;
  readonly harnessKey: string;
}

/** What the child says, once. */
export type FromFarmChild =
  | { readonly kind: 'listening'; readonly address: string }
  | { readonly kind: 'failed'; readonly error: WireError };

/** A farm that is served beside this process. */
export interface FarmProcess {
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Serves a farm's folder from a process of its own, so that a run and its farm have a core each. It ends with this
 * process, however that ends. Throws what `startServer` throws.
 */
export function startFarmProcess(options: ToFarmChild): Promise<FarmProcess> {
  const { file, execArgv } = resolveChildModule(new URL('./farm-child.ts', import.meta.url));
  const child = fork(file, [], {
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let closing = false;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const close = async () => {
    closing = true;
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_LIMIT_MS);
    await gone;
    clearTimeout(timer);
  };
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      const how = `the process that served the farm ended (${signal ?? `exit ${code}`})`;
      reject(new Error(how));
      if (!closing) process.stderr.write(`${how}\n`);
    });
    child.once('message', (message) => {
      const said = message as FromFarmChild;
      if (said.kind === 'listening') return resolve({ address: said.address, close });
      closing = true;
      reject(fromWire(said.error));
    });
    child.send(options);
  });
}

/** A child that has not ended by then is killed. */
const CLOSE_LIMIT_MS = 5_000;
