import { callsOf, type ModelRequest, textOf } from '../model/model.ts';
import type { ReplyFormat } from '../model/reply-format.ts';
import { functionText } from '../prompts/function-text.ts';
import { renderPrompt } from '../prompts/render-prompt.ts';
import type { Agent, AgentContext } from './agent.ts';

/** The whole sequence of calls in one reply, which is parsed and replayed when it is scored; nothing is carried out. */
export const directAgent: Agent = {
  name: 'direct',
  needsModel: true,
  needsFolder: false,
  async attempt(context) {
    const { model, settings, tools } = context;
    const { prompt, stop, format } = directPrompt(context);
    const inField = settings.tools_in === 'field';
    const completion = await model.complete(
      {
        prompt,
        tools: inField ? tools : [],
        decoding: { ...context.prompts.decoding, ...(stop.length > 0 ? { stop: [...stop] } : {}) },
      },
      format,
    );
    const calls = callsOf(completion);
    if (calls.length === 0) return { rawOutput: textOf(completion) };
    const native = calls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    }));
    return { rawOutput: JSON.stringify({ tool_calls: native }) };
  },
};

/** What is asked, and how the reply will be read. */
export function directPrompt(
  context: Pick<AgentContext, 'task' | 'tools' | 'settings' | 'prompts' | 'examples'> & {
    readonly model: Pick<AgentContext['model'], 'transport' | 'id'>;
  },
): { prompt: ModelRequest['prompt']; stop: readonly string[]; format: ReplyFormat } {
  const { task, tools, settings, prompts, examples, model } = context;
  const template = prompts.template(task.formulation, model.id);
  const [start, ...others] = task.start_tables.map(({ label }) => label);
  const evidence = settings.evidence && task.evidence ? `\n${task.evidence}` : '';
  const further = others.length > 0 ? `\nFurther tables to begin from: $${others.join('$, $')}$.` : '';
  const prompt = renderPrompt(template, {
    values: {
      FUNCTION_STR: functionText(tools, settings.tool_style),
      ICL_EXAMPLES: examples,
      QUERY: `${task.question}${evidence}${further}`,
      START_TABLE: start ?? 'starting_table_var',
    },
    transport: model.transport,
    toolsIn: settings.tools_in,
  });
  const format = settings.tools_in === 'field' ? 'native_calls' : template.reply;
  return { prompt, stop: template.stop, format };
}
