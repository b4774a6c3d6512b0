export const DEFAULT_LIMITS = {
  /** Time limit of a query in a child process. */
  timeoutMs: 10_000,
  /** Wall-clock limit of a plan of several calls; Infinity if no client waits. */
  planMs: 60_000,
  /** An endpoint slower than this on the main thread moves to the child processes. */
  quickMs: 50,
  maxRows: 100_000,
  /** Bytes of rows per answer. */
  maxBytes: 8 * 1024 * 1024,
  /** Bytes of path and query string. */
  maxUrlBytes: 16 * 1024,
  /** Bytes of all header fields, including the request line. */
  maxHeaderBytes: 32 * 1024,
  maxBodyBytes: 1024 * 1024,
  /** Time for a request's head and body to arrive; then it gets an error, and its connection ends. */
  arrivalMs: 10_000,
};
export type Limits = Readonly<typeof DEFAULT_LIMITS>;
