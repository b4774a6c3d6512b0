/** The limits of every request. */
export interface Limits {
  /** A query in a child process is stopped after this long. */
  readonly timeoutMs: number;
  /** A plan of several calls is stopped after this long by the clock; Infinity where nobody waits. */
  readonly planMs: number;
  /** An endpoint seen to take longer than this on the main thread is moved to the child processes. */
  readonly quickMs: number;
  /** Rows in one answer. */
  readonly maxRows: number;
  /** Bytes of rows in one answer. */
  readonly maxBytes: number;
  /** Bytes of path and query string. */
  readonly maxUrlBytes: number;
  /** Bytes of all header fields, the request line included. */
  readonly maxHeaderBytes: number;
  readonly maxBodyBytes: number;
  /** A request whose head or body is not there after this long is answered, and its connection ended. */
  readonly arrivalMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  timeoutMs: 10_000,
  planMs: 60_000,
  quickMs: 50,
  maxRows: 100_000,
  maxBytes: 8 * 1024 * 1024,
  maxUrlBytes: 16 * 1024,
  maxHeaderBytes: 32 * 1024,
  maxBodyBytes: 1024 * 1024,
  arrivalMs: 10_000,
};

/** The settings of a server for requests that do not arrive. */
export function halfOpen(arrivalMs: number) {
  return {
    headersTimeout: arrivalMs,
    requestTimeout: arrivalMs,
    connectionsCheckingInterval: arrivalMs / 10,
  };
}
