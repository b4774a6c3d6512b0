import {
  ANTHROPIC_STRICT_LIMITS,
  OPENAI_STRICT_LIMITS as LIMITS,
} from '../../../contracts/toolset-options.ts';
import { mapValues } from '../../base/arguments.ts';
import {
  describeMore,
  isMap,
  type JsonSchema,
  mapSchema,
  type ObjectSchema,
  type ToolSpec,
} from './tool-spec.ts';

/** Tools for OpenAI's `tools` parameter, strict where possible. */
export function openaiTools(tools: readonly ToolSpec[]) {
  return tools.map(({ name, description, parameters, annotations }) => {
    // In what is written, null is a value, and not the same as absent.
    const saysNull = annotations?.readOnlyHint === false && hasOptional(parameters);
    const strict = saysNull ? null : strictSchema(parameters);
    return {
      type: 'function' as const,
      function: { name, description, parameters: strict ?? parameters, strict: strict !== null },
    };
  });
}

function hasOptional({ properties, required }: ObjectSchema): boolean {
  return Object.keys(properties).length > required.length;
}

export function anthropicTools(tools: readonly ToolSpec[]) {
  return tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
}

export function geminiTools(tools: readonly ToolSpec[]) {
  return tools.map(({ name, description, parameters }) => {
    // Gemini rejects an object without properties.
    const taken = Object.keys(parameters.properties).length === 0 ? undefined : geminiSchema(parameters);
    return { name, description, ...(taken ? { parameters: { ...taken } } : {}) };
  });
}

/** Tools as an MCP server lists them. `answerOf` returns the schema of a tool's structured content. */
export function mcpTools(tools: readonly ToolSpec[], answerOf: (name: string) => ObjectSchema) {
  return tools.map(({ name, description, parameters }) => ({
    name,
    description,
    inputSchema: parameters,
    outputSchema: answerOf(name),
  }));
}

/**
 * The schema in OpenAI's strict form: every property is required, optional ones accept null (which the service reads as
 * absent), and the only keywords are types, enums, unions and descriptions. null if it exceeds that mode's published
 * limits.
 */
export function strictSchema(schema: ObjectSchema): ObjectSchema | null {
  const strict = mapSchema(schema, (each) => {
    const { default: usual, ...kept } = withoutBounds(each);
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

/**
 * Tools for Anthropic's `tools` parameter. `strict` is true for all if the whole list keeps that mode's limits, which
 * apply per request; otherwise it is false for all, with unchanged schemas.
 */
export function anthropicStrictTools(tools: readonly ToolSpec[]) {
  const schemas = tools.map(({ parameters }) => mapSchema(parameters, withoutBounds) as ObjectSchema);
  const strict = fitsAnthropicStrict(schemas);
  return tools.map(({ name, description, parameters }, at) => ({
    name,
    description,
    strict,
    input_schema: strict ? (schemas[at] as ObjectSchema) : parameters,
  }));
}

/** A schema without the bounds that strict modes do not support. */
function withoutBounds(schema: JsonSchema): JsonSchema {
  const {
    minimum: _min,
    maximum: _max,
    minItems: _least,
    maxItems: _most,
    pattern: _pattern,
    ...kept
  } = schema;
  return kept;
}

function fitsAnthropicStrict(schemas: readonly ObjectSchema[]): boolean {
  let optional = 0;
  let unions = 0;
  let maps = 0;
  for (const schema of schemas) {
    mapSchema(schema, (each) => {
      optional +=
        Object.keys(each.properties ?? {}).length - (each.properties ? (each.required?.length ?? 0) : 0);
      if (each.anyOf !== undefined || Array.isArray(each.type)) unions++;
      if (isMap(each.additionalProperties)) maps++;
      return each;
    });
  }
  return (
    schemas.length <= ANTHROPIC_STRICT_LIMITS.tools &&
    optional <= ANTHROPIC_STRICT_LIMITS.optionalParameters &&
    unions <= ANTHROPIC_STRICT_LIMITS.unionParameters &&
    maps === 0
  );
}

/** A schema of Gemini's API: a subset of OpenAPI 3.0 with its own type names. */
export interface GeminiSchema {
  readonly type?: 'STRING' | 'NUMBER' | 'INTEGER' | 'BOOLEAN' | 'ARRAY' | 'OBJECT';
  readonly description?: string;
  readonly nullable?: true;
  readonly format?: 'enum';
  readonly enum?: readonly string[];
  readonly items?: GeminiSchema;
  /** Google's JSON writes 64-bit integers as strings. */
  readonly minItems?: string;
  readonly maxItems?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, GeminiSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly GeminiSchema[];
}

/**
 * The schema without keywords that Gemini lacks: several types become `anyOf`, a null type becomes `nullable`, and
 * objects are neither closed nor maps (their description explains the keys).
 */
export function geminiSchema(schema: JsonSchema): GeminiSchema {
  const { description, ...rest } = schema;
  const { type, anyOf = [], items, properties, required = [] } = rest;
  const types = [type ?? []].flat();
  const alternatives = anyOf.flatMap(unfold);
  const isNullable = [...types, ...alternatives.map((each) => each.type)].includes('null');
  const shared = {
    ...(description === undefined ? {} : { description }),
    ...(isNullable ? { nullable: true as const } : {}),
  };
  const others = [...types.map((each): JsonSchema => ({ ...rest, type: each })), ...alternatives].filter(
    (each) => each.type !== 'null',
  );
  const [only, ...more] = others;
  if (more.length > 0) return { ...shared, anyOf: others.map(geminiSchema) };
  if (only === undefined) return shared;
  if (anyOf.length > 0) return { ...geminiSchema(only), ...shared };
  return {
    type: String(only.type ?? 'string').toUpperCase() as NonNullable<GeminiSchema['type']>,
    ...shared,
    ...textEnum(schema),
    ...bounds(schema),
    ...(items ? { items: geminiSchema(items) } : {}),
    ...(properties
      ? { properties: mapValues(properties, geminiSchema), ...(required.length > 0 ? { required } : {}) }
      : {}),
  };
}

function unfold(schema: JsonSchema): JsonSchema[] {
  return Array.isArray(schema.type)
    ? schema.type.map((type: string): JsonSchema => ({ ...schema, type }))
    : [schema];
}

function textEnum({ enum: values }: JsonSchema): Pick<GeminiSchema, 'format' | 'enum'> {
  const texts = (values ?? []).filter((value) => typeof value === 'string');
  return texts.length > 0 ? { format: 'enum', enum: texts } : {};
}

function bounds(schema: JsonSchema) {
  const { minItems, maxItems, minimum, maximum } = schema;
  return {
    ...(typeof minItems === 'number' ? { minItems: String(minItems) } : {}),
    ...(typeof maxItems === 'number' ? { maxItems: String(maxItems) } : {}),
    ...(typeof minimum === 'number' ? { minimum } : {}),
    ...(typeof maximum === 'number' ? { maximum } : {}),
  };
}
