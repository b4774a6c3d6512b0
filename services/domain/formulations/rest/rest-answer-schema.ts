import type { Endpoint } from '../../../../contracts/service.ts';
import type { ObjectSchema } from '../../live-tools/toolset/json-schema.ts';

/** The schema of a REST endpoint's answers: the shape that all have, with the names and types of its own columns. */
export function restAnswerSchema({ columns }: Endpoint): ObjectSchema {
  return {
    type: 'object',
    properties: {
      data: {
        type: 'array',
        items: {
          type: 'object',
          properties: Object.fromEntries(
            columns.map(({ name, type, nullable }) => [
              name,
              type === 'any' ? {} : { type: nullable ? [type, 'null'] : type },
            ]),
          ),
          required: columns.map(({ name }) => name),
        },
      },
      row_count: { type: 'integer' },
      truncated: { type: 'boolean' },
    },
    required: ['data', 'row_count', 'truncated'],
  };
}
