import { z } from 'zod';
import { lastJson } from '../attempt/read-json.ts';
import { writeJson } from '../attempt/tool-session.ts';
import { type ModelTool, textOf } from '../models/model.ts';
import { functionText } from '../prompts/function-text.ts';
import type { Agent } from './agent.ts';
import { taskText } from './conversation.ts';
import { callSchema, type HeldCall, object, orNull, withoutUnused } from './reply-schema.ts';

/** Precedes the tools in the system message, unless `system` overrides it. */
const STRUCTURED_SYSTEM = [
  'You answer questions about data by calls of the tools that are defined below. Reply with one JSON object and nothing else:',
  '"tool_rationale": why this call answers the question, or null;',
  '"use_tools": whether a tool is called;',
  '"response": what you say where no tool is called, else null;',
  '"tool_calls": [{"function_name": …, "arguments": {…}}], or null where no tool is called. An argument that is not needed is null or left out.',
].join('\n');

/**
 * One reply that is a JSON object with calls, enforced by a schema in the request, instead of the provider's
 * tool calls: the request has no tools, their definitions are part of the prompt. Replayed when scored.
 */
export const structuredAgent: Agent = {
  name: 'structured',
  needsModel: true,
  mode: 'prompt',
  needsFolder: false,
  answersByCalls: true,
  formulations: ['query'],
  async attempt({ task, tools, settings, model }) {
    const system = `${settings.system ?? STRUCTURED_SYSTEM}\n\nTools:\n${functionText(tools, 'openai')}`;
    const completion = await model.complete(
      {
        prompt: {
          messages: [
            { role: 'system', text: system },
            { role: 'user', text: taskText(task) },
          ],
        },
        tools: [],
        replySchema: replySchema(tools),
      },
      'structured',
    );
    const text = textOf(completion);
    const calls = readReply(text, tools);
    return { rawOutput: calls === null ? text : writeJson(calls) };
  },
};

/** JSON Schema of a reply with calls of the tools. */
export function replySchema(tools: readonly ModelTool[]): Readonly<Record<string, unknown>> {
  return object({
    tool_rationale: orNull({ type: 'string' }),
    use_tools: { type: 'boolean' },
    response: orNull({ type: 'string' }),
    tool_calls: orNull({ type: 'array', items: callSchema(tools, 'function_name') }),
  });
}

const reply = z.object({
  use_tools: z.boolean(),
  tool_calls: z.array(z.object({ function_name: z.string(), arguments: z.unknown() })).nullish(),
});

/** The calls of a structured reply; null if it cannot be parsed. */
export function readReply(text: string, tools: readonly ModelTool[]): readonly HeldCall[] | null {
  const read = reply.safeParse(lastJson(text));
  if (!read.success) return null;
  const calls = read.data.use_tools ? (read.data.tool_calls ?? []) : [];
  return calls.map((call) => withoutUnused({ name: call.function_name, arguments: call.arguments }, tools));
}
