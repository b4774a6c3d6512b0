import { z } from 'zod';

/**
 * A copy of an object without the nulls that stand for "left out": those of fields that are optional and cannot be
 * null. Strict tool calling requires every argument and knows no other way to leave one out.
 */
export function dropNulls(schema: z.ZodObject, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
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
