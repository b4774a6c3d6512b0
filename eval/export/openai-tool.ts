import type { ToolSchema } from '../calls/tool-universe.ts';

/** A tool as OpenAI-compatible services take it. */
export function toOpenAiTool([name, tool]: readonly [string, ToolSchema]) {
  return {
    type: 'function',
    function: {
      name,
      description: tool.description ?? name,
      parameters: {
        type: 'object',
        properties: tool.properties,
        required: tool.required,
        additionalProperties: false,
      },
    },
  };
}
