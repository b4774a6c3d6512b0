import { EXECUTE_SQL, RUN_SQL } from '../../../contracts/formulations/hybrid.ts';
import { SCALARS_BY_NAME } from '../../base/scalars/registry.ts';
import type { JsonSchema, ObjectSchema } from '../live-tools/toolset/json-schema.ts';

const ROWS: Readonly<Record<string, JsonSchema>> = {
  data: {
    type: 'array',
    items: { type: 'object', additionalProperties: { type: ['string', 'number', 'null'] } },
    description: 'One object a row; empty when nothing fits.',
  },
  row_count: { type: 'integer', description: 'Number of rows in data.' },
  truncated: { type: 'boolean', description: 'True when there are more rows than data has.' },
};

const COLUMNS: Readonly<Record<string, JsonSchema>> = {
  columns: { type: 'array', items: { type: 'string' }, description: 'The keys of each row, in their order.' },
};

const NEXT: Readonly<Record<string, JsonSchema>> = {
  next_offset: {
    type: ['integer', 'null'],
    description: 'Where the next page begins; null on the last one.',
  },
};

/** The schema of a tool's answers. */
export function hybridAnswerSchema(tool: string): ObjectSchema {
  if (tool === RUN_SQL)
    return object({
      ...COLUMNS,
      ...ROWS,
      executor: { type: 'string' },
      class: { type: 'string' },
      hidden: { type: 'array', items: { type: 'string' }, description: 'Tables behind APIs.' },
      plan: { type: 'array', items: { type: 'object' }, description: 'What was asked of which API.' },
      calls: { type: 'integer' },
      rows_moved: { type: 'integer' },
    });
  if (tool === EXECUTE_SQL) return object({ ...COLUMNS, ...ROWS, ...NEXT });
  if (SCALARS_BY_NAME.has(tool)) return object(ROWS);
  return object({
    ...ROWS,
    total: { type: 'integer', description: 'Number of rows on all pages.' },
    ...NEXT,
  });
}

function object(properties: Readonly<Record<string, JsonSchema>>): ObjectSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}
