import type { z } from 'zod';
import type { Plan } from '../plan/plan.ts';
import type { Scope } from './scope.ts';

/** A tool: its arguments, and the plan it makes of them. It never reads rows. */
export interface ToolDefinition<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** For agents: what the tool does and what it returns. */
  readonly description: string;
  /**
   * The arguments. Fields that hold the name of a column carry the meta `x-key-name: true`, those that hold a handle
   * `x-handle: true`, for the enums of a toolset.
   */
  readonly args: Schema;
  /** True where there are no rows, so that no argument can be a column of them. */
  readonly withoutRows?: boolean;
  /** Throws ArgumentError, one entry a field at fault. */
  readonly plan: (args: z.output<Schema>, scope: Scope) => Plan;
}

/** A tool definition whose `plan` knows the type of its arguments. */
export function defineTool<Schema extends z.ZodObject>(tool: ToolDefinition<Schema>): ToolDefinition {
  return tool as unknown as ToolDefinition;
}
