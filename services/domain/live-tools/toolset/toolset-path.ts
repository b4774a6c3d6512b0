import { domainPath } from '../../../../contracts/domain-path.ts';
import type { Service } from '../../../../contracts/service.ts';
import type { StartTable } from '../../../../contracts/start-table.ts';
import type { ToolFormulation } from '../plans/find-tool.ts';

/** Where a running farm gives the tools of a task that begins from these start tables. */
export function toolsetPath(
  { split, db }: Pick<Service, 'split' | 'db'>,
  formulation: ToolFormulation,
  startTables: readonly Pick<StartTable, 'handle'>[],
): string {
  const handles = startTables.map(({ handle }) => handle).join(',');
  return `${domainPath(split, db)}/${formulation}/toolset?start_table=${handles}`;
}
