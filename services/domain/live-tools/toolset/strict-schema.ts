import { OPENAI_STRICT_LIMITS as LIMITS } from '../../../../contracts/provider-limits.ts';
import {
  describeMore,
  isMap,
  type JsonSchema,
  mapSchema,
  mapValues,
  type ObjectSchema,
} from './json-schema.ts';

/**
 * The schema in the form that OpenAI's strict mode wants: every property is required, one that may be left out
 * takes null instead (which the service reads as left out), and no keyword but types, enums, unions and
 * descriptions. null when that mode's published limits do not allow it.
 */
export function strictSchema(schema: ObjectSchema): ObjectSchema | null {
  const strict = mapSchema(schema, (each) => {
    const {
      default: usual,
      minimum: _min,
      maximum: _max,
      minItems: _least,
      maxItems: _most,
      pattern: _pattern,
      ...kept
    } = each;
    const told =
      usual === undefined || isEmptyObject(usual)
        ? kept
        : describeMore(kept, ` (${JSON.stringify(usual)} unless given)`);
    if (!told.properties) return told;
    const { properties, required = [] } = told;
    return {
      ...told,
      properties: mapValues(properties, (property, name) =>
        required.includes(name) ? property : nullable(property),
      ),
      required: Object.keys(properties),
      additionalProperties: false,
    };
  }) as ObjectSchema;
  return fitsOpenaiStrict(strict) ? strict : null;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function nullable(schema: JsonSchema): JsonSchema {
  if (schema.anyOf) {
    if (schema.anyOf.some(({ type }) => type === 'null' || (Array.isArray(type) && type.includes('null'))))
      return schema;
    return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  }
  const types = [schema.type ?? []].flat();
  if (types.includes('null')) return schema;
  return { ...schema, type: [...types, 'null'], ...(schema.enum ? { enum: [...schema.enum, null] } : {}) };
}

function fitsOpenaiStrict(schema: ObjectSchema): boolean {
  let properties = 0;
  let values = 0;
  let characters = 0;
  let longEnums = false;
  let maps = false;
  mapSchema(schema, (each) => {
    const names = Object.keys(each.properties ?? {});
    const length = (each.enum ?? []).reduce<number>((sum, value) => sum + String(value).length, 0);
    properties += names.length;
    values += each.enum?.length ?? 0;
    characters += names.join('').length + length;
    maps ||= isMap(each.additionalProperties);
    longEnums ||= (each.enum?.length ?? 0) > LIMITS.enumValuesOfAnyLength && length > LIMITS.enumCharacters;
    return each;
  });
  const few =
    properties <= LIMITS.properties && values <= LIMITS.enumValues && characters <= LIMITS.characters;
  return few && !longEnums && !maps && levels(schema) <= LIMITS.levels;
}

function levels(schema: JsonSchema): number {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
  ];
  return Math.max(0, ...inner.map(levels)) + (schema.properties ? 1 : 0);
}
