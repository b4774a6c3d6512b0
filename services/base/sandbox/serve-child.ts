import { Worker } from 'node:worker_threads';
import { type FromChild, type ToChild, toWire } from './messages.ts';

/**
 * Makes this process a child of a ChildPool: answers each request with what the handler returns or throws.
 * What the handler tells meanwhile reaches the request's `onNote`. The process ends when its parent does, even in the
 * middle of a SQL statement.
 */
export function serveChild<Request, Reply>(
  handler: (request: Request, init: unknown, tell: (note: unknown) => void) => Reply | Promise<Reply>,
): void {
  let init: unknown;
  const tell = (note: unknown) => send<Reply>({ kind: 'note', note });
  process.on('message', async (message) => {
    const order = message as ToChild<Request>;
    if (order.kind === 'init') {
      init = order.init;
      send<Reply>({ kind: 'ready', cpuMs: cpuMs() });
      return;
    }
    try {
      const reply = await handler(order.request, init, tell);
      send({ kind: 'reply', reply, cpuMs: cpuMs() });
    } catch (error) {
      send<Reply>({ kind: 'error', error: toWire(error), cpuMs: cpuMs() });
    }
  });
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole process group; the parent decides what becomes of work in flight.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  dieWithParent();
}

function send<Reply>(message: FromChild<Reply>): void {
  process.send?.(message);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Ends this process when its parent has ended: 'disconnect' is not seen while a statement runs, so a thread watches. */
export function dieWithParent(): void {
  const watch = `
    const parent = ${process.ppid};
    setInterval(() => process.ppid === parent || process.kill(${process.pid}, 'SIGKILL'), 1000);
  `;
  new Worker(watch, { eval: true, execArgv: [], env: {}, stdout: true, stderr: true }).unref();
}
