import { AttemptEnd } from '../../attempt/attempt-end.ts';
import type { ModelSession } from '../../attempt/model-session.ts';
import type { ToolCaller } from '../../attempt/tool-caller.ts';
import type { Message, ToolResult } from '../../model/message.ts';
import { callsOf, type ModelTool, textOf } from '../../model/model.ts';
import type { AgentSettings } from '../../settings/agent-settings.ts';
import { cutText } from './cut-text.ts';

export interface ToolConversation {
  readonly model: ModelSession;
  readonly tools: readonly ModelTool[];
  readonly caller: ToolCaller;
  readonly settings: AgentSettings;
  /** Looked at after each turn of calls; true ends the conversation. */
  readonly isOver?: () => boolean;
}

/**
 * A native tool loop: calls of a turn are carried out in order and answered, until a turn has none; gives its text.
 * `messages` grows by what is said, so that a later turn of the same conversation can go on.
 */
export async function converse(messages: Message[], conversation: ToolConversation): Promise<string> {
  const { model, tools, caller, settings, isOver = () => false } = conversation;
  for (;;) {
    const completion = await model.complete({ prompt: { messages }, tools }, 'tools');
    messages.push({ role: 'assistant', parts: completion.parts });
    const calls = callsOf(completion);
    if (calls.length === 0) return textOf(completion);
    const results: ToolResult[] = [];
    for (const { id, name, arguments: args } of calls) {
      const outcome = await caller.call(name, args === '' ? '{}' : args);
      if (settings.on_bad_arguments === 'fail' && !isObjectText(args)) {
        throw new AttemptEnd('broken_arguments', `a call of ${name} had arguments that are no JSON object`);
      }
      const text = cutText(outcome.text, settings.max_tool_output);
      results.push({ id, name, text, failed: !outcome.ok });
    }
    messages.push({ role: 'tool', results });
    if (isOver()) return textOf(completion);
  }
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
