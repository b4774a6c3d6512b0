import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UserError } from '../../../contracts/errors.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { handleClientError } from './client-error.ts';

/** Requests that came by a listener of the harness's own. */
const arrived = new WeakSet<IncomingMessage>();

/** Whether a request came by the listener that is the harness's own. */
export function cameForHarness({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return arrived.has(raw);
}

/**
 * A second port of an app, for the harness; 0 takes any free one. Called before the app listens, it is closed with it.
 * Resolves to its address. Throws OPTION_INVALID when the port cannot be had; then the app is closed.
 */
export async function listenForHarness(
  app: FastifyInstance,
  { port, host = '127.0.0.1' }: { readonly port: number; readonly host?: string | undefined },
): Promise<string> {
  const { requestTimeout, keepAliveTimeout } = app.server;
  const settings = { requestTimeout, keepAliveTimeout, maxHeaderSize: DEFAULT_LIMITS.maxHeaderBytes };
  const server = createServer(settings, (request, response) => {
    arrived.add(request);
    app.routing(request, response);
  });
  server.on('clientError', handleClientError);
  app.addHook('preClose', async () => {
    server.closeIdleConnections();
    server.close();
  });
  app.addHook('onClose', async () => server.closeAllConnections());
  await app.ready();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
  } catch (cause) {
    await app.close();
    const { code = '' } = cause as NodeJS.ErrnoException;
    const fix = `cannot listen on ${host}:${port} (${code}); choose another`;
    throw new UserError('OPTION_INVALID', '--harness-port', fix, { cause });
  }
  const at = server.address() as AddressInfo;
  return `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`;
}
