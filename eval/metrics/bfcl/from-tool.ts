import type { AgentCall } from '../../calls/agent-call.ts';
import { type PropertySchema, type ToolSchema, typesOf } from '../../calls/tool-universe.ts';
import type { Json } from '../../json/lossless.ts';
import { pythonEquals } from '../../json/python.ts';
import type { BfclAnswer, BfclFunction, BfclProperty } from './types.ts';

/**
 * A tool as a BFCL function: the root is a `dict`, `number` is `float`, `object` is `dict`, a type that may also be
 * null is the type, every parameter has a description.
 */
export function toBfclFunction(name: string, tool: ToolSchema): BfclFunction {
  const properties = Object.entries(tool.properties).map(([key, schema]) => [
    key,
    toBfclProperty(key, schema),
  ]);
  return {
    name,
    description: tool.description ?? name,
    parameters: { type: 'dict', properties: Object.fromEntries(properties), required: [...tool.required] },
  };
}

/** A gold call as a BFCL answer: each argument has one acceptable value; an optional one may be left at its default. */
export function toBfclAnswer({ name, arguments: args }: AgentCall, tool: ToolSchema): BfclAnswer {
  const parameters: Record<string, Json[]> = {};
  for (const [key, schema] of Object.entries(tool.properties)) {
    const isDefault = (value: Json) =>
      schema.default !== undefined && pythonEquals(value, schema.default as Json);
    const value = args[key];
    if (value !== undefined) parameters[key] = isDefault(value) ? [value, ''] : [value];
    else if (!tool.required.includes(key))
      parameters[key] = schema.default === undefined ? [''] : [schema.default as Json, ''];
  }
  return { name, parameters };
}

function toBfclProperty(name: string, schema: PropertySchema): BfclProperty {
  return {
    type: toBfclType(schema),
    description: schema.description || name,
    ...(schema.enum === undefined ? {} : { enum: schema.enum.filter((value) => value !== null) as Json[] }),
    ...(schema.default === undefined ? {} : { default: schema.default as Json }),
    ...(toBfclType(schema) === 'array' ? { items: { type: toBfclType(schema.items ?? {}) } } : {}),
  };
}

function toBfclType(schema: PropertySchema): string {
  const [type, ...others] = typesOf(schema).filter((name) => name !== 'null');
  if (type === undefined || others.length > 0) return 'any';
  return BFCL_TYPES.get(type) ?? type;
}

const BFCL_TYPES = new Map([
  ['number', 'float'],
  ['object', 'dict'],
]);
