import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';
import {
  CALL_TOOL,
  SEARCH_TOOLS,
  type WrappedCall,
  wrappedCall,
} from '../../../contracts/toolset-options.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { problemAnswer } from '../../domain/domain-calls.ts';
import type { ToolSpec } from '../../domain/tools/tool-spec.ts';
import type { BackendAnswer } from '../backend/backend.ts';

const MOST_RESULTS = 20;
const USUAL_RESULTS = 5;

/** Arguments of `search_tools`. */
export const searchArguments = z.strictObject({
  query: z.string().min(1).max(2000),
  limit: z.int().min(1).max(MOST_RESULTS).default(USUAL_RESULTS),
});

/** The two tools that replace a toolset of any size. */
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

/** The answer of `search_tools`. */
export const searchAnswer = z.object({
  tools: z.array(
    z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
  ),
});

/** The answer to a call of `search_tools`; an invalid call is answered with a problem. */
export function foundTools(
  args: unknown,
  search: (query: string, limit: number) => readonly ToolSpec[],
): BackendAnswer {
  const read = searchArguments.safeParse(numbersAsNumbers(args));
  if (!read.success) return problemAnswer(invalidArguments(read.error).toProblem());
  const tools = search(read.data.query, read.data.limit).map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ tools }) };
}

/** Converts `limit` to a plain number where the parser kept its digits. */
function numbersAsNumbers(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || !('limit' in args)) return args;
  const { limit } = args;
  return isLosslessNumber(limit) ? { ...args, limit: Number(limit.value) } : args;
}

/** The call wrapped by a call of `call_tool`. Throws INVALID_PARAMETERS. */
export function requireWrappedCall(args: unknown): WrappedCall {
  const read = wrappedCall.safeParse(args);
  if (read.success) return read.data;
  throw invalidArguments(read.error);
}

/** INVALID_PARAMETERS, with an entry for each invalid argument. */
export function invalidArguments({ issues }: z.ZodError): HttpProblem {
  const errors = issues.map(({ path, message }) => ({
    field: path.join('.') || 'body',
    code: 'invalid',
    message,
  }));
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new HttpProblem('INVALID_PARAMETERS', detail, { errors });
}
