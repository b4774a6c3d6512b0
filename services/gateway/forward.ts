import { setTimeout } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { HttpProblem } from '../http/problem.ts';
import { Exchange, type Keeper } from './exchange.ts';
import { kindOfFailure } from './failure.ts';
import type { GatewayMetrics } from './metrics.ts';
import type { Replica } from './upstream/replica.ts';
import type { Upstream } from './upstream/upstream.ts';

/** How long a request waits for its domain's name to be resolved again when no replica is left. */
const LOOKUP_WAIT_MS = 300;

/**
 * Sends a request to one of a domain's replicas and its answer back as it comes. A replica that cannot be
 * reached, or closes the connection before it says anything, is passed over for the next; what was answered, in
 * whole or in part, is never asked again. Throws DOMAIN_UNAVAILABLE, BAD_GATEWAY or GATEWAY_TIMEOUT as long as
 * nothing was sent back.
 */
export async function forward(
  upstream: Upstream,
  request: FastifyRequest,
  reply: FastifyReply,
  metrics: GatewayMetrics,
  keeper?: Keeper,
): Promise<void> {
  const options = toUpstream(request);
  const passedOver = new Set<Replica>();
  const reconnected = new Set<Replica>();
  for (;;) {
    const replica = upstream.pick(passedOver) ?? (await lookAgain(upstream, passedOver));
    if (!replica) throw unavailable(upstream);
    replica.inFlight++;
    try {
      await new Exchange(reply, keeper).run(replica, options);
      replica.resume();
      return;
    } catch (error) {
      const kind = kindOfFailure(error);
      if (kind === 'late') throw late(upstream, error);
      if (kind === 'broken') throw broken(upstream, error);
      if (kind === 'unreachable') {
        replica.pause();
        passedOver.add(replica);
      } else if (reconnected.has(replica)) {
        passedOver.add(replica);
      }
      // A kept connection may be closed by the other side at the very moment it is used: that is no sign of a fault.
      reconnected.add(replica);
      metrics.retried(upstream.db);
    } finally {
      replica.inFlight--;
    }
  }
}

/** Of one connection only, or kept by the gateway to itself. */
const NOT_FORWARDED = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-api-key',
  'x-request-id',
]);

function toUpstream(request: FastifyRequest): Omit<Dispatcher.DispatchOptions, 'origin'> {
  const headers: string[] = ['x-request-id', request.id];
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || NOT_FORWARDED.has(name)) continue;
    headers.push(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return {
    path: request.raw.url as string,
    method: request.method as Dispatcher.HttpMethod,
    headers,
    body: Buffer.isBuffer(request.body) ? request.body : null,
  };
}

async function lookAgain(upstream: Upstream, except: ReadonlySet<Replica>): Promise<Replica | undefined> {
  await Promise.race([upstream.refresh(), setTimeout(LOOKUP_WAIT_MS, undefined, { ref: false })]);
  return upstream.pick(except);
}

function unavailable({ db }: Upstream): HttpProblem {
  return new HttpProblem(
    'DOMAIN_UNAVAILABLE',
    `The service of ${db} cannot be reached; try again in a moment.`,
    {
      headers: { 'retry-after': '1' },
    },
  );
}

function late({ db }: Upstream, cause: unknown): HttpProblem {
  return new HttpProblem('GATEWAY_TIMEOUT', `The service of ${db} did not answer in time.`, { cause });
}

function broken({ db }: Upstream, cause: unknown): HttpProblem {
  return new HttpProblem('BAD_GATEWAY', `The service of ${db} gave an answer that is not HTTP.`, { cause });
}
