import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpErrorCode } from '../../../contracts/errors.ts';
import { internalProblem } from './busy-problems.ts';
import { HttpProblem, sendProblem } from './problem.ts';

/** What fastify itself refuses, by its code. */
const FASTIFY_CODES: Readonly<Record<string, HttpErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'REQUEST_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
};

/** Turns whatever was thrown into a problem; the inside of an unexpected error goes to the log only. */
export function handleError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  const problem = toProblem(error, request.id);
  if (problem.code === 'INTERNAL') {
    request.log.error({ err: error, request_id: request.id, url: request.raw.url }, 'a request failed');
  }
  return sendProblem(reply, problem);
}

function toProblem(error: FastifyError | Error, requestId: string): HttpProblem {
  if (error instanceof HttpProblem) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = FASTIFY_CODES[code ?? ''];
  if (known) return new HttpProblem(known, error.message, { cause: error });
  // Only fastify sets a status: malformed JSON, a content length that does not fit, …
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new HttpProblem('BAD_REQUEST', error.message, { cause: error });
  }
  return internalProblem(requestId, error);
}
