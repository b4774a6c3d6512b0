import type { FastifyReply } from 'fastify';
import type { FieldError, Problem } from '../../../contracts/api.ts';
import { ERRORS, type HttpErrorCode } from '../../../contracts/errors.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { ArgumentError } from '../arguments.ts';

/** A response other than 2xx: thrown anywhere in a handler, sent as `application/problem+json`. */
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
    return ERRORS.http[this.code][0];
  }

  toProblem(): Problem {
    return {
      type: `urn:rookery:problem:${this.code.toLowerCase().replaceAll('_', '-')}`,
      title: ERRORS.http[this.code][1],
      status: this.status,
      detail: this.message,
      code: this.code,
      ...(this.errors.length > 0 ? { errors: [...this.errors] } : {}),
    };
  }
}

export function invalidFields(errors: readonly FieldError[]): HttpProblem {
  return new HttpProblem('INVALID_PARAMETERS', errors.map(({ message }) => message).join('; '), { errors });
}

export function invalidField(field: string, code: string, message: string, suggestions?: readonly string[]) {
  return invalidFields([{ field, code, message, suggestions: suggestions && [...suggestions] }]);
}

export function unknownName(
  code: HttpErrorCode,
  { missing, name, known, field, error = `unknown_${field}`, most = 80 }: UnknownName,
): HttpProblem {
  const suggestions = nearestNames(name, known);
  const shown = name.slice(0, most);
  return new HttpProblem(code, `${missing} ${shown}${didYouMean(suggestions)}`, {
    errors: field === undefined ? [] : [{ field, code: error, message: `unknown: ${shown}`, suggestions }],
  });
}

export function unknownTool(name: string, known: Iterable<string>): HttpProblem {
  return unknownName('UNKNOWN_TOOL', { missing: 'There is no tool', name, known, field: 'tool' });
}

export function unknownTable(db: string, name: string, known: Iterable<string>): HttpProblem {
  const missing = `${db} has no records of a table`;
  return unknownName('UNKNOWN_TABLE', { missing, name, known, field: 'table' });
}

export function requireMethod(given: string, ...allowed: readonly string[]): void {
  if (allowed.includes(given)) return;
  const allow = allowed.join(', ');
  const detail = `${given} is not possible here; use ${allow}`;
  throw new HttpProblem('METHOD_NOT_ALLOWED', detail, { headers: { allow } });
}

export function unknownDomain(name: string, known: Iterable<string>, most?: number): HttpProblem {
  const error = { field: 'db', error: 'unknown_domain' };
  return unknownName('UNKNOWN_DOMAIN', { missing: 'There is no domain', name, known, ...error, most });
}

interface UnknownName {
  /** For example `There is no tool`. */
  readonly missing: string;
  readonly name: string;
  readonly known: Iterable<string>;
  /** Without it the problem has no field errors. */
  readonly field?: string;
  readonly error?: string;
  /** Maximum characters of the name to echo. */
  readonly most?: number;
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export function sendProblem(reply: FastifyReply, problem: HttpProblem): FastifyReply {
  return reply
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', ...problem.headers, 'content-type': PROBLEM_TYPE })
    .send(JSON.stringify(problem.toProblem()));
}

/** Converts an ArgumentError to a problem; returns other errors unchanged. */
export function argumentProblem(error: unknown): unknown {
  return error instanceof ArgumentError ? problemOfArguments(error) : error;
}

/** UNKNOWN_HANDLE if that is the only error, else INVALID_PARAMETERS. */
export function problemOfArguments(error: ArgumentError): HttpProblem {
  const { errors } = error;
  const code = errors.every((each) => each.code === 'unknown_handle')
    ? 'UNKNOWN_HANDLE'
    : 'INVALID_PARAMETERS';
  return new HttpProblem(code, errors.map(({ message }) => message).join('; '), { errors, cause: error });
}

// Problems of a busy or broken server. Injected faults use the same texts, so that they look real.

export function tooManySlowQueries(retryAfterS = '1', cause?: unknown): HttpProblem {
  return new HttpProblem('OVERLOADED', 'Too many slow queries are waiting. Try again in a moment.', {
    headers: { 'retry-after': retryAfterS },
    cause,
  });
}

export function tooManyRequests(aMinute: number, retryAfterS: number): HttpProblem {
  const detail = `${aMinute} requests a minute are possible; try again in ${retryAfterS} s.`;
  return new HttpProblem('RATE_LIMITED', detail);
}

export function internalProblem(requestId: string, cause?: unknown): HttpProblem {
  return new HttpProblem('INTERNAL', `The server's log has more under request id ${requestId}.`, { cause });
}

/** `who` is a capitalized subject: `The service of shop`. */
export function lateAnswer(who: string, cause?: unknown): HttpProblem {
  return new HttpProblem('GATEWAY_TIMEOUT', `${who} did not answer in time.`, { cause });
}

/** Rewords all human-readable texts of a problem, but not codes, types and titles. */
export function rewordProblem(problem: Problem, reword: (text: string) => string): Problem {
  const errors = problem.errors?.map(({ field, message, suggestions, ...rest }) => ({
    ...rest,
    field: reword(field),
    message: reword(message),
    ...(suggestions ? { suggestions: suggestions.map(reword) } : {}),
  }));
  return { ...problem, detail: reword(problem.detail), ...(errors ? { errors } : {}) };
}
