import { z } from 'zod';
import { problem } from '../../../../../contracts/problem.ts';
import type { JsonSchema, OpenapiHeader, OpenapiResponse } from './document.ts';

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

/** The responses other than rows that every endpoint may give. */
export const PROBLEMS: Readonly<Record<string, OpenapiResponse>> = {
  NotModified: {
    description: 'The answer that the client has, by its ETag, is still right.',
    headers: { ETag: { $ref: '#/components/headers/ETag' } },
  },
  BadRequest: {
    description: 'A parameter is missing, unknown, given twice, of the wrong type or out of range.',
    content: PROBLEM,
  },
  NotFound: { description: 'There is no such domain or endpoint.', content: PROBLEM },
  UriTooLong: { description: 'The address is longer than the server reads.', content: PROBLEM },
  NotComputable: {
    description: 'The query cannot be computed for these values, or its answer is too large.',
    content: PROBLEM,
  },
  InternalError: { description: 'Something is wrong with the server.', content: PROBLEM },
  Overloaded: { description: 'Too many slow queries at once; try again later.', content: PROBLEM },
  Timeout: { description: 'The query ran longer than the limit.', content: PROBLEM },
};

export const HEADERS: Readonly<Record<string, OpenapiHeader>> = {
  ETag: {
    description: 'Names this answer; send it as If-None-Match to be told when nothing has changed.',
    schema: { type: 'string' },
  },
};

/** The schemas that responses refer to, taken from the contracts. */
export function problemSchemas(): Readonly<Record<string, JsonSchema>> {
  const { $schema: _, ...schema } = z.toJSONSchema(problem, { target: 'draft-2020-12', io: 'output' });
  return {
    Problem: {
      ...(schema as JsonSchema),
      description: 'What went wrong (RFC 9457), with one entry in errors for each field at fault.',
    },
  };
}
