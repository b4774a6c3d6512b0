import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Requests for another protocol that wait for their route. */
const waiting = new WeakMap<IncomingMessage, Upgrade>();

/**
 * Sends requests for another protocol through an app as any others, so that what guards its routes guards them too. A
 * route takes its connection by `takeConnection`; where none does, the answer goes back as plain HTTP.
 */
export function takeUpgrades(app: FastifyInstance, arrived: (request: IncomingMessage) => void = () => {}) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    arrived(request);
    waiting.set(request, { socket, head });
    const response = new ServerResponse(request);
    // Node's own type asks for more than is used of a socket.
    response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
    response.shouldKeepAlive = false;
    response.on('finish', () => socket.end());
    socket.on('error', () => socket.destroy());
    app.routing(request, response);
  };
}

/** The connection of a request for another protocol, from now on the caller's; undefined for any other request. */
export function takeConnection(reply: FastifyReply): (Upgrade & { request: IncomingMessage }) | undefined {
  const request = reply.request.raw;
  const upgrade = waiting.get(request);
  if (!upgrade) return undefined;
  waiting.delete(request);
  reply.hijack();
  reply.raw.detachSocket(upgrade.socket as Parameters<ServerResponse['detachSocket']>[0]);
  return { request, ...upgrade };
}
