import { z } from 'zod';
import { lastJson } from '../attempt/read-json.ts';
import { writeJson } from '../attempt/tool-session.ts';
import { type ModelTool, textOf } from '../models/model.ts';
import { functionText } from '../prompts/function-text.ts';
import type { Agent } from './agent.ts';
import { taskText } from './conversation.ts';

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
    const calls = readReply(text);
    return { rawOutput: calls === null ? text : writeJson(calls) };
  },
};

type Schema = Readonly<Record<string, unknown>>;

/**
 * JSON Schema of a reply with calls of the tools, within the limits of providers' strict modes: every
 * property is required, optional ones are nullable, others are forbidden. Descriptions are omitted, since the
 * prompt has them.
 */
export function replySchema(tools: readonly ModelTool[]): Schema {
  const calls = tools.map(({ name, parameters }) =>
    object({ function_name: { type: 'string', enum: [name] }, arguments: strict(parameters) }),
  );
  const [only] = calls;
  const call = calls.length === 1 && only !== undefined ? only : { anyOf: calls };
  return object({
    tool_rationale: orNull({ type: 'string' }),
    use_tools: { type: 'boolean' },
    response: orNull({ type: 'string' }),
    tool_calls: orNull({ type: 'array', items: call }),
  });
}

function object(properties: Schema): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

function strict(schema: unknown): Schema {
  if (!isObject(schema)) return {};
  const { properties, required, description: _, ...others } = schema;
  if (!isObject(properties)) return others;
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return object(
    Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [
        name,
        needed.has(name) ? strict(inner) : orNull(strict(inner)),
      ]),
    ),
  );
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const reply = z.object({
  use_tools: z.boolean(),
  tool_calls: z.array(z.object({ function_name: z.string(), arguments: z.unknown() })).nullish(),
});

/** The calls of a structured reply, without null arguments (omitted ones); null if it cannot be parsed. */
export function readReply(
  text: string,
): readonly { readonly name: string; readonly arguments: unknown }[] | null {
  const read = reply.safeParse(lastJson(text));
  if (!read.success) return null;
  const calls = read.data.use_tools ? (read.data.tool_calls ?? []) : [];
  return calls.map((call) => ({ name: call.function_name, arguments: withoutNulls(call.arguments) }));
}

/** LosslessNumbers are objects too, and keep their text. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [name, withoutNulls(inner)]),
  );
}
