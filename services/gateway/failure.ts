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
};

/** The kind of what undici threw before any answer. */
export function kindOfFailure(error: unknown): Failure {
  const { code = '' } = error as { code?: string };
  return FAILURES[code] ?? 'broken';
}
