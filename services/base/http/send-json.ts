import type { FastifyReply } from 'fastify';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Answers 200 with JSON text and an ETag, past fastify's own sending: nothing is left for it to do, and its steps take
 * a tenth of a quick answer's time. Hooks on sending are passed over. Header fields that were set already are sent too.
 */
export function sendJson(reply: FastifyReply, body: string, etag: string): void {
  const headers: (string | number)[] = [];
  const given = reply.getHeaders();
  for (const name in given) {
    const value = given[name];
    if (value !== undefined) headers.push(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // The data never change while a farm is served, but another farm may be served here tomorrow.
  headers.push('etag', etag, 'cache-control', 'no-cache', 'content-type', JSON_TYPE);
  headers.push('content-length', Buffer.byteLength(body));
  reply.hijack();
  reply.raw.writeHead(200, headers);
  reply.raw.end(body);
}
