import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOurOwn } from './is-our-own.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set where callers reach this process themselves: what they say about who they are is not believed. */
    facesCallers?: boolean;
  }
}

/** Who asks for something, and whether they still want it. */
export interface Asker {
  /** What is scarce is shared between callers: a run, or an address that requests come from. */
  readonly caller: string;
  /** Aborted when the caller hangs up. */
  readonly signal?: AbortSignal;
}

/** Somebody inside the process, who does not hang up. */
export const NOBODY: Asker = { caller: '' };

/** The header field by which one process of a farm tells the next for whom it asks. */
export const CALLER_HEADER = 'x-rookery-caller';

type Connected = Pick<FastifyRequest, 'headers' | 'ip' | 'raw' | 'server'>;

/** For whom a request is made: as the process in front of this one says, else by the address that it came from. */
export function callerOf(request: Connected): string {
  const told = request.headers[CALLER_HEADER];
  const believed = isOurOwn(request) || request.server.facesCallers !== true;
  return typeof told === 'string' && believed ? told.slice(0, 80) : request.ip;
}

/** Who makes a request. The signal is that of its connection. */
export function askerOf(request: Connected, reply: Pick<FastifyReply, 'raw'>): Required<Asker> {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  // A request from within this process has no connection: whoever made it takes it back.
  if (isOurOwn(request)) request.raw.once('error', () => gone.abort());
  return { caller: callerOf(request), signal: gone.signal };
}
