import { type JsonSchema, mapValues, type ObjectSchema } from './json-schema.ts';

/** A schema as Gemini's API takes it: a part of OpenAPI 3.0's, with its own names of types. */
export interface GeminiSchema {
  readonly type?: 'STRING' | 'NUMBER' | 'INTEGER' | 'BOOLEAN' | 'ARRAY' | 'OBJECT';
  readonly description?: string;
  readonly nullable?: true;
  readonly format?: 'enum';
  /** Texts only. */
  readonly enum?: readonly string[];
  readonly items?: GeminiSchema;
  /** Numbers of 64 bits are texts in Google's JSON. */
  readonly minItems?: string;
  readonly maxItems?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, GeminiSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly GeminiSchema[];
}

/** The arguments of a tool; undefined for one that takes none, since an object without properties is refused. */
export function geminiParameters(schema: ObjectSchema): GeminiSchema | undefined {
  return Object.keys(schema.properties).length === 0 ? undefined : geminiSchema(schema);
}

/**
 * The schema without what Gemini does not know: several types are `anyOf`, null among them is `nullable`, and objects are
 * neither closed nor maps (their keys are told by the description).
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
    type: TYPES[String(only.type)] ?? 'STRING',
    ...shared,
    ...textEnum(schema),
    ...bounds(schema),
    ...(items ? { items: geminiSchema(items) } : {}),
    ...(properties
      ? { properties: mapValues(properties, geminiSchema), ...(required.length > 0 ? { required } : {}) }
      : {}),
  };
}

/** `{type: [a, b]}` as two. */
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

const TYPES: Readonly<Record<string, GeminiSchema['type']>> = {
  string: 'STRING',
  number: 'NUMBER',
  integer: 'INTEGER',
  boolean: 'BOOLEAN',
  array: 'ARRAY',
  object: 'OBJECT',
};
