import { z } from 'zod';
import { ERRORS, type HttpErrorCode } from '../../../../../contracts/errors.ts';
import { problem } from '../../../../../contracts/problem.ts';
import type { JsonSchema, OpenapiHeader, OpenapiResponse } from './document.ts';

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

/** What an endpoint may answer instead of rows, besides 400. */
const OTHER_CODES = [
  'UNKNOWN_DOMAIN',
  'UNKNOWN_ENDPOINT',
  'URI_TOO_LONG',
  'QUERY_FAILED',
  'ANSWER_TOO_LARGE',
  'INTERNAL',
  'OVERLOADED',
  'QUERY_TIMEOUT',
] as const satisfies readonly HttpErrorCode[];

/**
 * The responses other than rows that every endpoint may give. Statuses are not written as ranges (`4XX`): some generators
 * of clients take them for numbers.
 */
export const PROBLEMS: Readonly<Record<string, OpenapiResponse>> = {
  NotModified: {
    description: 'The answer that the client has, by its ETag, is still right.',
    headers: { ETag: { $ref: '#/components/headers/ETag' } },
  },
  BadRequest: {
    description: 'A parameter is missing, unknown, given twice, of the wrong type or out of range.',
    content: PROBLEM,
  },
  Problem: {
    description: `There is no answer. ${OTHER_CODES.map((code) => `${ERRORS[code].status} ${code}: ${ERRORS[code].title}.`).join(' ')}`,
    content: PROBLEM,
  },
};

export const HEADERS: Readonly<Record<string, OpenapiHeader>> = {
  ETag: {
    description: 'Names this answer; send it as If-None-Match to be told when nothing has changed.',
    schema: { type: 'string' },
  },
};

/** The schemas that all responses refer to. */
export function commonSchemas(): Readonly<Record<string, JsonSchema>> {
  const { $schema: _, ...schema } = z.toJSONSchema(problem, { target: 'draft-2020-12', io: 'output' });
  return {
    RowCount: { type: 'integer', minimum: 0, description: 'Number of rows in data.' },
    Truncated: { type: 'boolean', description: 'True when there are more rows than an answer may hold.' },
    Problem: {
      ...(schema as JsonSchema),
      description: 'What went wrong (RFC 9457), with one entry in errors for each field at fault.',
    },
  };
}
