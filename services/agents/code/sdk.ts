import { FORMULATIONS } from '../../../contracts/formulations.ts';
import { packageVersion } from '../../../contracts/package-root.ts';
import { domainPath } from '../../../contracts/paths.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import { programNames, sourceParameter } from '../../../contracts/sdk.ts';
import type { Service } from '../../../contracts/service.ts';
import { firstSentence } from '../../../contracts/wording.ts';
import { SERVED_FORMULATIONS } from '../../domain/formulations.ts';
import type { JsonSchema, ObjectSchema, ToolSpec } from '../../domain/tools/tool-spec.ts';
import type { ToolList } from '../toolsets/tool-list.ts';

export interface SdkFunction {
  readonly name: string;
  readonly tool: ToolSpec;
  /** The schema of its answers: costly, and needed only to print it. */
  readonly answer: () => ObjectSchema;
  /** Whether it makes a table, a column or a value that later calls begin from. */
  readonly makesResult: boolean;
  /** The parameter that is the result whose method it is; null for a plain function. */
  readonly source: string | null;
  readonly isRecord: boolean;
  /** Its route below the address that the module is connected to. */
  readonly method: string;
  readonly path: string;
}

export interface SdkModule {
  readonly title: string;
  /** The path of the functions' addresses, for values that do not fit into a path. */
  readonly root: string;
  readonly functions: readonly SdkFunction[];
  readonly starts: readonly string[];
  readonly version: string;
}

/** The formulations of a domain's module, grouped by namespace. SEL has the functions of SLOT. */
const OF_A_DOMAIN = [
  ['rest', 'slot', 'query'],
  ['records', 'actions'],
] as const satisfies readonly Formulation[][];

/** Everything that a domain can do, at the addresses of its service. */
export function domainModule(service: Service): SdkModule {
  return {
    title: service.title,
    root: domainPath(service.split, service.db),
    starts: service.start_tables.map(({ handle }) => handle),
    version: packageVersion,
    functions: OF_A_DOMAIN.flatMap((formulations: readonly Formulation[]) => {
      const offered = formulations.flatMap((formulation) =>
        SERVED_FORMULATIONS[formulation].tools(service, []).map((tool) => ({ tool, formulation })),
      );
      // The tools of actions include those that read records.
      const first = (name: string) => offered.findIndex(({ tool }) => tool.name === name);
      const placed = offered.filter(({ tool }, at) => first(tool.name) === at);
      const names = programNames(placed.map(({ tool }) => tool.name));
      return placed.map(({ tool, formulation }) => ({
        ...sdkFunction(tool, names, formulation),
        answer: () => SERVED_FORMULATIONS[formulation].answerSchema(service, tool.name),
        isRecord: formulations.includes('records'),
        ...FORMULATIONS[formulation].routeOf(service, tool.name),
      }));
    }),
  };
}

export function listModule(list: ToolList): SdkModule {
  const { formulation, startTables, service, task } = list.source;
  const names = programNames(list.offered.map(({ name }) => name));
  const isChain = FORMULATIONS[formulation].calls === 'chain';
  return {
    title: list.origin.title,
    root: '',
    // A task begins from its own tables.
    starts: !isChain ? [] : task ? startTables : service.start_tables.map(({ handle }) => handle),
    version: packageVersion,
    functions: list.offered.map((tool) => ({
      ...sdkFunction(tool, names, formulation),
      answer: () => list.answerSchema(tool.name),
      isRecord: false,
      method: 'POST',
      path: `/call/${tool.name}`,
    })),
  };
}

function sdkFunction(tool: ToolSpec, names: ReadonlyMap<string, string>, formulation: Formulation) {
  const { calls } = FORMULATIONS[formulation];
  return {
    name: names.get(tool.name) ?? tool.name,
    tool,
    makesResult: calls === 'chain',
    source: sourceParameter(calls, tool.parameters),
  };
}

export function ownParameters({ tool, source }: SdkFunction) {
  const { properties, required } = tool.parameters;
  return Object.entries(properties)
    .filter(([name]) => name !== source)
    .map(([name, schema]) => ({ name, schema, required: required.includes(name) }));
}

export function takesResult({ type, anyOf = [], description = 'result', enum: values }: JsonSchema): boolean {
  const takesText = [type, ...anyOf.map((each) => each.type)].flat().includes('string');
  return takesText && values === undefined && /result|\$handle\$/.test(description);
}

/** The functions that are no methods. One whose result may also be a plain value is both. */
export function plainFunctions({ functions }: SdkModule): SdkFunction[] {
  return functions
    .filter(({ isRecord, source, tool }) => {
      const type = source === null ? undefined : tool.parameters.properties[source]?.type;
      return !isRecord && (source === null || Array.isArray(type));
    })
    .map((each) => ({ ...each, source: null }));
}

/** How a function is written in a program: `records.get_bed`, `result.filter_data`. */
export function placeInProgram({ name, source, isRecord }: SdkFunction): string {
  if (isRecord) return `records.${name}`;
  return source === null ? name : `result.${name}`;
}

/** One line a function: its name, its parameters and what it does. */
export function printIndex({ functions, starts }: SdkModule): string {
  const lines = functions.map((each) => {
    const parameters = ownParameters(each).map(({ name, required }) => (required ? name : `${name}?`));
    const about = firstSentence(each.tool.description);
    const shown = parameters.length > MOST_SHOWN ? [...parameters.slice(0, MOST_SHOWN), '…'] : parameters;
    return `${placeInProgram(each)}(${shown.join(', ')})${about === '' ? '' : `: ${about}`}`;
  });
  return `${[...starts.map((handle) => `table(${JSON.stringify(handle)})`), ...lines].join('\n')}\n`;
}

/** The lists of records have dozens of parameters. */
const MOST_SHOWN = 12;

export function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
