import type { ObjectSchema } from '../live-tools/toolset/json-schema.ts';

/** The schema of the tool's answers; their columns depend on the call. */
export const QUERY_ANSWER_SCHEMA: ObjectSchema = {
  type: 'object',
  properties: {
    columns: {
      type: 'array',
      items: { type: 'string' },
      description: 'The keys of each row, in their order.',
    },
    data: {
      type: 'array',
      items: { type: 'object', additionalProperties: { type: ['string', 'number', 'null'] } },
      description: 'One object a row; empty when nothing fits.',
    },
    row_count: { type: 'integer', description: 'Number of rows in data.' },
    truncated: { type: 'boolean', description: 'True when there are more rows than an answer may hold.' },
  },
  required: ['columns', 'data', 'row_count', 'truncated'],
};
