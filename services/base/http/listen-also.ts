import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { UserError } from '../../../contracts/errors.ts';
import { DEFAULT_LIMITS, HALF_OPEN } from '../limits.ts';
import { handleClientError } from './client-error.ts';

export interface AlsoOptions {
  /** 0 takes any free one. */
  readonly port: number;
  readonly host?: string | undefined;
  /** What the user gave the port by, for the error: `--harness-port`. */
  readonly option: string;
  /** Told of each request before the app is. */
  readonly arrived: (request: IncomingMessage) => void;
  /** Told of each request for another protocol, such as WebSocket; without it there are none. */
  readonly upgrade?: Parameters<Server['on']>[1];
}

/**
 * Another port of an app. Called before the app listens, it is closed with it. Resolves to its address. Throws
 * OPTION_INVALID when the port cannot be had; then the app is closed.
 */
export async function listenAlso(
  app: FastifyInstance,
  { port, host = '127.0.0.1', option, arrived, upgrade }: AlsoOptions,
): Promise<string> {
  const { keepAliveTimeout } = app.server;
  const settings = { ...HALF_OPEN, keepAliveTimeout, maxHeaderSize: DEFAULT_LIMITS.maxHeaderBytes };
  const server = createServer(settings, (request, response) => {
    arrived(request);
    app.routing(request, response);
  });
  server.on('clientError', handleClientError);
  if (upgrade) server.on('upgrade', upgrade);
  closedWith(app).push(server);
  await app.ready();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
  } catch (cause) {
    await app.close();
    const { code = '' } = cause as NodeJS.ErrnoException;
    const fix = `cannot listen on ${host}:${port} (${code}); choose another`;
    throw new UserError('OPTION_INVALID', option, fix, { cause });
  }
  const at = server.address() as AddressInfo;
  return `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`;
}

const others = new WeakMap<FastifyInstance, Server[]>();

/** Those that `closedWith` was given so far. */
export function furtherServers(app: FastifyInstance): readonly Server[] {
  return others.get(app) ?? [];
}

/**
 * The further servers of an app, which are closed with it. Hooks can be added until the app is ready, which it is from its
 * second server on, so it is asked for before the first listens.
 */
export function closedWith(app: FastifyInstance): Server[] {
  const known = others.get(app);
  if (known) return known;
  const servers: Server[] = [];
  others.set(app, servers);
  app.addHook('preClose', async () => {
    for (const server of servers) {
      server.closeIdleConnections();
      server.close();
    }
  });
  app.addHook('onClose', async () => {
    for (const server of servers) server.closeAllConnections();
  });
  return servers;
}
