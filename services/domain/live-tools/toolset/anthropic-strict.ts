import { ANTHROPIC_STRICT_LIMITS as LIMITS } from '../../../../contracts/provider-limits.ts';
import { isMap, type JsonSchema, mapSchema, type ObjectSchema } from './json-schema.ts';
import type { ToolSpec } from './tool-spec.ts';

/**
 * Tools as Anthropic's `tools` parameter takes them, with `strict`: true for all when the whole list keeps the limits of
 * that mode, which are of a request and not of a tool; else false for all, and the schemas are as they were.
 */
export function anthropicStrictTools(tools: readonly ToolSpec[]) {
  const schemas = tools.map(({ parameters }) => withoutBounds(parameters));
  const strict = fitsAnthropicStrict(schemas);
  return tools.map(({ name, description, parameters }, at) => ({
    name,
    description,
    strict,
    input_schema: strict ? (schemas[at] as ObjectSchema) : parameters,
  }));
}

/** Without the bounds that the mode does not take; it takes arguments that may be left out. */
function withoutBounds(schema: ObjectSchema): ObjectSchema {
  return mapSchema(
    schema,
    ({ minimum: _min, maximum: _max, minItems: _least, maxItems: _most, pattern: _pattern, ...kept }) => kept,
  ) as ObjectSchema;
}

function fitsAnthropicStrict(schemas: readonly ObjectSchema[]): boolean {
  let optional = 0;
  let unions = 0;
  let maps = 0;
  for (const schema of schemas) {
    mapSchema(schema, (each) => {
      optional +=
        Object.keys(each.properties ?? {}).length - (each.properties ? (each.required?.length ?? 0) : 0);
      if (isUnion(each)) unions++;
      if (isMap(each.additionalProperties)) maps++;
      return each;
    });
  }
  return (
    schemas.length <= LIMITS.tools &&
    optional <= LIMITS.optionalParameters &&
    unions <= LIMITS.unionParameters &&
    maps === 0
  );
}

function isUnion({ anyOf, type }: JsonSchema): boolean {
  return anyOf !== undefined || Array.isArray(type);
}
