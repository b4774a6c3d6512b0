import { z } from 'zod';
import { parseArguments } from '../../../base/arguments/parse-arguments.ts';
import type { ToolDefinition } from '../arguments/tool-definition.ts';

interface Binding {
  readonly name: string;
  readonly description: string;
  readonly slotTool: ToolDefinition;
  /** The arguments that stay open. */
  readonly args: Readonly<Record<string, z.ZodType | undefined>>;
  /** The arguments of the SLOT tool, from those that stay open. */
  readonly toSlot: (args: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/** A SLOT tool with some of its arguments bound: the same plans, hence the same handles. */
export function boundTool(binding: Binding): ToolDefinition {
  const shape = Object.fromEntries(Object.entries(binding.args).filter(([, schema]) => schema !== undefined));
  return {
    name: binding.name,
    description: binding.description,
    ...(binding.slotTool.withoutRows ? { withoutRows: true } : {}),
    args: z.strictObject(shape as Record<string, z.ZodType>),
    plan: (args, scope) =>
      binding.slotTool.plan(
        parseArguments(binding.slotTool.args, withoutUndefined(binding.toSlot(args))),
        scope,
      ),
  };
}

/** The schemas of a tool's arguments by name. */
export function shapeOf(tool: ToolDefinition): Readonly<Record<string, z.ZodType>> {
  return tool.args.shape as Record<string, z.ZodType>;
}

function withoutUndefined(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}
