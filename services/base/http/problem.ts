import type { FastifyReply } from 'fastify';
import { ERRORS, type HttpErrorCode } from '../../../contracts/errors.ts';
import type { FieldError, Problem } from '../../../contracts/problem.ts';

/** An answer other than 2xx: thrown anywhere in a handler, sent as `application/problem+json`. */
export class HttpProblem extends Error {
  readonly code: HttpErrorCode;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: HttpErrorCode,
    detail: string,
    more: { errors?: readonly FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause });
    this.name = 'HttpProblem';
    this.code = code;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** The body of the answer. */
  toProblem(): Problem {
    return {
      type: `urn:rookery:problem:${this.code.toLowerCase().replaceAll('_', '-')}`,
      title: ERRORS[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      ...(this.errors.length > 0 ? { errors: [...this.errors] } : {}),
    };
  }
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Answers with a problem. */
export function sendProblem(reply: FastifyReply, problem: HttpProblem): FastifyReply {
  return reply
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', ...problem.headers, 'content-type': PROBLEM_TYPE })
    .send(JSON.stringify(problem.toProblem()));
}
