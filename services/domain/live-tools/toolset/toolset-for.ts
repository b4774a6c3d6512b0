import type { Catalog } from '../../../../contracts/catalog.ts';
import type { Service } from '../../../../contracts/service.ts';
import type { StartTable } from '../../../../contracts/start-table.ts';
import type { ToolDefinition } from '../../tools/arguments/tool-definition.ts';
import { hasGetters } from '../../tools/sel/has-getters.ts';
import { describeColumns } from '../../tools/tools/describe-columns.ts';
import { initializeActiveData } from '../../tools/tools/initialize-active-data.ts';
import type { Toolbox } from '../toolboxes/toolbox.ts';
import { TOOLBOXES, type ToolFormulation } from '../toolboxes/toolboxes.ts';
import { argumentsSchema, type Offer } from './arguments-schema.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { offeredColumns } from './offered-columns.ts';
import type { ToolSpec } from './tool-spec.ts';

const MAX_CHARACTERS = 1024;

/** How much a list says of the columns of its start tables. */
interface Detail {
  /** Whether every argument that names a column is one of them. */
  readonly named: boolean;
  /** Which tools describe them: each that takes a column, only the first, or none, but a tool that tells. */
  readonly described: 'each' | 'first' | 'by_tool';
}

/** The most tokens of a list by `estimateTokens`, and the details to choose from, the fullest first. */
const DETAILS: Readonly<
  Record<ToolFormulation, { readonly maxTokens: number; readonly from: readonly Detail[] }>
> = {
  slot: {
    maxTokens: 8_200,
    from: [
      { named: true, described: 'each' },
      { named: true, described: 'first' },
      { named: false, described: 'first' },
      { named: false, described: 'by_tool' },
    ],
  },
  sel: {
    maxTokens: 40_000,
    from: [
      // Getters describe the columns.
      { named: true, described: 'by_tool' },
      { named: false, described: 'by_tool' },
    ],
  },
};

/**
 * The tools offered for a task that begins from the given start tables, in a fixed order: SLOT, the general
 * tools; SEL, the general tools and one getter for each column. They say as much of the columns as fits a list of a
 * bounded size; where that is next to nothing, `describe_columns` tells. Without start tables: the general tools alone,
 * their columns open. Throws ArgumentError for start tables whose tables do not exist.
 */
export function toolsetFor(
  service: Pick<Service, 'catalog'>,
  formulation: ToolFormulation,
  startTables: readonly StartTable[],
): ToolSpec[] {
  const toolbox: Toolbox = TOOLBOXES[formulation];
  const columns = offeredColumns(startTables, service.catalog);
  const { maxTokens, from } = DETAILS[formulation];
  const choices = toolsByDetail(service, formulation, startTables);
  let specs: ToolSpec[] = [];
  for (const [i, { named, described }] of from.entries()) {
    const tools = choices[i] ?? [];
    const first = tools.find(takesColumn);
    specs = tools.map((tool) =>
      toSpec(tool, {
        startTables,
        columns,
        nameColumns: named,
        describeColumns:
          !toolbox.madeForColumns && (described === 'each' || (described === 'first' && tool === first)),
      }),
    );
    if (estimateTokens(JSON.stringify(specs)) <= maxTokens) break;
  }
  return specs;
}

/** The tools offered with each of the details of a formulation: where a list does not describe its columns, a tool does. */
function toolsByDetail(
  service: Pick<Service, 'catalog'>,
  formulation: ToolFormulation,
  startTables: readonly StartTable[],
): readonly (readonly ToolDefinition[])[] {
  const toolbox: Toolbox = TOOLBOXES[formulation];
  const withTools = columnsWithTools(service, toolbox, startTables);
  const tools = toolbox.offered(withTools);
  const allHaveTools = withTools.length === offeredColumns(startTables, service.catalog).length;
  return DETAILS[formulation].from.map(({ described }) => {
    const told = toolbox.madeForColumns ? allHaveTools : described !== 'by_tool';
    return told ? tools : [...tools, describeColumns];
  });
}

function takesColumn({ args }: ToolDefinition): boolean {
  return 'key_name' in args.shape;
}

const sizes = new WeakMap<Catalog, Map<string, number>>();

/** The number of tools that `toolsetFor` returns; worked out once for the same start tables. */
export function toolsetSize(
  service: Pick<Service, 'catalog'>,
  formulation: ToolFormulation,
  startTables: readonly StartTable[],
): number {
  const known = sizes.get(service.catalog) ?? new Map<string, number>();
  sizes.set(service.catalog, known);
  const key = [formulation, ...startTables.map(({ handle }) => handle)].join();
  const size = known.get(key) ?? countTools(service, formulation, startTables);
  known.set(key, size);
  return size;
}

function countTools(...of: Parameters<typeof toolsetFor>): number {
  const counts = new Set(toolsByDetail(...of).map(({ length }) => length));
  const [only] = counts;
  // Otherwise the schemas decide, which take long to write.
  return only !== undefined && counts.size === 1 ? only : toolsetFor(...of).length;
}

/** Every tool of a domain, whatever table a task begins from: columns are open, and all start tables have their getters. */
export function generalTools(
  service: Pick<Service, 'catalog' | 'start_tables'>,
  formulation: ToolFormulation,
): ToolSpec[] {
  const toolbox: Toolbox = TOOLBOXES[formulation];
  const tools = toolbox.offered(columnsWithTools(service, toolbox, service.start_tables));
  const open: Offer = { startTables: [], columns: [], nameColumns: false, describeColumns: false };
  return [initializeActiveData, ...tools, describeColumns].map((tool) => toSpec(tool, open));
}

/** The columns for which there may be tools: those of start tables that are not too wide. */
function columnsWithTools(
  { catalog }: Pick<Service, 'catalog'>,
  { madeForColumns }: Toolbox,
  startTables: readonly StartTable[],
) {
  const some = madeForColumns ? startTables.filter((table) => hasGetters(table, catalog)) : startTables;
  return offeredColumns(some, catalog);
}

function toSpec(tool: ToolDefinition, offer: Offer): ToolSpec {
  return {
    name: tool.name,
    description: shorten(tool.description),
    parameters: argumentsSchema(tool, offer),
  };
}

/** Truncated to the length that one provider allows for a function's description. */
function shorten(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1).trimEnd()}…`;
}
