import { z } from 'zod';
import { UserError } from '../../../contracts/errors.ts';

/** One record checked against its layout's schema. UserError names the record, the field and what it must be. */
export function parseRecord<T>(file: string, where: string, record: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(record, { reportInput: true });
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    const field = issue.path.join('.');
    if (field === '') return 'is not a JSON object';
    if (issue.input === undefined) return `field "${field}" is missing`;
    return `field "${field}": ${issue.message.toLowerCase()}`;
  });
  const fields = schema instanceof z.ZodObject ? `; fields: ${fieldList(schema)}` : '';
  throw new UserError('SPLIT_INVALID', file, `${where}: ${faults.join(', ')}${fields}`);
}

function fieldList(schema: z.ZodObject): string {
  return Object.entries(schema.shape)
    .map(([name, type]) => (z.safeParse(type as z.ZodType, undefined).success ? `${name} (optional)` : name))
    .join(', ');
}
