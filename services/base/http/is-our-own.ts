import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Whether a request was made inside this process, such as an agent's call that its run makes at a service. */
export function isInternalRequest(request: Pick<FastifyRequest, 'raw'>): boolean {
  return !(request.raw.socket instanceof Socket);
}
