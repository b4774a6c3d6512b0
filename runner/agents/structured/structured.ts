import { writeJson } from '../../attempt/tool-session.ts';
import { textOf } from '../../model/model.ts';
import { functionText } from '../../prompts/function-text.ts';
import type { Agent } from '../agent.ts';
import { taskText } from '../shared/task-text.ts';
import { readReply } from './read-reply.ts';
import { replySchema } from './reply-schema.ts';

/** What a model is told before the tools, unless `system` says otherwise. */
const STRUCTURED_SYSTEM = [
  'You answer questions about data by calls of the tools that are defined below. Reply with one JSON object and nothing else:',
  '"tool_rationale": why this call answers the question, or null;',
  '"use_tools": whether a tool is called;',
  '"response": what you say where no tool is called, else null;',
  '"tool_calls": [{"function_name": …, "arguments": {…}}], or null where no tool is called. An argument that is not needed is null or left out.',
].join('\n');

/**
 * One reply that is a JSON object with calls, as its schema in the request demands, instead of the provider's tool
 * calls: no tools are in the request, their definitions are text. Replayed when it is scored.
 */
export const structuredAgent: Agent = {
  name: 'structured',
  needsModel: true,
  needsFolder: false,
  answersByCalls: true,
  formulations: ['query'],
  async attempt({ task, tools, settings, model }) {
    const told = `${settings.system ?? STRUCTURED_SYSTEM}\n\nTools:\n${functionText(tools, 'openai')}`;
    const completion = await model.complete(
      {
        prompt: {
          messages: [
            { role: 'system', text: told },
            { role: 'user', text: taskText(task, settings.evidence) },
          ],
        },
        tools: [],
        replySchema: replySchema(tools),
      },
      'structured',
    );
    const text = textOf(completion);
    const calls = readReply(text);
    return { rawOutput: calls === null ? text : writeJson(calls) };
  },
};
