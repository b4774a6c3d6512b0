import type { FastifyInstance } from 'fastify';
import { UserError } from '../contracts/errors.ts';
import { type AppOptions, buildApp } from './app.ts';
import { type LoadedFarm, type LoadOptions, loadFarm } from './farm/load-farm.ts';

/** From SIGTERM to the end: time for requests in flight, and for the process itself to be gone within 5 s. */
const DRAIN_MS = 4000;

export interface ServeOptions
  extends LoadOptions,
    Pick<AppOptions, 'limits' | 'pool' | 'cache' | 'logger' | 'plugins'> {
  /** 0 takes any free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
}

export interface RunningServer {
  readonly app: FastifyInstance;
  readonly farm: LoadedFarm;
  /** `http://127.0.0.1:8080` */
  readonly address: string;
  /** Stops accepting, lets requests in flight finish for a while, then ends them. Safe to call twice. */
  stop(): Promise<void>;
}

/** Loads a farm and listens. Throws what `loadFarm` throws, and OPTION_INVALID when the port cannot be had. */
export async function startServer(folder: string, options: ServeOptions): Promise<RunningServer> {
  const farm = await loadFarm(folder, options);
  const app = await buildApp({
    ...options,
    domains: farm.domains,
    openapi: farm.openapi,
    hasOpenapi: farm.hasOpenapi,
  });
  const { port, host = '127.0.0.1' } = options;
  let address: string;
  try {
    address = await app.listen({ port, host });
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
    app,
    farm,
    address,
    stop() {
      stopped ??= drain(app);
      return stopped;
    },
  };
}

/** Stops the server on SIGTERM or SIGINT and ends the process with code 0; a second signal ends it at once. */
export function stopOnSignals(server: RunningServer): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    server.stop().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(70);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function drain(app: FastifyInstance): Promise<void> {
  const giveUp = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  await app.close();
  clearTimeout(giveUp);
}
