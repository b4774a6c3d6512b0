import { printExactJson } from '../../../contracts/exact-json.ts';
import type { Call } from '../../../contracts/sample.ts';
import type { ReplyFormat } from '../../model/reply-format.ts';

/** A whole sequence as a model of some family writes it. */
export type TextFormat = Exclude<
  ReplyFormat,
  'tools' | 'native_calls' | 'structured' | 'react' | 'sql_react' | 'sql' | 'virtual_sql' | 'program'
>;

/** Gold calls in the format of a reply: what a model that makes no mistake would write. */
export function writeCalls(calls: readonly Call[], format: TextFormat): string {
  const listed = calls.map(({ name, arguments: args, label }) => ({
    name,
    arguments: args,
    ...(label === undefined ? {} : { label }),
  }));
  const withoutLabels = calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
  return WRITERS[format](calls, printExactJson(listed), printExactJson(withoutLabels));
}

type Writer = (calls: readonly Call[], list: string, withoutLabels: string) => string;

const WRITERS: Readonly<Record<TextFormat, Writer>> = {
  json_list: (_, list) => list,
  json_list_without_labels: (_, __, list) => list,
  tool_call_elements: (calls) =>
    calls
      .map(
        ({ name, arguments: args, label }) =>
          `<tool_call>\n${printExactJson({ name, arguments: args, label })}\n</tool_call>`,
      )
      .join('\n'),
  marked_json_list: (_, __, list) => `<|tool_call|>${list}`,
  tagged_json_list: (_, list) =>
    `<thinking>Each of these functions fits.</thinking>\n<tool_calls>${list}</tool_calls>`,
  fenced_json: (_, list) => `The calls:\n\`\`\`json\n${list}\n\`\`\``,
  python_calls: (calls) => `[${calls.map(pythonCall).join(', ')}]`,
  xml_verbose: (calls) =>
    `<functions>${calls
      .map(
        ({ name, arguments: args }) =>
          `<function name="${xml(name)}"><params>${Object.entries(args)
            .map(
              ([key, value]) =>
                `<param name="${xml(key)}" value="${xml(xmlValue(value))}" type="${xmlType(value)}"/>`,
            )
            .join('')}</params></function>`,
      )
      .join('')}</functions>`,
  xml_concise: (calls) =>
    `<functions>${calls
      .map(
        ({ name, arguments: args }) =>
          `<function name="${xml(name)}">${Object.entries(args)
            .map(
              ([key, value]) =>
                `<param name="${xml(key)}" type="${xmlType(value)}">${xml(xmlValue(value))}</param>`,
            )
            .join('')}</function>`,
      )
      .join('')}</functions>`,
  nested: (calls) => nestedCall(calls),
};

function pythonCall({ name, arguments: args, label }: Call): string {
  const call = `${name}(${Object.entries(args)
    .map(([key, value]) => `${key}=${pythonValue(value)}`)
    .join(', ')})`;
  return label === undefined ? call : `${label} = ${call}`;
}

function pythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)}: ${pythonValue(inner)}`)
      .join(', ')}}`;
  }
  return printExactJson(value);
}

/** The last call with those it refers to written in their places; results that no call refers to one a line. */
function nestedCall(calls: readonly Call[]): string {
  const byLabel = new Map<string, Call>();
  const used = new Set<string>();
  const print = (call: Call): string =>
    `${call.name}(${Object.entries(call.arguments)
      .map(([key, value]) => `${key}=${inner(value)}`)
      .join(', ')})`;
  const inner = (value: unknown): string => {
    const label = typeof value === 'string' ? /^\$(\w+)\$$/.exec(value)?.[1] : undefined;
    const made = label === undefined ? undefined : byLabel.get(label);
    if (made !== undefined && label !== undefined) {
      used.add(label);
      return print(made);
    }
    if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`;
    if (typeof value === 'object' && value !== null) {
      return `{${Object.entries(value)
        .map(([key, each]) => `${JSON.stringify(key)}: ${inner(each)}`)
        .join(', ')}}`;
    }
    return pythonValue(value);
  };
  const printed = calls.map((call) => {
    const text = print(call);
    if (call.label !== undefined) byLabel.set(call.label, call);
    return { text, label: call.label };
  });
  return printed
    .filter(({ label }) => label === undefined || !used.has(label))
    .map(({ text }) => text)
    .join('\n');
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function xmlValue(value: unknown): string {
  return typeof value === 'string' ? value : printExactJson(value);
}

function xmlType(value: unknown): string {
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'dict' : typeof value;
}
