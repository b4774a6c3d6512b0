import { FORMULATIONS } from '../../../contracts/formulations.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import type { Endpoint, EndpointParameter, Service } from '../../../contracts/service.ts';
import { freeToolName, LONGEST_NAME, type StartTable } from '../../../contracts/tools.ts';
import type { ListOptions } from '../../../contracts/toolset-options.ts';
import { firstSentence } from '../../../contracts/wording.ts';
import { invalidField } from '../../base/http/problem.ts';
import { SERVED_FORMULATIONS } from '../../domain/formulations.ts';
import {
  MOST_CHARACTERS,
  mapSchema,
  type ObjectSchema,
  type ToolSpec,
  type ToolView,
} from '../../domain/tools/tool-spec.ts';
import { type ExamAliases, examToolName, subjectOf } from '../aliases.ts';
import { siblingsOf, ToolIndex } from '../search/tool-index.ts';
import { type Alias, makeAliases, obfuscateTool } from './obfuscate.ts';

/** The tools that lists with the same options share, as those lists show them. */
export class Toolset {
  readonly key: string;
  /** Identifies the toolset, whatever the options. */
  readonly scope: string;
  /** By `<db>/<name>`, in the toolset's order. */
  readonly tools: ReadonlyMap<string, PresentedTool>;
  readonly services: readonly Service[];
  /** Keys of the lists made from it, which hold its tools and are evicted with it. */
  readonly lists = new Set<string>();
  #index: ToolIndex | null = null;
  #siblings: ReadonlyMap<PresentedTool, readonly PresentedTool[]> | null = null;

  constructor(key: string, tools: readonly PlacedTool[], options: ListOptions, presentation: Presentation) {
    this.key = key;
    this.tools = presentToolset(tools, options, presentation);
    this.scope = presentation.scope;
    this.services = [...new Set(tools.map(({ service }) => service))];
  }

  index(): ToolIndex {
    this.#index ??= new ToolIndex([...this.tools.values()]);
    return this.#index;
  }

  /** The other tools of a tool's domain, most similar first. */
  siblings(tool: PresentedTool): readonly PresentedTool[] {
    this.#siblings ??= this.#findSiblings();
    return this.#siblings.get(tool) ?? [];
  }

  #findSiblings(): ReadonlyMap<PresentedTool, readonly PresentedTool[]> {
    const all = [...this.tools.values()];
    const nearest = siblingsOf(all);
    return new Map(
      all.map((tool, at) => [tool, (nearest[at] ?? []).map((other) => all[other] as PresentedTool)]),
    );
  }
}

export interface PlacedTool {
  readonly service: Service;
  readonly name: string;
  /** Its name is unique in the toolset. */
  readonly tool: ToolSpec;
}

/** The tools of one domain, for a task that begins from these start tables; in an exam under aliases. */
export function domainTools(
  service: Service,
  formulation: Formulation,
  startTables: readonly StartTable[],
  names: ExamAliases | null,
  view?: ToolView,
): readonly PlacedTool[] {
  const examNames = new Map(
    names && service.endpoints.map((endpoint) => [endpoint.operation_id, examToolName(endpoint)]),
  );
  // A domain's title contains its database's name.
  const shown = names === null ? service : { ...service, title: subjectOf(service) };
  return SERVED_FORMULATIONS[formulation].tools(shown, startTables, view).map((tool) => {
    const name = examNames.get(tool.name) ?? tool.name;
    return { service, name: tool.name, tool: name === tool.name ? tool : { ...tool, name } };
  });
}

/**
 * The tools of every domain, by domain. A name that an earlier domain has gets a number appended. Throws
 * INVALID_PARAMETERS for tools that work on their own domain's tables only.
 */
export function farmTools(
  services: Iterable<Service>,
  formulation: Formulation,
  names: ExamAliases | null,
  view?: ToolView,
): readonly PlacedTool[] {
  requireEndpoints(formulation);
  const taken = new Set<string>();
  const domainOf = (service: Service) => names?.domain(service) ?? service.db;
  return [...services]
    .sort((a, b) => (domainOf(a) < domainOf(b) ? -1 : 1))
    .flatMap((service) => domainTools(service, formulation, [], names, view))
    .map(({ tool, ...placed }) => {
      const name = freeToolName(tool.name, taken);
      taken.add(name);
      return { ...placed, tool: name === tool.name ? tool : { ...tool, name } };
    });
}

/** Throws INVALID_PARAMETERS for tools that work on their own domain's tables only. */
export function requireEndpoints(formulation: Formulation): void {
  const { calls, title } = FORMULATIONS[formulation];
  if (calls === 'single') return;
  const message = `${title} tools work on the tables of one domain; only REST and the query tool can be those of the whole farm`;
  throw invalidField('scope', 'not_one_of', message);
}

export interface PresentedTool extends PlacedTool {
  /** Its name without obfuscation. */
  readonly openName: string;
  /** null where tools keep their names. */
  readonly alias: Alias | null;
}

export interface Presentation {
  readonly scope: string;
  /** In an exam: the key that draws them. */
  readonly key: string | null;
}

/** Every tool of a toolset as lists with these options show it, by `<db>/<name>`, in the toolset's order. */
export function presentToolset(
  toolset: readonly PlacedTool[],
  { obfuscate, descriptions, seed }: Pick<ListOptions, 'obfuscate' | 'descriptions' | 'seed'>,
  { scope, key }: Presentation,
): ReadonlyMap<string, PresentedTool> {
  const specs = toolset.map(({ tool }) => tool);
  const aliases = obfuscate ? makeAliases(specs, seed, scope, key) : null;
  const names = new Map([...(aliases ?? [])].map(([name, alias]) => [name, alias.name]));
  return new Map(
    toolset.map((placed) => {
      const alias = aliases?.get(placed.tool.name) ?? null;
      const tool = alias ? obfuscateTool(placed.tool, alias, names) : placed.tool;
      return [
        placeOf(placed),
        { ...placed, openName: placed.tool.name, alias, tool: described(tool, placed, descriptions) },
      ];
    }),
  );
}

export function placeOf({ service, name }: Pick<PlacedTool, 'service' | 'name'>): string {
  return `${service.db}/${name}`;
}

function described(tool: ToolSpec, { name, service }: PlacedTool, descriptions: ListOptions['descriptions']) {
  if (descriptions === 'keep') return tool;
  if (descriptions === 'full') return fullDescription(tool, name, service);
  const shorten = descriptions === 'concise' ? firstSentence : () => '';
  const parameters = mapSchema(tool.parameters, ({ description = '', ...rest }) => {
    const text = shorten(description);
    return text === '' ? rest : { ...rest, description: text };
  });
  return { ...tool, description: shorten(tool.description), parameters: parameters as ObjectSchema };
}

const MOST_VALUES = 12;

/** A tool with an extended description: the number of rows it returns, and its parameters' values. */
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
    description: withLimit(tool.description, limitText(endpoint)),
    parameters: { ...tool.parameters, properties: Object.fromEntries(properties) },
  };
}

/** A tool whose description adds what it is not for, by naming the most similar tool. */
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

/** For a space and the shortest sentence of `withSibling`, whose tool may have the longest name. */
const SIBLING_CHARACTERS = 1 + 'Not for what  answers.'.length + LONGEST_NAME;

/** Both texts, the first cut at a word where they leave too little room. */
function withLimit(description: string, limit: string): string {
  const most = MOST_CHARACTERS - SIBLING_CHARACTERS - limit.length - 1;
  if (description.length <= most) return sentences(description, limit);
  return sentences(`${description.slice(0, most - 1).replace(/\s+\S*$/, '')}…`, limit);
}

/** The values in a parameter's column: all of them if few, else an example. */
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
