export interface Limits {
  /** Time limit of a query in a child process. */
  readonly timeoutMs: number;
  /** Wall-clock limit of a plan of several calls; Infinity if no client waits. */
  readonly planMs: number;
  /** An endpoint slower than this on the main thread moves to the child processes. */
  readonly quickMs: number;
  /** Rows per answer. */
  readonly maxRows: number;
  /** Bytes of rows per answer. */
  readonly maxBytes: number;
  /** Bytes of path and query string. */
  readonly maxUrlBytes: number;
  /** Bytes of all header fields, including the request line. */
  readonly maxHeaderBytes: number;
  readonly maxBodyBytes: number;
  /** Time for a request's head and body to arrive; then it gets an error, and its connection ends. */
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

/** Server settings that drop incomplete requests. */
export function halfOpen(arrivalMs: number) {
  return {
    headersTimeout: arrivalMs,
    requestTimeout: arrivalMs,
    connectionsCheckingInterval: arrivalMs / 10,
  };
}
