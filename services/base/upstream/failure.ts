/**
 * Why a replica gave no answer.
 *
 * - `unreachable`: there was no connection.
 * - `closed`: the connection ended before a word of the answer.
 * - `late`: it took too long.
 * - `broken`: what came is not HTTP, or anything else.
 */
export type Failure = 'unreachable' | 'closed' | 'late' | 'broken';

const FAILURES: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ETIMEDOUT: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  UND_ERR_DESTROYED: 'unreachable',
  UND_ERR_CLOSED: 'unreachable',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
  UND_ERR_HEADERS_TIMEOUT: 'late',
  UND_ERR_BODY_TIMEOUT: 'late',
};

/** The kind of what undici threw before any answer. Of `unreachable` it is certain that nothing was sent. */
export function kindOfFailure(error: unknown): Failure {
  const {
    code = '',
    name,
    syscall = 'connect',
  } = error as { code?: string; name?: string; syscall?: string };
  if (name === 'TimeoutError') return 'late';
  const kind = FAILURES[code] ?? 'broken';
  // On a connection that stood already, the request may have arrived.
  return kind === 'unreachable' && syscall !== 'connect' ? 'closed' : kind;
}
