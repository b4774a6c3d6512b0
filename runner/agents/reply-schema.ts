import { z } from 'zod';
import { lastJson } from '../attempt/read-json.ts';
import type { ModelTool } from '../models/model.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A call in a reply that a schema holds to its shape. */
export interface HeldCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly label?: string;
}

/**
 * JSON Schema of a reply that is one object with calls of the tools, none or any number. `labelled`: later calls can
 * refer to earlier ones.
 */
export function callsSchema(tools: readonly ModelTool[], labelled: boolean): Schema {
  return object({ tool_calls: { type: 'array', items: callSchema(tools, 'name', labelled) } });
}

/** JSON Schema of one call of any of the tools; `named`: the field for the tool's name. */
export function callSchema(tools: readonly ModelTool[], named: string, labelled = false): Schema {
  const calls = tools.map(({ name, parameters }) =>
    object({
      [named]: { type: 'string', enum: [name] },
      arguments: strict(parameters),
      ...(labelled ? { label: orNull({ type: 'string' }) } : {}),
    }),
  );
  const [only] = calls;
  return calls.length === 1 && only !== undefined ? only : { anyOf: calls };
}

export function object(properties: Schema): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

export function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

/**
 * A schema within the limits of providers' strict modes: every property is required, optional ones are nullable,
 * others are forbidden. Descriptions are omitted, since the prompt has them.
 */
function strict(schema: unknown): Schema {
  if (!isObject(schema)) return {};
  const { properties, required, description: _, default: __, anyOf, items, ...others } = schema;
  if (isObject(properties)) {
    const needed = namesIn(required);
    return object(
      Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [
          name,
          needed.has(name) ? strict(inner) : orNull(strict(inner)),
        ]),
      ),
    );
  }
  return {
    ...others,
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(strict) } : {}),
    ...(items === undefined ? {} : { items: strict(items) }),
  };
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function namesIn(required: unknown): ReadonlySet<unknown> {
  return new Set(Array.isArray(required) ? required : []);
}

const reply = z.object({
  tool_calls: z.array(
    z.object({ name: z.string(), arguments: z.unknown(), label: z.string().nullish() }).strict(),
  ),
});

/** The calls of a reply in the shape of `callsSchema`; null if it has another. */
export function readCalls(text: string, tools: readonly ModelTool[]): HeldCall[] | null {
  const read = reply.safeParse(lastJson(text));
  if (!read.success) return null;
  return read.data.tool_calls.map(({ label, ...call }) => ({
    ...withoutUnused(call, tools),
    ...(label ? { label } : {}),
  }));
}

/** A call without those optional arguments that are null since the schema made them required. */
export function withoutUnused(call: Omit<HeldCall, 'label'>, tools: readonly ModelTool[]): HeldCall {
  const tool = tools.find(({ name }) => name === call.name);
  return { name: call.name, arguments: withoutNulls(call.arguments, tool?.parameters) };
}

/** LosslessNumbers are objects too, and keep their text. */
function withoutNulls(value: unknown, schema: unknown): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, schema.items));
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const branches = [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf : [])].filter(isObject);
  const { properties, required } = branches.find((branch) => isObject(branch.properties)) ?? {};
  if (!isObject(properties)) return value;
  const needed = namesIn(required);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => inner !== null || needed.has(name))
      .map(([name, inner]) => [name, withoutNulls(inner, properties[name])]),
  );
}
