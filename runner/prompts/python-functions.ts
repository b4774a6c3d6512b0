import type { ModelTool } from '../model/model.ts';
import { parametersOf } from '../tools/parameters-of.ts';

/** Tools as Python signatures with docstrings, as prompts for nested calls have them. */
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
