import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AssistantPart, ModelRequest } from '../../../runner/models/model.ts';
import { writeWire } from './wire-reply.ts';
import { readWire, type Wire, wireOf } from './wire-request.ts';

/** What a provider can do instead of answering. */
export type ModelFault =
  | {
      readonly fault: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** The connection ends in the middle of the answer. */
  | { readonly fault: 'cut' }
  /** 200, and not JSON. */
  | { readonly fault: 'invalid_json' }
  /** No answer at all. */
  | { readonly fault: 'hang' }
  /** The connection is reset. */
  | { readonly fault: 'reset' }
  /** 200, with any body, after a time, or a byte at a time. */
  | {
      readonly fault: 'body';
      readonly body: string;
      readonly contentType?: string;
      readonly afterMs?: number;
      readonly bytewise?: boolean;
    };

export interface Asked extends Pick<ModelRequest, 'prompt' | 'tools'> {
  readonly wire: Wire;
  /** From 1, over all requests. */
  readonly n: number;
  readonly body: Record<string, unknown>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export type ModelScript = (asked: Asked) => readonly AssistantPart[] | ModelFault;

export interface ModelServer {
  /** `http://127.0.0.1:<port>/v1` */
  readonly address: string;
  readonly requests: number;
  /** Requests under way at the same time, at most. */
  readonly mostAtOnce: number;
  stop(): Promise<void>;
}

/** A provider whose models follow a script, in five wire formats, after a time. */
export async function startModelServer(script: ModelScript, latencyMs = 0): Promise<ModelServer> {
  let [requests, atOnce, mostAtOnce] = [0, 0, 0];
  const server = createServer(async (request, response) => {
    const n = ++requests;
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    response.once('close', () => atOnce--);
    let text = '';
    for await (const chunk of request) text += chunk;
    const wire = wireOf((request.url ?? '').split('?')[0] ?? '');
    if (wire === null) {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"error":{"message":"no such path"}}');
      return;
    }
    const body: Record<string, unknown> = JSON.parse(text);
    const reply = script({ ...readWire(wire, body), wire, n, body, headers: request.headers });
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    if ('fault' in reply) spoil(response, reply);
    else send(response, 200, JSON.stringify(writeWire(wire, reply)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/v1`,
    get requests() {
      return requests;
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function spoil(response: ServerResponse, fault: ModelFault): void {
  switch (fault.fault) {
    case 'status':
      send(response, fault.status, fault.body ?? '{"error":{"message":"scripted failure"}}', fault.headers);
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"choices":', () => response.destroy());
      return;
    case 'invalid_json':
      send(response, 200, '{"choices": [');
      return;
    case 'hang':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'body':
      void sendOddly(response, fault);
      return;
  }
}

async function sendOddly(
  response: ServerResponse,
  { body, contentType = 'application/json', afterMs = 0, bytewise }: Extract<ModelFault, { fault: 'body' }>,
): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  response.writeHead(200, { 'content-type': contentType });
  for (const byte of bytewise ? Buffer.from(body) : []) {
    response.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end(bytewise ? undefined : body);
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
