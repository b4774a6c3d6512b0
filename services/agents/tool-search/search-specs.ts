import { z } from 'zod';
import { CALL_TOOL, SEARCH_TOOLS } from '../../../contracts/search-tools.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';

const MOST_RESULTS = 20;
const USUAL_RESULTS = 5;

/** What `search_tools` takes. */
export const searchArguments = z.strictObject({
  query: z.string().min(1).max(2000),
  limit: z.int().min(1).max(MOST_RESULTS).default(USUAL_RESULTS),
});

/** The two tools that stand for a whole toolset, whatever its size. */
export function searchSpecs(toolsetSize: number): readonly ToolSpec[] {
  return [
    {
      name: SEARCH_TOOLS,
      description:
        `Finds tools among ${toolsetSize}, the best match first, with their descriptions and parameters. Search again in ` +
        'other words when none of them fits.',
      parameters: {
        type: 'object',
        properties: {
          query: {
            type: 'string',
            description: 'what is wanted, in plain words: the question itself, or what a tool should do',
          },
          limit: {
            type: 'integer',
            description: `how many tools to show at most, from 1 to ${MOST_RESULTS}`,
            minimum: 1,
            maximum: MOST_RESULTS,
            default: USUAL_RESULTS,
          },
        },
        required: ['query'],
        additionalProperties: false,
      },
    },
    {
      name: CALL_TOOL,
      description: `Calls a tool that ${SEARCH_TOOLS} has found and answers what it answers.`,
      parameters: {
        type: 'object',
        properties: {
          name: { type: 'string', description: `the tool's name, as ${SEARCH_TOOLS} shows it` },
          arguments: {
            type: 'object',
            description: "the tool's arguments, by the names of its parameters",
            additionalProperties: true,
          },
        },
        required: ['name', 'arguments'],
        additionalProperties: false,
      },
    },
  ];
}

/** What `search_tools` answers. */
export const searchAnswer = z.object({
  tools: z.array(
    z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
  ),
});
