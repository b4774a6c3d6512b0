import type { ToolSchema } from '../calls/tool-universe.ts';

/** A tool as OpenAI-compatible services take it. */
export function toOpenAiTool([name, tool]: readonly [string, ToolSchema]) {
  return {
    type: 'function',
    function: { name, description: tool.description ?? name, parameters: toSchema(tool) },
  };
}

/** A tool as Anthropic's services take it. */
export function toAnthropicTool([name, tool]: readonly [string, ToolSchema]) {
  return { name, description: tool.description ?? name, input_schema: toSchema(tool) };
}

function toSchema({ properties, required }: ToolSchema) {
  return { type: 'object', properties, required, additionalProperties: false };
}
