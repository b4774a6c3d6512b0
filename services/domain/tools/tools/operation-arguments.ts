import { z } from 'zod';
import type { Operation } from '../operations/operation.ts';

/**
 * The field `operation_args` of a tool that takes one of several operations: every argument any of them has,
 * all optional. Which ones an operation needs is checked when the call is read.
 */
export function operationArgumentsField(operations: Readonly<Record<string, Operation>>) {
  const shape: Record<string, z.ZodType> = {};
  for (const operation of Object.values(operations)) {
    for (const [name, spec] of Object.entries(operation.args)) {
      // `value` is a list in some operations: the wider schema has to win.
      if (!(name in shape) || spec.kind === 'test_value') shape[name] = spec.schema.optional();
    }
  }
  return z.looseObject(shape).default({}).meta({ description: 'the arguments of the operation' });
}

/** `substring(start_index, end_index?): the part of the text …; …` */
export function describeOperations(operations: Readonly<Record<string, Operation>>): string {
  return Object.entries(operations)
    .map(([name, { args, description }]) => `${name}(${describeArguments(args)}): ${description}`)
    .join('; ');
}

function describeArguments(args: Operation['args']): string {
  return Object.entries(args)
    .map(([name, { optional }]) => (optional ? `${name}?` : name))
    .join(', ');
}
