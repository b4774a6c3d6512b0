import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { traceIdOf } from './trace-id.ts';

export interface AccessLogOptions {
  /** The share of answers that are written, from 0 to 1; those of status 500 and above always are. */
  readonly share: number;
  /** Takes a line, with its end; the process's output unless given. */
  readonly write?: (line: string) => void;
}

/**
 * Writes answers as JSON, a line each: never a query string or a body, which hold what was asked, and never a key.
 * Which are written depends on the id of the request, so that every process that a request passes through writes it.
 */
export function logAccess(
  app: FastifyInstance,
  { share, write = (line) => process.stdout.write(line) }: AccessLogOptions,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.raw.statusCode >= 500 || isChosen(request, share))
      write(`${JSON.stringify(lineOf(request, reply))}\n`);
    done();
  });
}

/** Probes come all the time and say nothing. */
const PROBES: ReadonlySet<string> = new Set(['health', 'metrics']);

function isChosen(request: FastifyRequest, share: number): boolean {
  if (share <= 0 || PROBES.has(kindOf(request))) return false;
  return share >= 1 || createHash('sha1').update(request.id).digest().readUInt32BE() / 2 ** 32 < share;
}

function kindOf(request: FastifyRequest): string {
  return request.routeOptions.config?.kind ?? 'other';
}

function lineOf(request: FastifyRequest, reply: FastifyReply): object {
  const [path = ''] = (request.raw.url ?? '').split('?', 1);
  const { db } = request.params as { db?: string };
  const status = reply.raw.statusCode;
  return {
    time: new Date().toISOString(),
    level: status >= 500 ? 'error' : 'info',
    msg: 'request',
    request_id: request.id,
    run_id: /^\/runs\/([^/]+)/.exec(path)?.[1],
    trace_id: traceIdOf(request),
    method: request.method,
    path,
    domain: db,
    kind: kindOf(request),
    status,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    bytes: bytesOf(reply),
    address: request.ip,
    // The number of the key, never the key.
    key: request.apiKey >= 0 ? request.apiKey : undefined,
  };
}

function bytesOf(reply: FastifyReply): number | undefined {
  const length = Number(reply.raw.getHeader('content-length'));
  return Number.isInteger(length) ? length : undefined;
}
