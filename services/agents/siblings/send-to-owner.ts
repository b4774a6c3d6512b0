import { Agent, request as ask, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CALLER_HEADER, callerName } from '../../base/access/asker.ts';
import { cameByAdapter, DOOR_HEADER } from '../../base/http/door-listener.ts';
import { writeJson } from '../../base/http/json-text.ts';
import { HttpProblem, PROBLEM_TYPE } from '../../base/http/problem.ts';
import { cameFromWorker } from '../../base/http/sibling-listener.ts';
import { processOf } from '../runs/run-ids.ts';
import type { Workers } from './siblings.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The id of a run in a body, where the address and the header fields have none. */
    runIn?: (body: unknown) => string | undefined;
    /** Whether it begins runs: processes take turns at it, whoever was asked. */
    begins?: boolean;
  }
}

/** Of a socket that nobody listens at, or that has no place left: nothing has been sent. */
const NOT_THERE = ['ECONNREFUSED', 'ENOENT', 'EAGAIN'];
/** To one process; what is more waits here. Fewer than may wait to be accepted there. */
const MOST_SOCKETS = 3000;
/** Header fields of one connection. */
const OF_A_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade'];
const OF_A_BODY = ['content-length', 'transfer-encoding'];
const IN_PATH = /^\/runs\/([rb][0-9a-f]{26})(?=[/?]|$)/;
const IN_QUERY = /[?&]episode_id=(r[0-9a-f]{26})(?=&|$)/;
const IN_COOKIE = /(?:^|;\s*)rookery_episode=(r[0-9a-f]{26})/;

/**
 * Sends each request for a run to the process that has it, as it came, and what begins runs to each in turn. A process that
 * is away is AGENTS_UNAVAILABLE for its own runs; the others go on. Where runs are in a store that machines share, one of
 * another machine may have had more processes: each of its numbers has a process here.
 */
export function forwardToOwner(
  app: FastifyInstance,
  { process, sockets }: Workers,
  { isShared }: { readonly isShared: boolean },
): void {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256, maxSockets: MOST_SOCKETS });
  let turn = process;
  app.addHook('onClose', async () => agent.destroy());

  app.addHook('onRequest', (request, reply, done) => {
    const owner = ownerOf(request);
    if (owner === null) return done();
    if (owner >= sockets.length) return done(noSuchProcess(sockets.length));
    send(request, reply, owner);
  });
  app.addHook('preHandler', (request, reply, done) => {
    const id = request.routeOptions.config?.runIn?.(request.body);
    const owner = id === undefined ? null : elsewhere(request, processHere(id));
    if (owner === null) return done();
    if (owner >= sockets.length) return done(noSuchProcess(sockets.length));
    send(request, reply, owner, writeJson(request.body));
  });

  function ownerOf(request: FastifyRequest): number | null {
    if (request.routeOptions.config?.begins) {
      if (cameFromWorker(request)) return null;
      turn = (turn + 1) % sockets.length;
      return turn === process ? null : turn;
    }
    const id = idOf(request);
    return id === undefined ? null : elsewhere(request, processHere(id));
  }

  function processHere(id: string): number | null {
    const owner = processOf(id);
    return owner !== null && isShared ? owner % sockets.length : owner;
  }

  /** The number of the process, where it is another; what a sibling has sent is for this one. */
  function elsewhere(request: FastifyRequest, owner: number | null): number | null {
    return owner === process || cameFromWorker(request) ? null : owner;
  }

  function send(request: FastifyRequest, reply: FastifyReply, owner: number, body?: string): void {
    reply.hijack();
    const { raw } = reply;
    const sent = ask(
      {
        agent,
        socketPath: sockets[owner] as string,
        method: request.raw.method as string,
        path: request.raw.url as string,
        headers: headersOf(request, body),
      },
      (answer) => {
        raw.writeHead(answer.statusCode as number, without(answer, OF_A_HOP));
        // Of a stream of events the first may be long in coming, and its reader waits for the head.
        raw.flushHeaders();
        // Half an answer must not look like a whole one: then the connection ends.
        pipeline(answer, raw, () => {});
      },
    );
    sent.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (raw.headersSent) return raw.destroy();
      const problem = NOT_THERE.includes(code) ? away('The process that has this run is away.') : brokenOff();
      raw.writeHead(problem.status, { ...problem.headers, 'content-type': PROBLEM_TYPE });
      raw.end(JSON.stringify(problem.toProblem()));
    });
    raw.on('close', () => {
      if (!raw.writableFinished) sent.destroy();
    });
    if (body === undefined) pipeline(request.raw, sent, () => {});
    else sent.end(body);
  }
}

function idOf({ raw, headers }: FastifyRequest): string | undefined {
  const inAddress = (IN_PATH.exec(raw.url ?? '') ?? IN_QUERY.exec(raw.url ?? ''))?.[1];
  if (inAddress !== undefined) return inAddress;
  const session = headers['x-session-id'];
  if (typeof session === 'string') return session.trim();
  return IN_COOKIE.exec(headers.cookie ?? '')?.[1];
}

function headersOf(request: FastifyRequest, body: string | undefined): Record<string, string | string[]> {
  return {
    ...without(request.raw, body === undefined ? OF_A_HOP : [...OF_A_HOP, ...OF_A_BODY]),
    [CALLER_HEADER]: callerName(request),
    ...(cameByAdapter(request) ? { [DOOR_HEADER]: '1' } : {}),
  };
}

function without({ headers }: IncomingMessage, names: readonly string[]): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !names.includes(name) && name !== DOOR_HEADER) kept[name] = value;
  }
  return kept;
}

/** Of a run that was made when there were more. */
function noSuchProcess(count: number): HttpProblem {
  return away(
    `This server has ${count} processes, and the run belongs to another one; start as many as before.`,
  );
}

/** Whether the request was carried out, nobody knows but the record. */
function brokenOff(): HttpProblem {
  const detail =
    'The process that has this run broke off. GET /runs/<id> tells whether a call was carried out.';
  return new HttpProblem('BAD_GATEWAY', detail);
}

function away(detail: string): HttpProblem {
  return new HttpProblem('AGENTS_UNAVAILABLE', detail, { headers: { 'retry-after': '1' } });
}
