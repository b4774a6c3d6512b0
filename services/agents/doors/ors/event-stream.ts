import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** An event of a stream. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** Characters of a result that go into one event. */
const CHUNK = 4096;

/** A result as the standard streams it: in pieces, the last of which is the end. JSON has no line breaks. */
export function* inPieces(text: string): IterableIterator<StreamEvent> {
  for (let at = 0; at < text.length; at += CHUNK) {
    const isLast = at + CHUNK >= text.length;
    yield { event: isLast ? 'end' : 'chunk', data: text.slice(at, at + CHUNK) };
  }
}

/** Answers with events, each as soon as it is known. */
export function sendEvents(
  reply: FastifyReply,
  events: Iterable<StreamEvent> | AsyncIterable<StreamEvent>,
): FastifyReply {
  return reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(Readable.from(written(events)));
}

async function* written(events: Iterable<StreamEvent> | AsyncIterable<StreamEvent>) {
  for await (const { event, data } of events) yield `event: ${event}\ndata: ${data}\n\n`;
}
