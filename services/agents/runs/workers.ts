import { Agent, request as ask, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CALLER_HEADER, callerName } from '../../base/http/caller.ts';
import { writeJson } from '../../base/http/json.ts';
import { cameByDoor, cameFromWorker, DOOR_HEADER, type DoorPort } from '../../base/http/listen.ts';
import { HttpProblem, PROBLEM_TYPE } from '../../base/http/problem.ts';
import { MOST_PROCESSES, processOf } from './run-store.ts';

/** Processes of one server that share its port and a farm's runs; a run's id names the process that has it. */
export interface Workers {
  /** The number of this process, from 0. */
  readonly process: number;
  /** Socket paths on which the processes answer forwarded requests, by number. */
  readonly sockets: readonly string[];
  /** The ports that all of them listen on. */
  readonly ports: WorkerPorts;
}

export interface WorkerPorts {
  readonly port: number;
  readonly door?: readonly DoorPort[] | undefined;
}

const port = z.number().int().nonnegative();
const told = z.object({
  process: z.number().int().nonnegative(),
  sockets: z.array(z.string()).min(1).max(MOST_PROCESSES),
  ports: z.object({ port, door: z.array(z.object({ name: z.string(), port })).optional() }),
});

const VARIABLE = 'ROOKERY_SIBLINGS';

export function writeWorkers(siblings: Workers): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(siblings) };
}

/** null: the process has no siblings. */
export function readWorkers(env: NodeJS.ProcessEnv): Workers | null {
  const text = env[VARIABLE];
  return text === undefined || text === '' ? null : told.parse(JSON.parse(text));
}

/** The run file of a process, next to that of the first. */
export function runsFileOfProcess(file: string, process: number): string {
  if (process === 0) return file;
  const at = file.lastIndexOf('.');
  const end = at > file.lastIndexOf('/') + 1 ? at : file.length;
  return `${file.slice(0, end)}-${process}${file.slice(end)}`;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads a run's id from the body, where neither the address nor the header fields have one. */
    runIn?: (body: unknown) => string | undefined;
    /** Whether the request begins runs: processes take turns at it, whichever received it. */
    begins?: boolean;
  }
}

/** Errors of a socket without a listener, or with a full backlog: nothing was sent. */
const NOT_THERE = ['ECONNREFUSED', 'ENOENT', 'EAGAIN'];
/** Connections to one process; further requests wait here. Smaller than the listener's backlog. */
const MOST_SOCKETS = 3000;
const OF_A_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade'];
const OF_A_BODY = ['content-length', 'transfer-encoding'];
const IN_PATH = /^\/runs\/([rb][0-9a-f]{26})(?=[/?]|$)/;
const IN_QUERY = /[?&]episode_id=(r[0-9a-f]{26})(?=&|$)/;
const IN_COOKIE = /(?:^|;\s*)rookery_episode=(r[0-9a-f]{26})/;

/**
 * Forwards each request for a run to the process that has it, unchanged, and requests that begin runs to each process
 * in turn. A process that is down is AGENTS_UNAVAILABLE for its own runs only. Where machines share a store, another
 * machine may have had more processes: each of its numbers maps to a process here.
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

  /** The number of the owning process, if it is another; forwarded requests stay here. */
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
        // The first event of a stream may take long, and its reader waits for the head.
        raw.flushHeaders();
        // On failure the connection ends, so that half an answer does not look whole.
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
    ...(cameByDoor(request) ? { [DOOR_HEADER]: '1' } : {}),
  };
}

function without({ headers }: IncomingMessage, names: readonly string[]): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !names.includes(name) && name !== DOOR_HEADER) kept[name] = value;
  }
  return kept;
}

/** For a run of a process number that no longer exists. */
function noSuchProcess(count: number): HttpProblem {
  return away(
    `This server has ${count} processes, and the run belongs to another one; start as many as before.`,
  );
}

/** Only the record shows whether the request was carried out. */
function brokenOff(): HttpProblem {
  const detail =
    'The process that has this run broke off. GET /runs/<id> tells whether a call was carried out.';
  return new HttpProblem('BAD_GATEWAY', detail);
}

function away(detail: string): HttpProblem {
  return new HttpProblem('AGENTS_UNAVAILABLE', detail, { headers: { 'retry-after': '1' } });
}
