import type { Endpoint, EndpointParameter, Service } from '../../../contracts/service.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import { firstSentence } from './first-sentence.ts';

/** As providers allow. */
const MOST_CHARACTERS = 1024;
const MOST_VALUES = 12;

/** A tool with what else is known of it: how much it answers, and what its parameters may be. */
export function fullDescription(tool: ToolSpec, name: string, service: Service): ToolSpec {
  const endpoint = service.endpoints.find(({ operation_id }) => operation_id === name);
  if (!endpoint) return tool;
  const properties = Object.entries(tool.parameters.properties).map(([key, schema], at) => {
    const parameter = endpoint.parameters[at];
    const values = parameter ? valuesText(parameter, service) : '';
    return [key, { ...schema, description: sentences(schema.description ?? '', values) }] as const;
  });
  return {
    ...tool,
    description: sentences(tool.description, limitText(endpoint)),
    parameters: { ...tool.parameters, properties: Object.fromEntries(properties) },
  };
}

/** The description of a tool with what it is not for: the tool beside it that is most like it. */
export function withSibling(tool: ToolSpec, sibling: ToolSpec): ToolSpec {
  const other = firstSentence(sibling.description).replace(/\.$/, '');
  const [own, its] = [tool, sibling].map(({ parameters }) => Object.keys(parameters.properties)) as [
    string[],
    string[],
  ];
  const more = its.filter((name) => !own.includes(name));
  const less = own.filter((name) => !its.includes(name));
  const takes = [
    more.length > 0 ? `takes ${more.join(', ')}` : '',
    less.length > 0 ? `does not take ${less.join(', ')}` : '',
  ].filter((text) => text !== '');
  const difference = takes.length === 0 ? '' : `, which ${takes.join(' and ')}`;
  const fitting = [
    `Not for: ${other}; that is ${sibling.name}${difference}.`,
    `Not for what ${sibling.name} answers${difference}.`,
    `Not for what ${sibling.name} answers.`,
  ].find((text) => tool.description.length + 1 + text.length <= MOST_CHARACTERS);
  return fitting === undefined ? tool : { ...tool, description: sentences(tool.description, fitting) };
}

function limitText({ columns }: Endpoint): string {
  const names = columns.length === 1 ? 'one value a row' : `${columns.length} values a row`;
  return `Answers ${names}; \`truncated\` tells that the service's limit of rows left some out.`;
}

/** What a parameter's column holds: all its values where they are few, else one that it may be. */
function valuesText({ column, example }: EndpointParameter, { catalog }: Service): string {
  const found = catalog.tables
    .find(({ name }) => name === column?.table)
    ?.columns.find(({ name }) => name === column?.column);
  const values = found?.values;
  if (values && values.length <= MOST_VALUES) return `The column holds: ${values.join(', ')}.`;
  return example === undefined ? '' : `For example: ${example}.`;
}

function sentences(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}
