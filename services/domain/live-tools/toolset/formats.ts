import { geminiParameters } from './gemini-schema.ts';
import type { ObjectSchema } from './json-schema.ts';
import { strictSchema } from './strict-schema.ts';
import type { ToolSpec } from './tool-spec.ts';

/** Tools as OpenAI's `tools` parameter takes them, strict wherever that mode allows. */
export function openaiTools(tools: readonly ToolSpec[]) {
  return tools.map(({ name, description, parameters }) => {
    const strict = strictSchema(parameters);
    return {
      type: 'function' as const,
      function: { name, description, parameters: strict ?? parameters, strict: strict !== null },
    };
  });
}

/** Tools as Anthropic's `tools` parameter takes them. */
export function anthropicTools(tools: readonly ToolSpec[]) {
  return tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
}

/** Tools as Gemini's `functionDeclarations` are. */
export function geminiTools(tools: readonly ToolSpec[]) {
  return tools.map(({ name, description, parameters }) => {
    const taken = geminiParameters(parameters);
    return { name, description, ...(taken ? { parameters: { ...taken } } : {}) };
  });
}

/** Tools as an MCP server lists them; `answerOf` has the schema of each one's structured content, by its name. */
export function mcpTools(tools: readonly ToolSpec[], answerOf: (name: string) => ObjectSchema) {
  return tools.map(({ name, description, parameters }) => ({
    name,
    description,
    inputSchema: parameters,
    outputSchema: answerOf(name),
  }));
}
