import { z } from 'zod';
import { startTableDefinition } from '../../../../contracts/start-table.ts';
import { fieldError } from '../../../base/arguments/argument-error.ts';
import type { Scope } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { splitPath } from '../compile/split-path.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { StartPlan } from '../plan/plan.ts';
import { catalogTable, startColumns } from '../plan/start-columns.ts';

export const initializeActiveData = defineTool({
  name: 'initialize_active_data',
  description:
    'Joins tables of the database into the start table of a task. This is the preparation of a task rather than ' +
    'part of its answer: the start tables of a farm have their handles already.',
  args: z.strictObject(startTableDefinition.shape),
  plan: (definition, scope) => startPlan(definition, scope),
});

/** The plan of a start table. Throws ArgumentError for tables, aliases and columns that do not exist. */
export function startPlan(
  definition: z.output<typeof startTableDefinition>,
  scope: Pick<Scope, 'catalog'>,
): StartPlan {
  const dict = definition.alias_to_table_dict;
  const tables = Object.values(dict);
  if (tables.length === 0) throw fieldError('alias_to_table_dict', 'missing', 'a start table needs a table');
  const columns = startColumns(definition, scope.catalog).map(({ key, origin }) => ({ key, origin }));
  definition.condition_sequence.forEach((condition, i) => {
    for (const path of condition.slice(0, 2)) {
      const { alias, column } = splitPath(path);
      const field = `condition_sequence[${i}]`;
      const table = dict[alias];
      if (!table) throw fieldError(field, 'unknown_table', `${path} names no alias of alias_to_table_dict`);
      const known = catalogTable(scope.catalog, table.original_table_name).columns;
      const found = known.some(({ name }) => name.toLowerCase() === column.toLowerCase());
      if (!found)
        throw fieldError(field, 'unknown_column', `${table.original_table_name} has no column ${column}`);
    }
  });
  const word = `start_${tables.map((table) => table.modified_table_name).join('_')}`;
  return makePlan<StartPlan>(word, { op: 'start', columns, definition });
}
