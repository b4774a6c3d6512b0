import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import { UserError } from '../../../contracts/errors.ts';
import { drain } from './drain.ts';

/** After SIGTERM, for the next request of who has a connection open. Who presses Ctrl-C waits for nobody. */
const IDLE_MS = 2000;
/**
 * Connections that may wait to be accepted, as far as the system allows: those of thousands of agents that begin at the
 * same moment. With Node's own 511 the others are reset when the process is busy.
 */
export const WAITING_CONNECTIONS = 8192;

export interface Listening {
  /** `http://127.0.0.1:8080` */
  readonly address: string;
  /**
   * Stops accepting, lets requests in flight finish for a while, then ends them; connections without any are ended after
   * `idleMs`, at once by default. Safe to call twice.
   */
  stop(idleMs?: number): Promise<void>;
}

/** Opens an app's port; 0 takes any free one. Throws OPTION_INVALID when the port cannot be had; then the app is closed. */
export async function listen(
  app: FastifyInstance,
  {
    port,
    host = '127.0.0.1',
    option = '--port',
  }: { readonly port: number; readonly host?: string | undefined; readonly option?: string },
): Promise<Listening> {
  let address: string;
  try {
    address = await app.listen({ port, host, backlog: WAITING_CONNECTIONS });
  } catch (cause) {
    await app.close();
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw cause;
    throw new UserError(
      'OPTION_INVALID',
      code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? '--host' : option,
      `cannot listen on ${host}:${port} (${code}); choose another`,
      { cause },
    );
  }
  let stopped: Promise<void> | undefined;
  return {
    address,
    stop(idleMs = 0) {
      stopped ??= drain(app, idleMs);
      return stopped;
    },
  };
}

/** Left to Node: a fault of memory cannot be handled, and what was not foreseen should end the process as it does. */
const LEFT_ALONE: closeWithGrace.AllEvents[] = [
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGSEGV',
  'SIGUSR2',
  'uncaughtException',
  'unhandledRejection',
  'beforeExit',
];

/** Stops a server on SIGTERM, SIGINT or SIGHUP and ends the process with code 0; a second signal ends it at once. */
export function stopOnSignals(server: Pick<Listening, 'stop'>): void {
  // `stop` has a limit of its own.
  closeWithGrace({ delay: false, skip: LEFT_ALONE }, ({ signal }) =>
    server.stop(signal === 'SIGTERM' ? IDLE_MS : 0),
  );
}
