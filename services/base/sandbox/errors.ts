/** A child ran longer than the limit of its request and was killed. */
export class TimeoutError extends Error {
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`stopped after ${limitMs} ms`);
    this.name = 'TimeoutError';
    this.limitMs = limitMs;
  }
}

/** The pool's queue is full; nothing was started. */
export class OverloadedError extends Error {
  constructor(waiting: number) {
    super(`${waiting} requests are waiting already`);
    this.name = 'OverloadedError';
  }
}

/** A child ended before it answered. */
export class ChildCrashedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ChildCrashedError';
  }
}

/** A child ended before it could take a request, or was not ready in time. */
export class ChildNotStartedError extends Error {
  constructor(cause: ChildCrashedError) {
    super(`no child process could be started: ${cause.message}`, { cause });
    this.name = 'ChildNotStartedError';
  }
}

/** The client hung up before the reply. */
export class AbandonedError extends Error {
  constructor() {
    super('whoever asked has gone');
    this.name = 'AbandonedError';
  }
}

/** The pool was closed before the request was answered. */
export class PoolClosedError extends Error {
  constructor() {
    super('the pool is closed');
    this.name = 'PoolClosedError';
  }
}
