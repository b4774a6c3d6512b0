import type { ModelTool } from '../../model/model.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * JSON Schema of a reply that holds calls of the tools, in the form that strict modes of providers ask for: every
 * property is required and what may be left out may be null, no others, and no descriptions, which the prompt has.
 */
export function replySchema(tools: readonly ModelTool[]): Schema {
  const calls = tools.map(({ name, parameters }) =>
    object({ function_name: { type: 'string', enum: [name] }, arguments: strict(parameters) }),
  );
  const [only] = calls;
  const call = calls.length === 1 && only !== undefined ? only : { anyOf: calls };
  return object({
    tool_rationale: orNull({ type: 'string' }),
    use_tools: { type: 'boolean' },
    response: orNull({ type: 'string' }),
    tool_calls: orNull({ type: 'array', items: call }),
  });
}

function object(properties: Schema): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

function strict(schema: unknown): Schema {
  if (!isObject(schema)) return {};
  const { properties, required, description: _, ...others } = schema;
  if (!isObject(properties)) return others;
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return object(
    Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [
        name,
        needed.has(name) ? strict(inner) : orNull(strict(inner)),
      ]),
    ),
  );
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
