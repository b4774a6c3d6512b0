/**
 * The SLOT tools: general-purpose table operations whose arguments name columns. How the parts fit:
 *
 * - A **tool** (`tools/*.ts`) is a zod schema, a description and `plan(args, scope) → Plan`. It never reads rows.
 *   `parseArguments` checks the arguments; an `ArgumentError` carries one `FieldError` for each field at fault.
 * - A **plan** (`plan/plan.ts`) is an immutable tree. `makePlan` gives it its handle, a hash of its content.
 *   `plan.columns` are its columns; `origin` leads back to the catalog for descriptions.
 * - A **handle** names a plan that `live-tools/plans/known-plans.ts` keeps. In arguments it stands as `handle` or
 *   `$handle$` where a data source is wanted, and as `$handle$` where a value or a list is.
 * - `compile/` turns a plan into one SELECT; `compile/statements.ts` has the three that answers need.
 * - The server's path is `live-tools/`: `DomainTools` makes plans of calls, `answerPlan` makes answers of plans, and
 *   `runStatement` runs their statements with a time limit. What an answer shows (`?preview=3&offset=0&limit=1000`)
 *   comes from the request, not from the tool's arguments.
 * - The **SEL** tools (`sel/sel-tools.ts`: `SEL_TOOLS`, and one getter a column from `getterTool`) are definitions of
 *   the same type, made by binding arguments of these. Same plans, same handles.
 * - Toolsets (`live-tools/toolset/`): the JSON Schema of a tool's arguments, in which every node that carries
 *   `x-key-name: true` becomes an enum of the start table's columns. The enum is advice: an argument may also name a
 *   column that an earlier call has made, so the server does not check it.
 * - How an answer is put together from the calls of a sequence: contracts/assemble-answer.ts.
 */
import type { ToolDefinition } from './arguments/tool-definition.ts';
import { aggregateData } from './tools/aggregate-data.ts';
import { calculate } from './tools/calculate.ts';
import { combineResults } from './tools/combine-results.ts';
import { combineRows } from './tools/combine-rows.ts';
import { describeColumns } from './tools/describe-columns.ts';
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
    describeColumns,
  ].map((tool) => [tool.name, tool]),
);
