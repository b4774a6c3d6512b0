import { toJsonSchema } from '../../../../contracts/json-schema.ts';
import type { StartTable } from '../../../../contracts/start-table.ts';
import type { ToolDefinition } from '../../tools/arguments/tool-definition.ts';
import {
  describeMore,
  isMap,
  type JsonSchema,
  mapSchema,
  mapValues,
  type ObjectSchema,
} from './json-schema.ts';
import type { OfferedColumn } from './offered-columns.ts';

export interface Offer {
  readonly startTables: readonly StartTable[];
  readonly columns: readonly OfferedColumn[];
  /** Whether arguments that name a column are one of the columns. */
  readonly nameColumns: boolean;
  /** Whether they also describe the columns. */
  readonly describeColumns: boolean;
}

/** A tool's arguments as JSON Schema, naming the start tables and columns on offer. */
export function argumentsSchema(tool: ToolDefinition, offer: Offer): ObjectSchema {
  const whole = schemaOf(tool);
  const properties = mapValues(whole.properties ?? {}, (property) => withOffer(property, offer));
  const clean = mapSchema({ ...whole, properties }, (schema) =>
    simplify(withoutMarks(tool.withoutRows ? withoutColumns(schema) : schema)),
  );
  return { required: [], ...clean } as ObjectSchema;
}

const schemas = new WeakMap<ToolDefinition, JsonSchema>();

/** A tool's own schema, which takes longer to make than all that is done to it after. */
function schemaOf(tool: ToolDefinition): JsonSchema {
  const known = schemas.get(tool);
  if (known) return known;
  const { $schema: _dialect, ...schema } = toJsonSchema(tool.args, { io: 'input' }) as JsonSchema;
  schemas.set(tool, schema);
  return schema;
}

/** A value where no column can stand. */
function withoutColumns(schema: JsonSchema): JsonSchema {
  const isColumn = ({ properties = {} }: JsonSchema) => Object.keys(properties).join() === 'key_name';
  return schema.anyOf ? { ...schema, anyOf: schema.anyOf.filter((each) => !isColumn(each)) } : schema;
}

/** Enums go to the arguments themselves; a column named deeper inside stays open, or the schema would be mostly names. */
function withOffer(property: JsonSchema, offer: Offer): JsonSchema {
  if (property['x-handle'] === true) return withStartTables(property, offer.startTables);
  const marked = [
    property,
    ...(property.anyOf ?? []),
    ...(property.anyOf ?? []).flatMap(({ items }): JsonSchema[] => (items ? [items] : [])),
  ];
  if (offer.columns.length === 0 || !marked.some((schema) => schema['x-key-name'] === true)) return property;
  const keys = offer.columns.map(({ key }) => key);
  const named = offer.nameColumns
    ? mapSchema(property, (schema) => (schema['x-key-name'] === true ? oneOf(schema, keys) : schema))
    : property;
  if (!offer.describeColumns) return named;
  const lines = offer.columns.map(
    ({ key, type, description }) => `\n- ${key} (${type})${description ? `: ${description}` : ''}`,
  );
  return describeMore(named, `. Columns of the start table:${lines.join('')}`);
}

/** A column of the start table, or one that an earlier call has made. */
function oneOf(schema: JsonSchema, keys: readonly string[]): JsonSchema {
  const { type: _string, ...rest } = schema;
  const all = schema['x-all-rows'] === true ? ['*', ...keys] : keys;
  return {
    ...rest,
    anyOf: [
      { type: 'string', enum: all },
      { type: 'string', description: 'one made by a call' },
    ],
  };
}

function withStartTables(property: JsonSchema, startTables: readonly StartTable[]): JsonSchema {
  const handles = startTables.map(({ handle }) => `"${handle}"`);
  if (handles.length === 0) return describeMore(property, ': a start table or an earlier result');
  return describeMore(property, `: ${handles.join(', ')} or an earlier result`);
}

function withoutMarks(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !name.startsWith('x-')));
}

/**
 * Unions of unions become one, plain types in a union one list of types; bounds without effect are left out, and objects
 * that are no maps are closed.
 */
export function simplify(schema: JsonSchema): JsonSchema {
  const { anyOf, maximum, additionalProperties, propertyNames: _texts, ...rest } = schema;
  const bounded = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? rest : { ...rest, maximum };
  const closed =
    additionalProperties === undefined
      ? bounded
      : { ...bounded, additionalProperties: isMap(additionalProperties) ? additionalProperties : false };
  if (!anyOf) return closed;
  const flat = anyOf.flatMap((each) => (isBareUnion(each) ? (each.anyOf ?? []) : [each])).flatMap(splitTypes);
  const types = [...new Set(flat.flatMap((each) => (isPlain(each) ? [each.type] : [])))] as string[];
  const others = flat.filter((each) => !isPlain(each));
  const plain: JsonSchema[] =
    types.length === 0 ? [] : [{ type: types.length === 1 ? types[0] : types } as JsonSchema];
  const all = [...plain, ...others];
  return all.length === 1 ? { ...closed, ...all[0] } : { ...closed, anyOf: all };
}

const isPlain = (schema: JsonSchema): boolean =>
  typeof schema.type === 'string' && Object.keys(schema).length === 1;
const isBareUnion = (schema: JsonSchema): boolean =>
  schema.anyOf !== undefined && Object.keys(schema).length === 1;

/** `{type: [a, b]}` as two. */
function splitTypes(schema: JsonSchema): JsonSchema[] {
  return Array.isArray(schema.type) && Object.keys(schema).length === 1
    ? schema.type.map((type: string) => ({ type }))
    : [schema];
}
