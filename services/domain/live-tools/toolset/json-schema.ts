/** A JSON Schema as far as tools use it: types, enums, objects, arrays, unions. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/** An object with named properties. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** A copy in which `change` has been applied to every schema, the inner ones first. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, anyOf, additionalProperties } = schema;
  const inner = (each: JsonSchema) => mapSchema(each, change);
  return change({
    ...schema,
    ...(properties ? { properties: mapValues(properties, inner) } : {}),
    ...(items ? { items: inner(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(inner) } : {}),
    ...(isMap(additionalProperties) ? { additionalProperties: inner(additionalProperties) } : {}),
  });
}

/** Whether additional properties are described, so that the object is a map. */
export function isMap(additional: JsonSchema['additionalProperties']): additional is JsonSchema {
  return typeof additional === 'object' && Object.keys(additional).length > 0;
}

/** The record with every value changed. */
export function mapValues<T, U>(
  record: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

/** The schema with more in its description. */
export function describeMore(schema: JsonSchema, more: string): JsonSchema {
  return { ...schema, description: schema.description === undefined ? more : `${schema.description}${more}` };
}
