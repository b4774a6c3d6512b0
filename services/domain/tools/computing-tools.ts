import { z } from 'zod';
import { operand } from '../../../contracts/tools.ts';
import { fieldError } from '../../base/arguments.ts';
import {
  columnField,
  defineTool,
  handleField,
  newColumnField,
  readOperand,
  readOperationArguments,
  resolveColumn,
  resolveHandle,
} from './arguments.ts';
import {
  OPERATION_NAMES,
  OPERATIONS,
  type Operation,
  operation,
  ROW_OPERATION_NAMES,
  ROW_OPERATIONS,
  withReferenceTime,
} from './operations.ts';
import { type CalculatePlan, makePlan, type TransformPlan } from './plan.ts';

/**
 * The field `operation_args` of a tool with several operations: all arguments of all operations, all optional. Parsing
 * a call checks which ones its operation needs.
 */
export function operationArgumentsField(operations: Readonly<Record<string, Operation>>) {
  const shape: Record<string, z.ZodType> = {};
  for (const operation of Object.values(operations)) {
    for (const [name, spec] of Object.entries(operation.args)) {
      // Where `value` is a list in some operations, the wider schema wins.
      if (!(name in shape) || spec.kind === 'test_value') shape[name] = spec.schema.optional();
    }
  }
  return z.looseObject(shape).default({}).meta({ description: 'the arguments of the operation' });
}

/** `(operand, reverse?): add – the sum …; subtract – …. no arguments: upper – …`, grouped by arguments. */
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

export const transformData = defineTool({
  name: 'transform_data',
  description:
    'Computes a new value for every row from one column and replaces the column by it, or puts it into a new ' +
    'column.',
  args: z.strictObject({
    data_source: handleField('the table to change'),
    key_name: columnField('the column to compute from'),
    operation_type: z
      .enum(OPERATION_NAMES)
      .meta({ description: `what to compute: ${describeOperations(OPERATIONS)}` }),
    operation_args: operationArgumentsField(OPERATIONS),
    new_key_name: newColumnField(),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const { key, origin } = resolveColumn(input, args.key_name, 'key_name');
    const name = args.operation_type;
    const given = readOperationArguments(
      operation(name),
      args.operation_args,
      'operation_args',
      input,
      scope,
    );
    // A stored date does not depend on the clock.
    const read = origin ? given : withReferenceTime(name, given, scope.referenceTime);
    const target = args.new_key_name ?? key;
    const taken = input.columns.some((column) => column.key.toLowerCase() === target.toLowerCase());
    if (args.new_key_name !== undefined && taken) {
      throw fieldError('new_key_name', 'taken', `${input.handle} already has a column ${target}`);
    }
    const made = { key: target, origin: null };
    const columns = taken
      ? input.columns.map((column) => (column.key === key ? made : column))
      : [...input.columns, made];
    return makePlan<TransformPlan>('transformed', {
      op: 'transform',
      columns,
      input,
      key,
      target,
      operation: name,
      args: read,
    });
  },
});

export const calculate = defineTool({
  name: 'calculate',
  withoutRows: true,
  description: 'Computes one value from another, such as the quotient of two earlier results.',
  args: z.strictObject({
    input: operand.meta({ description: 'a value, or `$handle$` of an earlier result' }),
    operation_type: z
      .enum(ROW_OPERATION_NAMES)
      .meta({ description: `what to compute, as transform_data does: ${nameOperations(ROW_OPERATIONS)}` }),
    operation_args: operationArgumentsField(ROW_OPERATIONS),
  }),
  plan: (args, scope) => {
    const name = args.operation_type;
    const value = readOperand(args.input, 'input', null, scope);
    const given = readOperationArguments(operation(name), args.operation_args, 'operation_args', null, scope);
    const read = withReferenceTime(name, given, scope.referenceTime);
    const columns = [{ key: name, origin: null }];
    return makePlan<CalculatePlan>('value', { op: 'calculate', columns, value, operation: name, args: read });
  },
});
