/**
 * The SLOT tools: general-purpose table operations whose arguments name columns.
 *
 * How the parts fit, for whoever serves or lowers to them:
 *
 * - A **tool** (`tools/*.ts`) is a zod schema, a description and `plan(args, scope) → Plan`. It never touches
 *   rows. `parseArguments` checks the arguments; a `ToolError` carries one `FieldError` a field at fault.
 * - A **plan** (`plan/plan.ts`) is an immutable tree. `makePlan` gives it its handle, a hash of its content.
 *   `plan.columns` are its columns; `origin` leads back to the catalog for descriptions.
 * - A **handle** names a plan in a `HandleStore`. In arguments it stands as `handle` or `$handle$` where a
 *   data source is wanted, and as `$handle$` where a value or list is.
 * - `compile/` turns a plan into one SELECT; `compile/statements.ts` has the three that answers need.
 * - `execute(tool, args, context)` does all of it in-process. `context.run` is the only way to the database:
 *   hand it whatever runs a SELECT with a time limit (the child pool in the server, a connection in tests).
 *   `context.previewRows` and `context.page` come from the request (`?preview=3&offset=0&limit=1000`), not
 *   from the tool's arguments.
 * - The **SEL** tools (`sel/sel-tools.ts`: `SEL_TOOLS`, and one getter a column from `getterTool`) are definitions of the
 *   same type made by binding arguments of these; `findSelTool(name, keys)` finds one for a call (keys: the columns of
 *   the plan its data source names), and `execute` runs it. Same plans, same handles.
 * - Toolsets: `z.toJSONSchema(tool.args, { io: 'input' })`, then replace every node that carries
 *   `x-key-name: true` by an enum of the start table's keys (`startColumns(definition, catalog)`; also `*` where
 *   `x-all-rows` is set) and drop the `x-` marks. Arguments that may also name a column made by an earlier call
 *   must stay open, so the enum is advice in the specification and not what the server checks.
 * - How an answer is put together from the calls of a sequence: contracts/assemble-answer.ts.
 */
import type { ToolDefinition } from './tool-definition.ts';
import { aggregateData } from './tools/aggregate-data.ts';
import { calculate } from './tools/calculate.ts';
import { combineResults } from './tools/combine-results.ts';
import { combineRows } from './tools/combine-rows.ts';
import { filterData } from './tools/filter-data.ts';
import { groupDataBy } from './tools/group-data-by.ts';
import { joinData } from './tools/join-data.ts';
import { retrieveData } from './tools/retrieve-data.ts';
import { selectColumns } from './tools/select-columns.ts';
import { selectUniqueValues } from './tools/select-unique-values.ts';
import { sortData } from './tools/sort-data.ts';
import { transformData } from './tools/transform-data.ts';
import { truncate } from './tools/truncate.ts';

/** Every SLOT tool by name; the first seven are the paper's. */
export const SLOT_TOOLS: Readonly<Record<string, ToolDefinition>> = Object.fromEntries(
  [
    filterData,
    sortData,
    groupDataBy,
    aggregateData,
    transformData,
    selectUniqueValues,
    retrieveData,
    truncate,
    selectColumns,
    combineRows,
    combineResults,
    joinData,
    calculate,
  ].map((tool) => [tool.name, tool]),
);
