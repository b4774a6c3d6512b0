import { z } from 'zod';

/**
 * A zod schema as JSON Schema. JSON has numbers only, so where a schema takes a number or a bigint, the JSON Schema
 * says number.
 */
export function toJsonSchema(schema: z.ZodType, params: { io?: 'input' | 'output' } = {}) {
  return z.toJSONSchema(schema, {
    ...params,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type !== 'union' || jsonSchema.anyOf === undefined) return;
      const options = (def as z.core.$ZodUnionDef).options;
      jsonSchema.anyOf = jsonSchema.anyOf.filter((_, i) => options[i]?._zod.def.type !== 'bigint');
    },
  });
}
