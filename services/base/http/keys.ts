import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UserError } from '../../../contracts/errors.ts';
import { cameForHarness } from './listen.ts';
import { HttpProblem } from './problem.ts';

/** The gateway's API keys, stored as hashes. */
export class ApiKeys {
  readonly #hashes: readonly Buffer[];

  constructor(keys: readonly string[]) {
    this.#hashes = keys.map(hashKey);
  }

  get required(): boolean {
    return this.#hashes.length > 0;
  }

  /**
   * The index of the key in a request: `Authorization: Bearer`, `X-API-Key`, or the password of HTTP Basic, which
   * browsers can prompt for. -1 if there is none or it is wrong. The comparison takes constant time.
   */
  find(headers: IncomingHttpHeaders): number {
    const given = givenKey(headers);
    if (given === undefined) return -1;
    const candidate = hashKey(given);
    let found = -1;
    for (const [i, known] of this.#hashes.entries()) {
      if (timingSafeEqual(known, candidate)) found = i;
    }
    return found;
  }
}

export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function givenKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string') return key;
  const [, scheme = '', credentials = ''] =
    /^(bearer|basic) +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return credentials;
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Key for `/metrics` only; undefined if not configured. */
    metricsKey?: ApiKeys;
  }
}

/** Shorter keys could be guessed. */
const SHORTEST_KEY = 16;

/** Throws OPTION_INVALID for a key that could be guessed, or cannot be sent in a header field. */
export function requireStrong(key: string, option: string): void {
  if (key.length >= SHORTEST_KEY && /^[\x21-\x7e]+$/.test(key)) return;
  const wanted = `must have ${SHORTEST_KEY} characters or more, of ASCII and without spaces`;
  throw new UserError('OPTION_INVALID', option, wanted);
}

/**
 * The metrics key of a process: as given (`--metrics-key`), else `ROOKERY_METRICS_KEY`; empty for none. `others` are
 * keys that open more. Throws OPTION_INVALID.
 */
export function readMetricsKey(
  given: string | undefined,
  env: NodeJS.ProcessEnv,
  others: readonly (string | undefined)[] = [],
): string | undefined {
  const key = given ?? (env.ROOKERY_METRICS_KEY || undefined);
  if (key === undefined) return undefined;
  requireStrong(key, '--metrics-key');
  if (others.includes(key)) {
    throw new UserError('OPTION_INVALID', '--metrics-key', 'opens more than metrics; give a key of its own');
  }
  return key;
}

/** Makes `/metrics` of an app require this key or the harness key. Without a key it does nothing. */
export function setMetricsKey(app: FastifyInstance, key: string | undefined): void {
  if (key !== undefined) app.decorate('metricsKey', new ApiKeys([key]));
}

export function hasMetricsKey(request: FastifyRequest): boolean {
  const { metricsKey } = request.server;
  return request.routeOptions.config?.kind === 'metrics' && (metricsKey?.find(request.headers) ?? -1) >= 0;
}

/** Whether a request has a key for metrics, or came through the harness port. */
export function isOperator(request: FastifyRequest): boolean {
  return request.isHarness || cameForHarness(request) || hasMetricsKey(request);
}

/**
 * Throws UNAUTHORIZED for a request for metrics without a required key. One is required if a metrics key is configured,
 * or if callers reach this process directly and the request comes from another machine.
 */
export function requireOperator(request: FastifyRequest): void {
  const { metricsKey, facesCallers = false } = request.server;
  if (isOperator(request) || (!metricsKey && (!facesCallers || isLocal(request)))) return;
  throw new HttpProblem(
    'UNAUTHORIZED',
    'Send the metrics key, or the harness key, as "Authorization: Bearer <key>".',
    { headers: { 'www-authenticate': 'Bearer realm="rookery metrics"' } },
  );
}

/** Whether a request comes from this machine, and not through a local proxy. */
function isLocal({ raw, headers }: FastifyRequest): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  return /^(::ffff:)?127\.|^::1$/.test(raw.socket.remoteAddress ?? '');
}
