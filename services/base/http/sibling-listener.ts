import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DEFAULT_LIMITS } from '../limits.ts';
import { handleClientError } from './client-error.ts';
import { DOOR_HEADER, markDoor } from './door-listener.ts';
import { WAITING_CONNECTIONS } from './listen.ts';
import { closedWith } from './listen-also.ts';

/** Requests that another process of the same server sends on. */
const cameByWorkerSocket = new WeakSet<IncomingMessage>();

/** Whether a request was taken by another process of the same server, which has checked keys and rates. */
export function cameFromWorker({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return cameByWorkerSocket.has(raw);
}

/**
 * Has an app answer what the other processes of its server send on, at a socket of the file system that nobody else has.
 * Called before the app listens, it is closed with it.
 */
export async function listenForWorkers(app: FastifyInstance, path: string): Promise<void> {
  // As long as the processes that ask keep a connection: they hear that it is over from nobody.
  const settings = { keepAliveTimeout: 0, requestTimeout: 0, maxHeaderSize: DEFAULT_LIMITS.maxHeaderBytes };
  const server = createServer(settings, (request, response) => {
    cameByWorkerSocket.add(request);
    if (request.headers[DOOR_HEADER] !== undefined) markDoor(request);
    app.routing(request, response);
  });
  server.on('clientError', handleClientError);
  closedWith(app).push(server);
  await app.ready();
  // Of a process that was killed.
  rmSync(path, { force: true });
  // Exclusive: in a cluster any other socket is shared by all its processes.
  await new Promise<void>((resolve, reject) => {
    // Thousands may be sent on at the same moment, and a socket of the file system refuses whom it has no place for.
    server.once('error', reject).listen({ path, exclusive: true, backlog: WAITING_CONNECTIONS }, resolve);
  });
}
