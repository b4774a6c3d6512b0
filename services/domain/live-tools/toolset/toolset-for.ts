import type { Service } from '../../../../contracts/service.ts';
import type { StartTable } from '../../../../contracts/start-table.ts';
import type { ToolDefinition } from '../../tools/arguments/tool-definition.ts';
import { SLOT_TOOLS } from '../../tools/registry.ts';
import { getterTool, SEL_TOOLS } from '../../tools/sel/sel-tools.ts';
import { initializeActiveData } from '../../tools/tools/initialize-active-data.ts';
import type { ToolFormulation } from '../plans/find-tool.ts';
import { argumentsSchema, type Offer } from './arguments-schema.ts';
import { type OfferedColumn, offeredColumns } from './offered-columns.ts';
import type { ToolSpec } from './tool-spec.ts';

const MOST_CHARACTERS = 1024;

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
  // The getters of SEL say what the columns hold; SLOT has no other place for it.
  const offer: Offer = { startTables, columns, describeColumns: formulation === 'slot' };
  return definitions(formulation, columns).map((tool) => toSpec(tool, offer));
}

/** How many tools `toolsetFor` answers. */
export function toolsetSize(
  service: Pick<Service, 'catalog'>,
  formulation: ToolFormulation,
  startTables: readonly StartTable[],
): number {
  return definitions(formulation, offeredColumns(startTables, service.catalog)).length;
}

/** Every tool of a domain, whatever table a task begins from: columns are open, and all start tables have their getters. */
export function generalTools(
  service: Pick<Service, 'catalog' | 'start_tables'>,
  formulation: ToolFormulation,
): ToolSpec[] {
  const tools = definitions(formulation, offeredColumns(service.start_tables, service.catalog));
  const open: Offer = { startTables: [], columns: [], describeColumns: false };
  return [initializeActiveData, ...tools].map((tool) => toSpec(tool, open));
}

function definitions(formulation: ToolFormulation, columns: readonly OfferedColumn[]): ToolDefinition[] {
  if (formulation === 'slot') return Object.values(SLOT_TOOLS);
  return [
    ...Object.values(SEL_TOOLS),
    ...columns.map(({ key, description }) => getterTool(key, description)),
  ];
}

function toSpec(tool: ToolDefinition, offer: Offer): ToolSpec {
  return {
    name: tool.name,
    description: shorten(tool.description),
    parameters: argumentsSchema(tool, offer),
  };
}

/** To what one provider takes as the description of a function. */
function shorten(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1).trimEnd()}…`;
}
