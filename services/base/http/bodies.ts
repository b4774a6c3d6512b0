import type { FastifyInstance } from 'fastify';
import { HttpProblem } from './problem.ts';
import { limitJsonDepth } from './require-shallow.ts';

/** Bodies reach the routes of this scope as the texts that came, whatever type they claim to have, unless nested too deeply. */
export function textBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      limitJsonDepth(String(body));
      done(null, body);
    } catch (error) {
      done(error as Error);
    }
  });
}

/**
 * Bodies are read as JSON in this scope, whatever type they claim to have; no body is an empty object. `read` is told
 * the text, and may throw SyntaxError.
 */
export function jsonBodies(scope: FastifyInstance, read: (text: string) => unknown = JSON.parse): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      limitJsonDepth(String(body));
      done(null, read(body === '' ? '{}' : String(body)));
    } catch (error) {
      if (error instanceof HttpProblem) return done(error);
      done(new HttpProblem('BAD_REQUEST', `The body is not JSON: ${(error as Error).message}`));
    }
  });
}
