import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Dispatcher } from 'undici';
import type { Replica } from '../../base/upstream/replica.ts';
import type { CachedResponse } from './response-cache.ts';

/** Receives a copy of each cacheable answer. */
export interface ResponseKeeper {
  readonly maxBodyBytes: number;
  readonly keep: (answer: CachedResponse) => void;
}

/** One request to one replica: its answer is written to the caller as it arrives, no faster than the caller reads. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #reply: FastifyReply;
  readonly #keeper: ResponseKeeper | undefined;
  readonly #leave = () => this.#controller?.abort(new Error('the caller left'));
  #controller: Dispatcher.DispatchController | undefined;
  #answered = false;
  #copy: { readonly answer: Omit<CachedResponse, 'body'>; readonly chunks: Buffer[] } | undefined;
  #resolve: () => void = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(reply: FastifyReply, keeper?: ResponseKeeper) {
    this.#reply = reply;
    this.#keeper = keeper;
  }

  /** Resolves when the answer was passed on, or the caller has left. Rejects when there was no answer at all. */
  run(replica: Replica, request: Omit<Dispatcher.DispatchOptions, 'origin'>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#reply.raw.once('close', this.#leave);
      replica.dispatch(request, this);
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#reply.raw.destroyed) this.#leave();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#answered = true;
    const answer = this.#keeper && keepable(status, headers, this.#keeper.maxBodyBytes);
    if (answer) this.#copy = { answer, chunks: [] };
    this.#reply.hijack();
    const { raw } = this.#reply;
    raw.writeHead(status, toCaller(headers, this.#reply));
    // Of a stream of events the first may be long in coming, and its reader waits for the head.
    if (headers['content-type']?.startsWith('text/event-stream')) raw.flushHeaders();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { raw } = this.#reply;
    this.#copy?.chunks.push(chunk);
    if (raw.write(chunk) || raw.destroyed) return;
    controller.pause();
    raw.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.#reply.raw.end();
    // A copy: the chunks are views of whole socket buffers.
    if (this.#copy) this.#keeper?.keep({ ...this.#copy.answer, body: Buffer.concat(this.#copy.chunks) });
    this.#settle();
    this.#resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { raw } = this.#reply;
    this.#settle();
    if (!this.#answered && !raw.destroyed) return this.#reject(error);
    // Half an answer must not look like a whole one.
    raw.destroy();
    this.#reply.hijack();
    this.#resolve();
  }

  #settle(): void {
    this.#reply.raw.off('close', this.#leave);
  }
}

/** Of this one answer rather than of what is at the address. */
const OF_ONE_ANSWER = ['date', 'content-length', 'x-request-id'];

/** What is kept of an answer besides its body; nothing when it is large, has no ETag, or says that it must not be. */
function keepable(
  status: number,
  headers: IncomingHttpHeaders,
  maxBodyBytes: number,
): Omit<CachedResponse, 'body'> | undefined {
  const { etag, vary, 'content-length': length, 'cache-control': control = '' } = headers;
  if (status !== 200 || etag === undefined || vary !== undefined || /no-store|private/.test(control))
    return undefined;
  if (length === undefined || Number(length) > maxBodyBytes) return undefined;
  const kept: OutgoingHttpHeaders = {};
  for (const name in headers) {
    if (!NOT_PASSED_ON.has(name) && !OF_ONE_ANSWER.includes(name)) kept[name] = headers[name];
  }
  return { headers: kept, etag };
}

const NOT_PASSED_ON = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'proxy-authenticate',
  'upgrade',
]);

/** The replica's header fields, under those that the gateway has set itself. */
function toCaller(headers: IncomingHttpHeaders, reply: FastifyReply): OutgoingHttpHeaders {
  const passed: OutgoingHttpHeaders = {};
  for (const name in headers) {
    if (!NOT_PASSED_ON.has(name)) passed[name] = headers[name];
  }
  return Object.assign(passed, reply.getHeaders());
}
