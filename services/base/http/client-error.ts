import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { HttpProblem, PROBLEM_TYPE } from './problem.ts';

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
