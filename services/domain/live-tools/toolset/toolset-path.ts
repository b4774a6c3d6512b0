import { toolRoot } from '../../../../contracts/formulations/tool-chain.ts';
import type { Service } from '../../../../contracts/service.ts';
import type { StartTable } from '../../../../contracts/start-table.ts';
import type { ToolFormulation } from '../toolboxes/toolboxes.ts';

/** Where a running farm gives the tools of a task that begins from these start tables. */
export function toolsetPath(
  service: Pick<Service, 'split' | 'db'>,
  formulation: ToolFormulation,
  startTables: readonly Pick<StartTable, 'handle'>[],
): string {
  const handles = startTables.map(({ handle }) => handle).join(',');
  return `${toolRoot(service, formulation)}/toolset?start_table=${handles}`;
}
