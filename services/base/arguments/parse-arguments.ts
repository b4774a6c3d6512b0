import type { z } from 'zod';
import type { FieldError } from '../../../contracts/problem.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { ArgumentError } from './argument-error.ts';
import { dropNulls } from './drop-nulls.ts';

/**
 * Arguments checked against a schema. null for an optional argument that cannot be null counts as left out: strict
 * tool calling knows no other way. Throws ArgumentError with one entry a field: missing, unknown, wrong type, not one of.
 */
export function parseArguments<Schema extends z.ZodObject>(
  schema: Schema,
  given: unknown,
  prefix = '',
): z.output<Schema> {
  const value = dropNulls(schema, given ?? {});
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const names = Object.keys(schema.shape);
  throw new ArgumentError(result.error.issues.flatMap((issue) => fieldErrors(issue, value, names, prefix)));
}

function fieldErrors(
  issue: z.core.$ZodIssue,
  value: unknown,
  names: readonly string[],
  prefix: string,
): FieldError[] {
  const field = prefix + issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const suggestions = nearestNames(key, names);
      const message = `there is no argument ${key.slice(0, 64)}${didYouMean(suggestions)}`;
      return {
        field: field + (field === prefix ? '' : '.') + key.slice(0, 64),
        code: 'unknown_parameter',
        message,
        suggestions,
      };
    });
  }
  const at = issue.path.reduce<unknown>(
    (inner, part) => (inner as Record<PropertyKey, unknown> | undefined)?.[part],
    value,
  );
  if (at === undefined) return [{ field, code: 'missing', message: `${field} is missing` }];
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map(String);
    // Not String(at): an object from outside may say what `toString` is.
    const suggestions = typeof at === 'object' ? [] : nearestNames(String(at), allowed);
    return [
      { field, code: 'not_one_of', message: `${field} must be one of ${allowed.join(', ')}`, suggestions },
    ];
  }
  return [{ field, code: 'wrong_type', message: `${field}: ${issue.message}` }];
}
