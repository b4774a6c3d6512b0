import { z } from 'zod';
import { anthropicTools, mcpTools, openaiTools } from '../../domain/live-tools/toolset/formats.ts';
import { openapiOfList } from './openapi-of-list.ts';
import type { ToolList } from './tool-list.ts';

/** How a list of tools can be written. */
export const listFormat = z.enum(['plain', 'openai', 'openai-responses', 'anthropic', 'mcp', 'openapi']);
export type ListFormat = z.infer<typeof listFormat>;

/** A list of tools as the body of an answer; `base` is the address under which its tools are called. */
export function emitList(list: ToolList, format: ListFormat, base: string): object {
  if (format === 'openapi') return openapiOfList(list, base);
  const { service, formulation, task } = list.source;
  return {
    ...(task ? { sample_id: task.sample_id } : {}),
    split: service.split,
    db: service.db,
    formulation,
    size: list.tools.length,
    toolset_size: list.toolsetSize,
    checksum: list.checksum,
    options: list.options,
    call: `${base}/call/{name}`,
    mcp: `${base}/mcp`,
    tools: FORMATS[format](list),
  };
}

const FORMATS: Readonly<Record<Exclude<ListFormat, 'openapi'>, (list: ToolList) => readonly object[]>> = {
  plain: ({ tools }) => tools,
  openai: ({ tools }) => openaiTools(tools),
  'openai-responses': ({ tools }) =>
    openaiTools(tools).map(({ type, function: rest }) => ({ type, ...rest })),
  anthropic: ({ tools }) => anthropicTools(tools),
  mcp: (list) => mcpTools(list.tools, (at) => list.answerSchema(at)),
};
