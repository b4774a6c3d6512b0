import { z } from 'zod';
import { operand } from '../../../../contracts/tools.ts';
import { readOperand } from '../arguments/operands.ts';
import { readOperationArguments } from '../arguments/operation-arguments.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { withReferenceTime } from '../operations/dates.ts';
import { operation, ROW_OPERATION_NAMES, ROW_OPERATIONS } from '../operations/operations.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { CalculatePlan } from '../plan/plan.ts';
import { nameOperations, operationArgumentsField } from './operation-arguments.ts';

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
