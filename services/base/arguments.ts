import { z } from 'zod';
import type { FieldError } from '../../contracts/api.ts';
import { didYouMean, nearestNames } from '../../contracts/wording.ts';

export class ArgumentError extends Error {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(errors.map((error) => `${error.field}: ${error.message}`).join('; '));
    this.name = 'ArgumentError';
    this.errors = errors;
  }
}

export function unknownField(
  name: string,
  names: Iterable<string>,
  { what = 'parameter', parent = '', hint = '' } = {},
): FieldError {
  const suggestions = nearestNames(name, names);
  const shown = name.slice(0, 64);
  const message = `there is no ${what} ${shown}${didYouMean(suggestions)}${hint}`;
  return { field: parent + shown, code: 'unknown_parameter', message, suggestions };
}

export function fieldError(field: string, code: string, message: string, suggestions?: readonly string[]) {
  return new ArgumentError([
    { field, code, message, ...(suggestions ? { suggestions: [...suggestions] } : {}) },
  ]);
}

/**
 * Validates arguments against a schema. null counts as absent for an optional argument that cannot be null, since
 * strict tool calling has no other way to omit one. Throws ArgumentError with one entry per field: missing, unknown,
 * wrong type, invalid value.
 */
export function parseArguments<Schema extends z.ZodObject>(schema: Schema, given: unknown, prefix = '') {
  const value = dropNulls(schema, given ?? {});
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const names = Object.keys(schema.shape);
  throw new ArgumentError(result.error.issues.flatMap((issue) => fieldErrors(issue, value, names, prefix)));
}

function fieldErrors(issue: z.core.$ZodIssue, value: unknown, names: readonly string[], prefix: string) {
  const field = prefix + issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const parent = field + (field === prefix ? '' : '.');
    return issue.keys.map((key) => unknownField(key, names, { what: 'argument', parent }));
  }
  const at = issue.path.reduce<unknown>(
    (inner, part) => (inner as Record<PropertyKey, unknown> | undefined)?.[part],
    value,
  );
  if (at === undefined) return [{ field, code: 'missing', message: `${field} is missing` }];
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map(String);
    // Not String(at), since callers could control the `toString` of an object.
    const suggestions = typeof at === 'object' ? [] : nearestNames(String(at), allowed);
    return [
      { field, code: 'not_one_of', message: `${field} must be one of ${allowed.join(', ')}`, suggestions },
    ];
  }
  return [{ field, code: 'wrong_type', message: `${field}: ${issue.message}` }];
}

export function mapValues<T, U>(
  record: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A copy without the nulls of fields that are optional and not nullable, which stand for absent: strict tool calling
 * requires every argument.
 */
export function dropNulls(schema: z.ZodObject, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const field: z.core.$ZodType | undefined = Object.hasOwn(schema.shape, name)
        ? schema.shape[name]
        : undefined;
      if (!field) return [[name, item]];
      if (item === null) return isOptionalNotNull(field) ? [] : [[name, item]];
      const inner = unwrap(field);
      return [[name, inner instanceof z.ZodObject ? dropNulls(inner, item) : item]];
    }),
  );
}

function isOptionalNotNull(field: z.core.$ZodType): boolean {
  return z.safeParse(field, undefined).success && !z.safeParse(field, null).success;
}

function unwrap(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodDefault || field instanceof z.ZodOptional ? unwrap(field.unwrap()) : field;
}
