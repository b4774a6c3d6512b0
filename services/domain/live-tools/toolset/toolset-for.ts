import type { Service } from '../../../../contracts/service.ts';
import type { StartTable } from '../../../../contracts/start-table.ts';
import type { ToolDefinition } from '../../tools/arguments/tool-definition.ts';
import { initializeActiveData } from '../../tools/tools/initialize-active-data.ts';
import type { Toolbox } from '../toolboxes/toolbox.ts';
import { TOOLBOXES, type ToolFormulation } from '../toolboxes/toolboxes.ts';
import { argumentsSchema, type Offer } from './arguments-schema.ts';
import { offeredColumns } from './offered-columns.ts';
import type { ToolSpec } from './tool-spec.ts';

const MAX_CHARACTERS = 1024;

/**
 * The tools offered for a task that begins from the given start tables, in a fixed order: SLOT, the general
 * tools; SEL, the general tools and one getter for each column. Without start tables: the general tools alone,
 * their columns open. Throws ArgumentError for start tables whose tables do not exist.
 */
export function toolsetFor(
  service: Pick<Service, 'catalog'>,
  formulation: ToolFormulation,
  startTables: readonly StartTable[],
): ToolSpec[] {
  const columns = offeredColumns(startTables, service.catalog);
  const toolbox: Toolbox = TOOLBOXES[formulation];
  // Tools made for columns describe these themselves; otherwise only the arguments can.
  const offer: Offer = { startTables, columns, describeColumns: !toolbox.madeForColumns };
  return toolbox.offered(columns).map((tool) => toSpec(tool, offer));
}

/** The number of tools that `toolsetFor` returns. */
export function toolsetSize(
  service: Pick<Service, 'catalog'>,
  formulation: ToolFormulation,
  startTables: readonly StartTable[],
): number {
  return TOOLBOXES[formulation].offered(offeredColumns(startTables, service.catalog)).length;
}

/** Every tool of a domain, whatever table a task begins from: columns are open, and all start tables have their getters. */
export function generalTools(
  service: Pick<Service, 'catalog' | 'start_tables'>,
  formulation: ToolFormulation,
): ToolSpec[] {
  const tools = TOOLBOXES[formulation].offered(offeredColumns(service.start_tables, service.catalog));
  const open: Offer = { startTables: [], columns: [], describeColumns: false };
  return [initializeActiveData, ...tools].map((tool) => toSpec(tool, open));
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
