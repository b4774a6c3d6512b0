import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp } from './app.ts';
import { type LoadedFarm, type LoadOptions, loadFarm } from './farm/load-farm.ts';
import { type Listening, listen } from './http/listen.ts';

export interface ServeOptions
  extends LoadOptions,
    Pick<AppOptions, 'limits' | 'pool' | 'cache' | 'logger' | 'plugins' | 'peers'> {
  /** 0 takes any free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
}

export interface RunningServer extends Listening {
  readonly app: FastifyInstance;
  readonly farm: LoadedFarm;
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
  return { app, farm, ...(await listen(app, options)) };
}
