import { z } from 'zod';
import { fieldError } from '../../../base/arguments/argument-error.ts';
import { columnField, handleField, newColumnField } from '../arguments/fields.ts';
import { readOperationArguments } from '../arguments/operation-arguments.ts';
import { resolveColumn, resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { withReferenceTime } from '../operations/dates.ts';
import { OPERATION_NAMES, OPERATIONS, operation } from '../operations/operations.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { TransformPlan } from '../plan/plan.ts';
import { describeOperations, operationArgumentsField } from './operation-arguments.ts';

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
    // A date that is stored is no clock.
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
