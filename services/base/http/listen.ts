import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerOptions,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, createServer as createNetServer, isIP, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { UserError } from '../../../contracts/errors.ts';
import { getOrInsert } from '../concurrency.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { HttpProblem, PROBLEM_TYPE } from './problem.ts';

/** After SIGTERM, how long to wait for the next request on open connections. Ctrl-C does not wait. */
export const IDLE_MS = 2000;
/**
 * Backlog of connections, as far as the system allows: thousands of agents may start at once. With Node's default of
 * 511, a busy process resets the others.
 */
export const WAITING_CONNECTIONS = 8192;

export interface Listening {
  readonly address: string;
  /**
   * Stops accepting, lets requests in progress finish for a while, then ends them. Idle connections end after `idleMs`,
   * by default at once. Can be called twice.
   */
  stop(idleMs?: number): Promise<void>;
}

/** Listens on a port; 0 for any free one. If the port is unavailable, closes the app and throws OPTION_INVALID. */
export async function listen(
  app: FastifyInstance,
  {
    port,
    host = '127.0.0.1',
    option = '--port',
  }: { readonly port: number; readonly host?: string | undefined; readonly option?: string },
): Promise<Listening> {
  let address: string;
  try {
    address = await app.listen({ port, host, backlog: WAITING_CONNECTIONS });
  } catch (cause) {
    await app.close();
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw cause;
    throw new UserError(
      'OPTION_INVALID',
      code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? '--host' : option,
      cannotListen(`${host}:${port}`, code),
      { cause },
    );
  }
  let stopped: Promise<void> | undefined;
  return {
    address,
    stop(idleMs = 0) {
      stopped ??= drain(app, idleMs);
      return stopped;
    },
  };
}

/** A port that was free a moment ago. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createNetServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await promisify(server.close.bind(server))();
  return port;
}

/** Left to Node: memory faults cannot be handled, and unexpected errors should end the process as usual. */
const LEFT_ALONE: closeWithGrace.AllEvents[] = [
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGSEGV',
  'SIGUSR2',
  'uncaughtException',
  'unhandledRejection',
  'beforeExit',
];

/** Stops a server on SIGTERM, SIGINT or SIGHUP and exits with code 0; a second signal exits at once. */
export function stopOnSignals(server: Pick<Listening, 'stop'>): void {
  // `stop` has its own time limit.
  closeWithGrace({ delay: false, skip: LEFT_ALONE }, ({ signal }) =>
    server.stop(signal === 'SIGTERM' ? IDLE_MS : 0),
  );
}

const DRAIN_MS = 3500;
/** How long to accept waiting connections. With one connection per request, they may never end. */
const ACCEPT_MS = 250;
const SWEEP_MS = 50;

declare module 'fastify' {
  interface FastifyInstance {
    /** The class of its answers over connections. */
    Answer?: AnswerClass;
  }
}

type AnswerClass = ReturnType<typeof makeAnswerClass>;

/** A class of answers for one app: while it drains, each that has not begun closes its connection. */
export function makeAnswerClass() {
  return class Answer<Request extends IncomingMessage> extends ServerResponse<Request> {
    static isDraining = false;

    override writeHead(...head: unknown[]): this {
      if (Answer.isDraining) this.shouldKeepAlive = false;
      return super.writeHead(...(head as [number]));
    }
  };
}

/**
 * Closes a listening app: accepts the waiting connections and no others, answers everything with `Connection: close`,
 * ends idle connections after `idleMs` (their clients may be about to send a request), and ends requests in progress
 * after three and a half seconds.
 */
export async function drain(app: FastifyInstance, idleMs: number): Promise<void> {
  const began = performance.now();
  await takeWaiting(app.server);
  // Not the server's own `close`, which ends idle connections at once: a request may be on its way on any of them.
  Server.prototype.close.call(app.server);
  if (app.Answer) app.Answer.isDraining = true;
  while (performance.now() - began < idleMs && (await hasConnections(app))) await setTimeout(SWEEP_MS);
  const left = Math.max(0, DRAIN_MS - (performance.now() - began));
  const giveUp = globalThis.setTimeout(() => app.server.closeAllConnections(), left);
  // Waits for connections that were busy when closing began.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  await app.close();
  clearTimeout(giveUp);
  clearInterval(sweep);
}

/** Accepts the backlog, since the system resets connections that are never accepted. */
async function takeWaiting(server: Server): Promise<void> {
  const until = performance.now() + ACCEPT_MS;
  let hasCome = true;
  const come = () => {
    hasCome = true;
  };
  server.on('connection', come);
  // Every turn accepts at least one, if there is any; the first turn may have polled before this call.
  for (let turn = 0; turn < 2 || (hasCome && performance.now() < until); turn++) {
    hasCome = false;
    await setImmediate();
  }
  server.off('connection', come);
}

async function hasConnections(app: FastifyInstance): Promise<boolean> {
  const counts = [app.server, ...(others.get(app) ?? [])].map(
    (server) =>
      new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count ?? 0))),
  );
  return (await Promise.all(counts)).some((count) => count > 0);
}

export interface AlsoOptions {
  readonly port: number;
  readonly host?: string | undefined;
  /** The user's option for the port, for error messages: `--harness-port`. */
  readonly option: string;
  readonly arrived: (request: IncomingMessage) => void;
  /** Called for each upgrade request, such as WebSocket; without it they are rejected. */
  readonly upgrade?: Parameters<HttpServer['on']>[1];
}

/** Server settings that drop incomplete requests. */
export function halfOpen(arrivalMs: number) {
  return {
    headersTimeout: arrivalMs,
    requestTimeout: arrivalMs,
    connectionsCheckingInterval: arrivalMs / 10,
  };
}

/**
 * Listens on another port for an app. Call it before the app listens; it closes with the app. Resolves to its address.
 * If the port is unavailable, closes the app and throws OPTION_INVALID.
 */
export async function listenAlso(
  app: FastifyInstance,
  { port, host = '127.0.0.1', option, arrived, upgrade }: AlsoOptions,
): Promise<string> {
  const { keepAliveTimeout, requestTimeout } = app.server;
  const server = await furtherServer(app, { ...halfOpen(requestTimeout), keepAliveTimeout }, arrived);
  if (upgrade) server.on('upgrade', upgrade);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
  } catch (cause) {
    await app.close();
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw new UserError('OPTION_INVALID', option, cannotListen(`${host}:${port}`, code), { cause });
  }
  const at = server.address() as AddressInfo;
  return `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`;
}

function cannotListen(place: string, code: string): string {
  if (code === 'EADDRINUSE') return `${place} is in use (${code}); choose another, or 0 for any that is free`;
  return `cannot listen on ${place} (${code}); choose another`;
}

/** A server beside the app's own, which closes with it and is not listening yet. Call it before the app listens. */
async function furtherServer(
  app: FastifyInstance,
  settings: ServerOptions,
  arrived: (request: IncomingMessage) => void,
): Promise<HttpServer> {
  const { Answer: ServerResponse } = app;
  const limits = { maxHeaderSize: DEFAULT_LIMITS.maxHeaderBytes, ServerResponse };
  const server = createServer({ ...settings, ...limits }, (request, response) => {
    arrived(request);
    app.routing(request, response);
  });
  server.on('clientError', handleClientError);
  // Hooks can be added only until the app is ready, which it is from its second server on.
  getOrInsert(others, app, () => closedWith(app)).push(server);
  await app.ready();
  return server;
}

const others = new WeakMap<FastifyInstance, HttpServer[]>();

/** A list of servers that close with an app. */
function closedWith(app: FastifyInstance): HttpServer[] {
  const servers: HttpServer[] = [];
  app.addHook('preClose', async () => {
    for (const server of servers) {
      server.closeIdleConnections();
      server.close();
    }
  });
  app.addHook('onClose', async () => {
    for (const server of servers) server.closeAllConnections();
  });
  return servers;
}

const cameByHarnessPort = new WeakSet<IncomingMessage>();

/** Whether a request came through the harness port. */
export function cameForHarness({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return cameByHarnessPort.has(raw);
}

/**
 * Listens on a second port, for the harness; 0 for any free one. Call it before the app listens; it closes with the
 * app. Resolves to its address. If the port is unavailable, closes the app and throws OPTION_INVALID.
 */
export function listenForHarness(
  app: FastifyInstance,
  { port, host }: { readonly port: number; readonly host?: string | undefined },
): Promise<string> {
  return listenAlso(app, {
    port,
    host,
    option: '--harness-port',
    arrived: (request) => void cameByHarnessPort.add(request),
  });
}

export interface DoorPort {
  readonly name: string;
  readonly port: number;
}

const cameByDoorPort = new WeakSet<IncomingMessage>();

/** Marks such a request when one process of a server forwards it to another. */
export const DOOR_HEADER = 'x-rookery-door';

/** Whether a request came through a protocol's port. */
export function cameByDoor({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return cameByDoorPort.has(raw);
}

/**
 * Listens on ports that serve a protocol each at their root, for clients that do not accept a path: every URL maps below
 * `/doors/<name>`. 0 for any free port. Call it before the app listens; they close with the app. Resolves to their
 * addresses by name. If a port is unavailable, closes the app and throws OPTION_INVALID.
 */
export async function listenForDoors(
  app: FastifyInstance,
  {
    door = [],
    host,
  }: {
    readonly door?: readonly DoorPort[] | undefined;
    readonly host?: string | undefined;
  },
): Promise<Record<string, string>> {
  const addresses: Record<string, string> = {};
  for (const { name, port } of door) {
    const arrived = (request: IncomingMessage) => {
      cameByDoorPort.add(request);
      request.url = `/doors/${name}${request.url}`;
    };
    const upgrade = takeUpgrades(app, arrived);
    addresses[name] = await listenAlso(app, { port, host, option: '--door', arrived, upgrade });
  }
  return addresses;
}

/** Requests forwarded by another process of the same server. */
const cameByWorkerSocket = new WeakSet<IncomingMessage>();

/** Whether another process of the same server forwarded a request, having checked keys and rates. */
export function cameFromWorker({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return cameByWorkerSocket.has(raw);
}

/**
 * Makes an app answer requests that other processes of its server forward through a private Unix socket. Call it before
 * the app listens; it closes with the app.
 */
export async function listenForWorkers(app: FastifyInstance, path: string): Promise<void> {
  // Never times out: workers keep their connections, and are not notified when one closes.
  const server = await furtherServer(app, { keepAliveTimeout: 0, requestTimeout: 0 }, (request) => {
    cameByWorkerSocket.add(request);
    if (request.headers[DOOR_HEADER] !== undefined) cameByDoorPort.add(request);
  });
  // Left behind by a killed process.
  rmSync(path, { force: true });
  // Exclusive: in a cluster any other socket is shared by all processes.
  await new Promise<void>((resolve, reject) => {
    // Thousands may be forwarded at once, and a Unix socket refuses connections beyond its backlog.
    server.once('error', reject).listen({ path, exclusive: true, backlog: WAITING_CONNECTIONS }, resolve);
  });
}

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Upgrade requests waiting for their route. */
const waiting = new WeakMap<IncomingMessage, Upgrade>();

/**
 * Routes upgrade requests through an app like any other, so that the guards of its routes apply. A route takes its
 * connection with `takeConnection`; otherwise the response is sent as plain HTTP.
 */
export function takeUpgrades(app: FastifyInstance, arrived: (request: IncomingMessage) => void = () => {}) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    arrived(request);
    waiting.set(request, { socket, head });
    const response = new ServerResponse(request);
    // Node's type requires more of the socket than is used.
    response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
    response.shouldKeepAlive = false;
    response.on('finish', () => socket.end());
    socket.on('error', () => socket.destroy());
    app.routing(request, response);
  };
}

/** Takes over the connection of an upgrade request; undefined for any other request. */
export function takeConnection(reply: FastifyReply): (Upgrade & { request: IncomingMessage }) | undefined {
  const request = reply.request.raw;
  const upgrade = waiting.get(request);
  if (!upgrade) return undefined;
  waiting.delete(request);
  reply.hijack();
  reply.raw.detachSocket(upgrade.socket as Parameters<ServerResponse['detachSocket']>[0]);
  return { request, ...upgrade };
}

/**
 * Answers requests that Node's HTTP parser rejected, and ends the connection. A connection on which nothing ever came, which
 * browsers open ahead, just ends: they would take an answer for that of the request that they are about to send.
 */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new HttpProblem('HEADERS_TOO_LARGE', 'The request line and header fields are too large together.')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new HttpProblem('BAD_REQUEST', 'The request did not arrive whole within ten seconds.')
        : new HttpProblem('BAD_REQUEST', 'This is not a well-formed HTTP/1.1 request.');
  const body = JSON.stringify(problem.toProblem());
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      `content-type: ${PROBLEM_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** Whether a request was made within this process, such as a run's call of a service. */
export function isInternalRequest(request: Pick<FastifyRequest, 'raw'>): boolean {
  return !(request.raw.socket instanceof Socket);
}

/** The origins that the hosts of URLs resolve to, such as `http://172.18.0.3:8080`; none of hosts that do not resolve. */
export async function originsOf(urls: readonly URL[]): Promise<string[]> {
  return [...new Set((await Promise.all(urls.map(originsOfOne))).flat())];
}

async function originsOfOne(url: URL): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return [url.origin];
  const found = await lookup(host, { all: true }).catch(() => []);
  const port = url.port || '80';
  const hosts = found.map(({ address, family }) => (family === 6 ? `[${address}]` : address));
  return hosts.sort().map((name) => `http://${name}:${port}`);
}
