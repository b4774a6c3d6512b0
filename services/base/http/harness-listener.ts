import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listenAlso } from './listen-also.ts';

/** Requests that came by a listener of the harness's own. */
const cameByHarnessPort = new WeakSet<IncomingMessage>();

/** Whether a request came by the listener that is the harness's own. */
export function cameForHarness({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return cameByHarnessPort.has(raw);
}

/**
 * A second port of an app, for the harness; 0 takes any free one. Called before the app listens, it is closed with it.
 * Resolves to its address. Throws OPTION_INVALID when the port cannot be had; then the app is closed.
 */
export function listenForHarness(
  app: FastifyInstance,
  { port, host }: { readonly port: number; readonly host?: string | undefined },
): Promise<string> {
  return listenAlso(app, {
    port,
    host,
    option: '--harness-port',
    arrived: (request) => void cameByHarnessPort.add(request),
  });
}
