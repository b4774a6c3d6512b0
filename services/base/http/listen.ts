import { lookup } from 'node:dns/promises';
import { rmSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type Server as ListenAlsoServer,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, isIP, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { UserError } from '../../../contracts/errors.ts';
import { DEFAULT_LIMITS, halfOpen } from '../limits.ts';
import { HttpProblem, PROBLEM_TYPE } from './problem.ts';

/** After SIGTERM, for the next request of who has a connection open. Who presses Ctrl-C waits for nobody. */
const IDLE_MS = 2000;
/**
 * Connections that may wait to be accepted, as far as the system allows: those of thousands of agents that begin at the
 * same moment. With Node's own 511 the others are reset when the process is busy.
 */
export const WAITING_CONNECTIONS = 8192;

export interface Listening {
  /** `http://127.0.0.1:8080` */
  readonly address: string;
  /**
   * Stops accepting, lets requests in flight finish for a while, then ends them; connections without any are ended after
   * `idleMs`, at once by default. Safe to call twice.
   */
  stop(idleMs?: number): Promise<void>;
}

/** Opens an app's port; 0 takes any free one. Throws OPTION_INVALID when the port cannot be had; then the app is closed. */
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

/** Left to Node: a fault of memory cannot be handled, and what was not foreseen should end the process as it does. */
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

/** Stops a server on SIGTERM, SIGINT or SIGHUP and ends the process with code 0; a second signal ends it at once. */
export function stopOnSignals(server: Pick<Listening, 'stop'>): void {
  // `stop` has a limit of its own.
  closeWithGrace({ delay: false, skip: LEFT_ALONE }, ({ signal }) =>
    server.stop(signal === 'SIGTERM' ? IDLE_MS : 0),
  );
}

/** From the signal to the end: time for requests in flight, and for the process itself to be gone within 5 s. */
const DRAIN_MS = 3500;
/** For connections that wait to be accepted. Where each request has one of its own, they may never end. */
const ACCEPT_MS = 250;
const SWEEP_MS = 50;

interface Answers {
  isDraining: boolean;
  readonly underWay: Set<ServerResponse>;
}

const answersOf = new WeakMap<FastifyInstance, Answers>();

/** Has an app know what it is answering, so that it can say on every answer that the connection ends. */
export function watchAnswers(app: FastifyInstance): void {
  const answers: Answers = { isDraining: false, underWay: new Set() };
  answersOf.set(app, answers);
  app.addHook('onRequest', (request, { raw }, done) => {
    if (isInternalRequest(request)) return done();
    if (answers.isDraining) raw.shouldKeepAlive = false;
    else {
      answers.underWay.add(raw);
      raw.once('close', () => answers.underWay.delete(raw));
    }
    done();
  });
}

/**
 * Closes an app that listens: it takes the connections that wait and no others, says `Connection: close` on every answer
 * from then on, ends what has none after `idleMs` (a client may be about to send its next request there) and what is
 * still being answered after three and a half seconds.
 */
export async function drain(app: FastifyInstance, idleMs: number): Promise<void> {
  const began = performance.now();
  await takeWaiting(app.server);
  // Not the server's own `close`, which ends idle connections: a request may be on its way on any of them.
  Server.prototype.close.call(app.server);
  letGo(app);
  while (performance.now() - began < idleMs && (await hasConnections(app))) await setTimeout(SWEEP_MS);
  const left = Math.max(0, DRAIN_MS - (performance.now() - began));
  const giveUp = globalThis.setTimeout(() => app.server.closeAllConnections(), left);
  // A connection that was busy when closing began is waited for until it is closed.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  await app.close();
  clearTimeout(giveUp);
  clearInterval(sweep);
}

/** The system resets connections that nobody accepted. */
async function takeWaiting(server: Server): Promise<void> {
  const until = performance.now() + ACCEPT_MS;
  let hasCome = true;
  const come = () => {
    hasCome = true;
  };
  server.on('connection', come);
  // A turn accepts one at least, if there are any; the first may have looked before it was asked to.
  for (let turn = 0; turn < 2 || (hasCome && performance.now() < until); turn++) {
    hasCome = false;
    await setImmediate();
  }
  server.off('connection', come);
}

/** No answer that has not begun keeps its connection. */
function letGo(app: FastifyInstance): void {
  const answers = answersOf.get(app);
  if (!answers) return;
  answers.isDraining = true;
  for (const response of answers.underWay) response.shouldKeepAlive = false;
}

async function hasConnections(app: FastifyInstance): Promise<boolean> {
  const counts = [app.server, ...furtherServers(app)].map(
    (server) =>
      new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count ?? 0))),
  );
  return (await Promise.all(counts)).some((count) => count > 0);
}

export interface AlsoOptions {
  /** 0 takes any free one. */
  readonly port: number;
  readonly host?: string | undefined;
  /** What the user gave the port by, for the error: `--harness-port`. */
  readonly option: string;
  /** Told of each request before the app is. */
  readonly arrived: (request: IncomingMessage) => void;
  /** Told of each request for another protocol, such as WebSocket; without it there are none. */
  readonly upgrade?: Parameters<ListenAlsoServer['on']>[1];
}

/**
 * Another port of an app. Called before the app listens, it is closed with it. Resolves to its address. Throws
 * OPTION_INVALID when the port cannot be had; then the app is closed.
 */
export async function listenAlso(
  app: FastifyInstance,
  { port, host = '127.0.0.1', option, arrived, upgrade }: AlsoOptions,
): Promise<string> {
  const { keepAliveTimeout, requestTimeout } = app.server;
  const settings = {
    ...halfOpen(requestTimeout),
    keepAliveTimeout,
    maxHeaderSize: DEFAULT_LIMITS.maxHeaderBytes,
  };
  const server = createServer(settings, (request, response) => {
    arrived(request);
    app.routing(request, response);
  });
  server.on('clientError', handleClientError);
  if (upgrade) server.on('upgrade', upgrade);
  closedWith(app).push(server);
  await app.ready();
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

const others = new WeakMap<FastifyInstance, ListenAlsoServer[]>();

/** Those that `closedWith` was given so far. */
export function furtherServers(app: FastifyInstance): readonly ListenAlsoServer[] {
  return others.get(app) ?? [];
}

/**
 * The further servers of an app, which are closed with it. Hooks can be added until the app is ready, which it is from its
 * second server on, so it is asked for before the first listens.
 */
export function closedWith(app: FastifyInstance): ListenAlsoServer[] {
  const known = others.get(app);
  if (known) return known;
  const servers: ListenAlsoServer[] = [];
  others.set(app, servers);
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

/** Requests that came by a listener of the harness's own. */
const cameByHarnessPort = new WeakSet<IncomingMessage>();

/** Whether a request came by the listener that is the harness's own. */
export function cameForHarness({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return cameByHarnessPort.has(raw);
}

/**
 * A second port of an app, for the harness; 0 takes any free one. Called before the app listens, it is closed with it.
 * Resolves to its address. Throws OPTION_INVALID when the port cannot be had; then the app is closed.
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

/** A port of its own for a protocol of trainers. */
export interface DoorPort {
  readonly name: string;
  readonly port: number;
}

/** Requests that came by the port of a door. */
const cameByDoorPort = new WeakSet<IncomingMessage>();

/** By which a process tells another of the same server that a request came so. */
export const DOOR_HEADER = 'x-rookery-door';

/** A request that came by the port of a door, to another process of the same server. */
export function markDoor(request: IncomingMessage): void {
  cameByDoorPort.add(request);
}

/** Whether a request came by the port of a door. */
export function cameByDoor({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return cameByDoorPort.has(raw);
}

/**
 * A port at whose root a door stands, for clients that take no path: whatever comes there goes below `/doors/<name>`, and
 * nowhere else. 0 takes any free one. Called before the app listens, it is closed with it. Resolves to its address.
 * Throws OPTION_INVALID when the port cannot be had; then the app is closed.
 */
export function listenForDoor(
  app: FastifyInstance,
  { name, port, host }: DoorPort & { readonly host?: string | undefined },
): Promise<string> {
  const enter = (request: IncomingMessage) => {
    cameByDoorPort.add(request);
    request.url = `/doors/${name}${request.url}`;
  };
  const upgrade = takeUpgrades(app, enter);
  return listenAlso(app, { port, host, option: '--door', arrived: enter, upgrade });
}

/** The ports of several doors. Resolves to their addresses, by their names. Throws likewise. */
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
  for (const each of door) addresses[each.name] = await listenForDoor(app, { ...each, host });
  return addresses;
}

/** Requests that another process of the same server sends on. */
const cameByWorkerSocket = new WeakSet<IncomingMessage>();

/** Whether a request was taken by another process of the same server, which has checked keys and rates. */
export function cameFromWorker({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return cameByWorkerSocket.has(raw);
}

/**
 * Has an app answer what the other processes of its server send on, at a socket of the file system that nobody else has.
 * Called before the app listens, it is closed with it.
 */
export async function listenForWorkers(app: FastifyInstance, path: string): Promise<void> {
  // As long as the processes that ask keep a connection: they hear that it is over from nobody.
  const settings = { keepAliveTimeout: 0, requestTimeout: 0, maxHeaderSize: DEFAULT_LIMITS.maxHeaderBytes };
  const server = createServer(settings, (request, response) => {
    cameByWorkerSocket.add(request);
    if (request.headers[DOOR_HEADER] !== undefined) markDoor(request);
    app.routing(request, response);
  });
  server.on('clientError', handleClientError);
  closedWith(app).push(server);
  await app.ready();
  // Of a process that was killed.
  rmSync(path, { force: true });
  // Exclusive: in a cluster any other socket is shared by all its processes.
  await new Promise<void>((resolve, reject) => {
    // Thousands may be sent on at the same moment, and a socket of the file system refuses whom it has no place for.
    server.once('error', reject).listen({ path, exclusive: true, backlog: WAITING_CONNECTIONS }, resolve);
  });
}

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Requests for another protocol that wait for their route. */
const waiting = new WeakMap<IncomingMessage, Upgrade>();

/**
 * Sends requests for another protocol through an app as any others, so that what guards its routes guards them too. A
 * route takes its connection by `takeConnection`; where none does, the answer goes back as plain HTTP.
 */
export function takeUpgrades(app: FastifyInstance, arrived: (request: IncomingMessage) => void = () => {}) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    arrived(request);
    waiting.set(request, { socket, head });
    const response = new ServerResponse(request);
    // Node's own type asks for more than is used of a socket.
    response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
    response.shouldKeepAlive = false;
    response.on('finish', () => socket.end());
    socket.on('error', () => socket.destroy());
    app.routing(request, response);
  };
}

/** The connection of a request for another protocol, from now on the caller's; undefined for any other request. */
export function takeConnection(reply: FastifyReply): (Upgrade & { request: IncomingMessage }) | undefined {
  const request = reply.request.raw;
  const upgrade = waiting.get(request);
  if (!upgrade) return undefined;
  waiting.delete(request);
  reply.hijack();
  reply.raw.detachSocket(upgrade.socket as Parameters<ServerResponse['detachSocket']>[0]);
  return { request, ...upgrade };
}

/** Answers what Node's HTTP parser refused before there was a request, and ends the connection. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
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

/** Whether a request was made inside this process, such as an agent's call that its run makes at a service. */
export function isInternalRequest(request: Pick<FastifyRequest, 'raw'>): boolean {
  return !(request.raw.socket instanceof Socket);
}

/** `http://172.18.0.3:8080` for each address that the name of a URL stands for now; none when it cannot be resolved. */
export async function originsOf(url: URL): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return [url.origin];
  const found = await lookup(host, { all: true }).catch(() => []);
  const port = url.port || '80';
  const hosts = found.map(({ address, family }) => (family === 6 ? `[${address}]` : address));
  return hosts.sort().map((name) => `http://${name}:${port}`);
}
