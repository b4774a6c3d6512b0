import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/**
 * The tag of what an address answers. Since the data of a version never change, the address stands for the
 * answer, and a client's copy can be confirmed without running the query.
 */
export function etagOf(version: string, url: string): string {
  return `"${hash('sha1', `${version}\n${url}`, 'base64url').slice(0, 20)}"`;
}

/** Whether the client's copy (If-None-Match) is this one. */
export function isFresh(request: FastifyRequest, etag: string): boolean {
  const given = request.headers['if-none-match'];
  if (given === undefined) return false;
  return given === '*' || given.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}
