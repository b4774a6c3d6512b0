import { isLosslessNumber } from 'lossless-json';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import type { BackendAnswer } from '../backend/backend.ts';
import { problemAnswer } from '../backend/problem-answer.ts';
import { invalidArguments } from './invalid-arguments.ts';
import { searchArguments } from './search-specs.ts';

/** The answer to a call of `search_tools`; what is wrong with the call is an answer too. */
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

/** Numbers of a body keep their digits, and are objects then. */
function numbersAsNumbers(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || !('limit' in args)) return args;
  const { limit } = args;
  return isLosslessNumber(limit) ? { ...args, limit: Number(limit.value) } : args;
}
