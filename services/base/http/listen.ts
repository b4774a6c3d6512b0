import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import { UserError } from '../../../contracts/errors.ts';

/** From SIGTERM to the end: time for requests in flight, and for the process itself to be gone within 5 s. */
const DRAIN_MS = 3500;
const SWEEP_MS = 50;
/**
 * Connections that may wait to be accepted, as far as the system allows: those of thousands of agents that begin at the
 * same moment. With Node's own 511 the others are reset when the process is busy.
 */
export const WAITING_CONNECTIONS = 8192;

export interface Listening {
  /** `http://127.0.0.1:8080` */
  readonly address: string;
  /** Stops accepting, lets requests in flight finish for a while, then ends them. Safe to call twice. */
  stop(): Promise<void>;
}

/** Opens an app's port; 0 takes any free one. Throws OPTION_INVALID when the port cannot be had; then the app is closed. */
export async function listen(
  app: FastifyInstance,
  { port, host = '127.0.0.1' }: { readonly port: number; readonly host?: string | undefined },
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
      '--port',
      `cannot listen on ${host}:${port} (${code}); choose another`,
      { cause },
    );
  }
  let stopped: Promise<void> | undefined;
  return {
    address,
    stop() {
      stopped ??= drain(app);
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
  closeWithGrace({ delay: false, skip: LEFT_ALONE }, () => server.stop());
}

async function drain(app: FastifyInstance): Promise<void> {
  const giveUp = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  // A connection that was busy when closing began is kept open after its answer, and would be waited for.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  await app.close();
  clearTimeout(giveUp);
  clearInterval(sweep);
}
