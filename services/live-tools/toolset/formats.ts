import { strictSchema } from './strict-schema.ts';
import type { ToolSpec } from './tool-spec.ts';

/** Tools as OpenAI's `tools` parameter takes them, strict wherever that mode allows. */
export function openaiTools(tools: readonly ToolSpec[]) {
  return tools.map(({ name, description, parameters }) => {
    const strict = strictSchema(parameters);
    return {
      type: 'function',
      function: { name, description, parameters: strict ?? parameters, strict: strict !== null },
    };
  });
}

/** Tools as Anthropic's `tools` parameter takes them. */
export function anthropicTools(tools: readonly ToolSpec[]) {
  return tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
}

/** Tools as an MCP server lists them. */
export function mcpTools(tools: readonly ToolSpec[]) {
  return tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters }));
}
