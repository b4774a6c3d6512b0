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
};

/** Of every server, in milliseconds: a request whose head or body is not there by then is answered, and its connection ended. */
export const HALF_OPEN = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
} as const;
