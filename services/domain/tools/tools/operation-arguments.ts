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

/** `(operand, reverse?): add – the sum …; subtract – …. no arguments: upper – …`: those with the same arguments together. */
export function describeOperations(operations: Readonly<Record<string, Operation>>): string {
  return byArguments(operations, (name, description) => `${name} – ${description}`, '; ');
}

/** `(operand, reverse?): add, subtract. no arguments: upper, lower` */
export function nameOperations(operations: Readonly<Record<string, Operation>>): string {
  return byArguments(operations, (name) => name, ', ');
}

function byArguments(
  operations: Readonly<Record<string, Operation>>,
  say: (name: string, description: string) => string,
  separator: string,
): string {
  const groups = new Map<string, string[]>();
  for (const [name, { args, description }] of Object.entries(operations)) {
    const taken = describeArguments(args);
    groups.set(taken, [...(groups.get(taken) ?? []), say(name, description)]);
  }
  return [...groups].map(([taken, said]) => `${taken}: ${said.join(separator)}`).join('. ');
}

function describeArguments(args: Operation['args']): string {
  const names = Object.entries(args).map(([name, { optional }]) => (optional ? `${name}?` : name));
  return names.length === 0 ? 'no arguments' : `(${names.join(', ')})`;
}
