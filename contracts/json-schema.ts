import { z } from 'zod';

/**
 * How a zod schema is written as JSON Schema. JSON has numbers only, so where a schema takes a number or a bigint, the
 * JSON Schema says number. A tuple is an array of its length, since hardly any tool's schema language knows more.
 */
export const JSON_SCHEMA_FORM = {
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    const { def } = zodSchema._zod;
    if (def.type === 'tuple') asArray(jsonSchema);
    if (def.type !== 'union' || jsonSchema.anyOf === undefined) return;
    const options = (def as z.core.$ZodUnionDef).options;
    const known = jsonSchema.anyOf.filter((_, i) => options[i]?._zod.def.type !== 'bigint');
    // What has no form in JSON Schema, as a text that stands for another value, would allow anything.
    const told = known.filter((each) => Object.keys(each).length > 0);
    jsonSchema.anyOf = told.length > 0 ? told : known;
  },
} as const satisfies z.core.ToJSONSchemaParams;

/** A zod schema as JSON Schema, in that form. */
export function toJsonSchema(schema: z.ZodType, params: { io?: 'input' | 'output' } = {}) {
  return z.toJSONSchema(schema, { ...params, ...JSON_SCHEMA_FORM });
}

/** `[a, b]` as two items that are each one of the types of either. */
function asArray(schema: z.core.JSONSchema.BaseSchema): void {
  const items = schema.prefixItems ?? [];
  const types = [...new Set(items.flatMap((item) => (typeof item === 'object' ? (item.type ?? []) : [])))];
  const [only] = types;
  delete schema.prefixItems;
  Object.assign(schema, {
    items: types.length === 1 ? { type: only } : { anyOf: items },
    minItems: items.length,
    maxItems: items.length,
  });
}
