import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server of one file on this machine, with the faults that a test asks for. */
export interface FileServer {
  readonly url: string;
  /** The `Range` header of each request, or null. */
  readonly ranges: (string | null)[];
  file: Buffer;
  etag: string | null;
  /** Answers in turn for the next requests; afterwards the file is served. */
  readonly next: ((request: IncomingMessage, response: ServerResponse) => void)[];
}

/** Starts a server that knows ranges and ETags; it stops when the test is over. */
export async function serveFile(file: Buffer): Promise<FileServer> {
  const state: Omit<FileServer, 'url'> = { ranges: [], file, etag: '"v1"', next: [] };
  const server = createServer((request, response) => {
    state.ranges.push(request.headers.range ?? null);
    (state.next.shift() ?? ((_, to) => sendFile(state, request, to)))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, { url: `http://127.0.0.1:${port}/dev.zip` });
}

/** Sends so many bytes of the whole file and then breaks the connection. */
export function breakAfter(server: FileServer, bytes: number) {
  return (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, headers(server, server.file.length));
    response.write(server.file.subarray(0, bytes), () => setTimeout(() => response.destroy(), 100));
  };
}

function sendFile(state: Omit<FileServer, 'url'>, request: IncomingMessage, response: ServerResponse): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? Number.NaN);
  const same = request.headers['if-range'] === state.etag;
  if (Number.isNaN(start) || !same) {
    response.writeHead(200, headers(state, state.file.length)).end(state.file);
  } else if (start >= state.file.length) {
    response.writeHead(416, { 'content-range': `bytes */${state.file.length}` }).end();
  } else {
    const rest = state.file.subarray(start);
    const range = `bytes ${start}-${state.file.length - 1}/${state.file.length}`;
    response.writeHead(206, { ...headers(state, rest.length), 'content-range': range }).end(rest);
  }
}

function headers({ etag }: Omit<FileServer, 'url'>, length: number): Record<string, string> {
  return {
    'content-type': 'application/zip',
    'content-length': String(length),
    ...(etag === null ? {} : { etag }),
  };
}
