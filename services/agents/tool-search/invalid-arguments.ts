import type { z } from 'zod';
import { HttpProblem } from '../../base/http/problem.ts';

/** INVALID_PARAMETERS, with an entry for each argument at fault. */
export function invalidArguments({ issues }: z.ZodError): HttpProblem {
  const errors = issues.map(({ path, message }) => ({
    field: path.join('.') || 'body',
    code: 'invalid',
    message,
  }));
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new HttpProblem('INVALID_PARAMETERS', detail, { errors });
}
