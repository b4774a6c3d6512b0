import type { ModelTool } from '../models/model.ts';
import type { AgentSettings } from './prompt-pack.ts';

/**
 * Tools as text for a prompt. `authors`: `{name, description, arguments: {<p>: {description, type, enum?}}}`,
 * as in Live API-Bench's runner; `openapi`: as in the paper's listings, with output schemas; `openai`: as in
 * the `tools` field.
 */
export function functionText(tools: readonly ModelTool[], style: AgentSettings['tool_style']): string {
  const known = texts.get(tools) ?? new Map<string, string>();
  texts.set(tools, known);
  const text = known.get(style) ?? JSON.stringify(tools.map(STYLES[style]));
  known.set(style, text);
  return text;
}

/** By list: all tasks of a toolset share one, and each turn of a text loop repeats it. */
const texts = new WeakMap<readonly ModelTool[], Map<string, string>>();

const STYLES: Readonly<Record<AgentSettings['tool_style'], (tool: ModelTool) => object>> = {
  authors: ({ name, description, parameters }) => ({
    description,
    name,
    arguments: Object.fromEntries(
      propertiesOf(parameters).map(([key, { description: about, enum: values, ...rest }]) => [
        key,
        {
          ...(about === undefined ? {} : { description: about }),
          ...typeOf(rest),
          ...(values === undefined ? {} : { enum: values }),
        },
      ]),
    ),
  }),
  openai: ({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }),
  openapi: ({ name, description, parameters, output }) => ({
    name,
    description,
    parameters: { properties: described(parameters), required: parameters.required ?? [] },
    ...(output === undefined ? {} : { output_parameters: { properties: described(output) } }),
  }),
};

/** Properties with their descriptions beside their schemas. */
function described(schema: Schema): object {
  return Object.fromEntries(
    propertiesOf(schema).map(([key, { description: about, ...rest }]) => [
      key,
      { ...(about === undefined ? {} : { description: about }), schema: rest },
    ]),
  );
}

type Schema = Readonly<Record<string, unknown>>;

function propertiesOf({ properties }: Schema): [string, Schema][] {
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).flatMap(([key, schema]): [string, Schema][] =>
    typeof schema === 'object' && schema !== null ? [[key, { ...schema }]] : [],
  );
}

/** The plain type, if the schema has one; else its alternatives, which the style cannot express. */
function typeOf({ type, anyOf, items }: Schema): object {
  if (type !== undefined) return items === undefined ? { type } : { type, items };
  return anyOf === undefined ? {} : { anyOf };
}
