import type { ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { isInternalRequest } from './is-our-own.ts';
import { furtherServers } from './listen-also.ts';

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
