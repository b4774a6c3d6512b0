import { FORMULATIONS } from '../../contracts/formulations.ts';
import { rulesText } from '../../contracts/prediction.ts';
import { readArguments, writeJson } from '../attempt/tool-session.ts';
import {
  callsOf,
  constraintOf,
  type ModelRequest,
  type ModelTool,
  parametersOf,
  type ReplyFormat,
  textOf,
} from '../models/model.ts';
import { functionText } from '../prompts/function-text.ts';
import { renderPrompt } from '../prompts/prompt-pack.ts';
import type { Agent, AgentContext } from './agent.ts';
import { callsSchema, readCalls } from './reply-schema.ts';

/** The whole sequence of calls in one reply, which is parsed and replayed when scored; nothing is executed live. */
export const directAgent: Agent = {
  name: 'direct',
  needsModel: true,
  mode: 'either',
  needsFolder: false,
  takesComposed: true,
  answersByCalls: true,
  async attempt(context) {
    const { model, settings, tools } = context;
    const { prompt, stop, format } = directPrompt(context);
    const held = constraintOf(model.decoding) !== undefined && tools.length > 0;
    const inField = settings.tools_in === 'field';
    const labelled = FORMULATIONS[context.task.formulation].calls === 'chain';
    const completion = await model.complete(
      {
        prompt,
        tools: !inField ? [] : labelled ? tools.map(withLabel) : tools,
        decoding: { ...context.prompts.decoding, ...(stop.length > 0 ? { stop: [...stop] } : {}) },
        ...(held ? { replySchema: callsSchema(tools, labelled) } : {}),
      },
      held ? 'calls_object' : format,
    );
    const calls = callsOf(completion);
    if (calls.length === 0) {
      const text = textOf(completion);
      const read = held ? readCalls(text, tools) : null;
      return { rawOutput: read === null ? text : writeJson(read) };
    }
    return { rawOutput: writeJson(calls.map((call) => withoutLabel(call.name, call.arguments))) };
  },
};

/** A native call has no field for the label of its result, to which later calls of the same reply refer. */
function withLabel(tool: ModelTool): ModelTool {
  const { properties } = tool.parameters;
  const label = { type: 'string', description: 'a name for the result; later calls refer to it as $name$' };
  const all = { ...(typeof properties === 'object' ? properties : {}), [LABEL]: label };
  return { ...tool, parameters: { ...tool.parameters, properties: all } };
}

const LABEL = 'label';

function withoutLabel(name: string, text: string): object {
  const args = readArguments(text);
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return { name, arguments: text };
  const { [LABEL]: label, ...rest }: Record<string, unknown> = { ...args };
  return { name, arguments: rest, ...(typeof label === 'string' ? { label } : {}) };
}

/** The prompt, and the format in which the reply will be parsed. */
export function directPrompt(
  context: Pick<AgentContext, 'task' | 'tools' | 'settings' | 'prompts' | 'examples'> & {
    readonly model: Pick<AgentContext['model'], 'transport' | 'id'>;
  },
): { prompt: ModelRequest['prompt']; stop: readonly string[]; format: ReplyFormat } {
  const { task, tools, settings, prompts, examples, model } = context;
  const template = prompts.template(task.formulation, model.id);
  const [start, ...others] = task.start_tables.map(({ label }) => label);
  const evidence = task.evidence ? `\n${task.evidence}` : '';
  const further = others.length > 0 ? `\nFurther tables to begin from: $${others.join('$, $')}$.` : '';
  const prompt = renderPrompt(template, {
    values: {
      // Computed only if a template uses it: a hundred tools are a long text.
      get FUNCTION_STR() {
        return functionText(tools, settings.tool_style);
      },
      get PYTHON_FUNCTIONS() {
        return pythonFunctions(tools);
      },
      get XML_FUNCTIONS() {
        return xmlFunctions(tools);
      },
      ICL_EXAMPLES: examples,
      QUERY: `${task.question}${evidence}${further}${task.rules ? `\n${rulesText(task.rules)}` : ''}`,
      START_TABLE: start ?? 'starting_table_var',
    },
    transport: model.transport,
    toolsIn: settings.tools_in,
  });
  const format = settings.tools_in === 'field' ? 'native_calls' : template.reply;
  return { prompt, stop: template.stop, format };
}

/** Tools as Python signatures with docstrings, for prompts that ask for nested calls. */
export function pythonFunctions(tools: readonly ModelTool[]): string {
  return tools
    .map((tool) => {
      const parameters = parametersOf(tool);
      const ordered = [
        ...parameters.filter(({ required }) => required),
        ...parameters.filter(({ required }) => !required),
      ];
      const signature = ordered
        .map(({ name, type, required }) => `${name}: ${TYPES[type] ?? 'Any'}${required ? '' : ' = None'}`)
        .join(', ');
      const docs = ordered.map(
        ({ name, description }) => `    ${name}: ${description.replaceAll('\n', ' ')}`,
      );
      return `Function:\ndef ${tool.name}(${signature}):\n    """\n    ${tool.description}\n\n${docs.join('\n')}\n    """\n`;
    })
    .join('\n');
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  array: 'list',
  object: 'dict',
};

/** Tools as XML, one of BFCL's formats for function documentation. */
export function xmlFunctions(tools: readonly ModelTool[]): string {
  const lines = tools.map((tool) => {
    const params = parametersOf(tool).map(
      ({ name, type, required, description }) =>
        `    <param name="${escapeXml(name)}" type="${type}" required="${required}">${escapeXml(description)}</param>`,
    );
    return `  <function name="${escapeXml(tool.name)}">\n    <desc>${escapeXml(tool.description)}</desc>\n${params.join('\n')}\n  </function>`;
  });
  return `<functions>\n${lines.join('\n')}\n</functions>`;
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
