import { fieldError } from '../../../base/arguments/argument-error.ts';
import { parseArguments } from '../../../base/arguments/parse-arguments.ts';
import { argumentsSchema, type Operation } from '../operations/operation.ts';
import type { Operand, OperationArgument, OperationArguments, Plan } from '../plan/plan.ts';
import { readOperand, readTest } from './operands.ts';
import { resolveColumn, type Scope } from './scope.ts';

/**
 * The `operation_args` of a call as the plan keeps them. null for an argument that the operation does not have or can
 * do without counts as left out, except for the value of a condition.
 */
export function readOperationArguments(
  operation: Operation,
  given: unknown,
  field: string,
  source: Plan | null,
  scope: Scope,
): OperationArguments {
  const some = needed(operation, given);
  const values: Record<string, unknown> = parseArguments(argumentsSchema(operation), some, `${field}.`);
  const result: Record<string, OperationArgument> = {};
  for (const [name, { kind, whole = false }] of Object.entries(operation.args)) {
    const value = values[name];
    const at = `${field}.${name}`;
    if (kind === 'condition') {
      const test = readTest(String(value), values.value, `${field}.value`, source, scope);
      result.test = { kind: 'test', test };
      continue;
    }
    if (value === undefined || kind === 'test_value') continue;
    if (kind === 'operand') {
      const operand = readOperand(value, at, source, scope);
      if (whole) requireWhole(operand, value, at);
      result[name] = operand;
    } else if (kind === 'option')
      result[name] = { kind: 'option', value: value as string | number | boolean };
    else if (kind === 'operands')
      result[name] = { kind: 'operands', values: operands(value, at, source, scope) };
    else if (kind === 'columns')
      result[name] = { kind: 'texts', values: columns(value as string[], at, source) };
    else result[name] = { kind: 'order', keys: order(value as OrderArgument[], at, source) };
  }
  return result;
}

function operands(values: unknown, field: string, source: Plan | null, scope: Scope): Operand[] {
  return (values as unknown[]).map((value, i) => readOperand(value, `${field}[${i}]`, source, scope));
}

function requireWhole(operand: Operand, given: unknown, field: string): void {
  const isOther = operand.kind === 'literal' && operand.value !== null && typeof operand.value !== 'bigint';
  if (!isOther && typeof given !== 'boolean') return;
  throw fieldError(field, 'wrong_type', `${field} must be a whole number, a column or an earlier result`);
}

function needed(operation: Operation, given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const isLeftOut = (name: string): boolean => {
    const spec = Object.hasOwn(operation.args, name) ? operation.args[name] : undefined;
    return !spec || (spec.optional && spec.kind !== 'test_value');
  };
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null || !isLeftOut(name)),
  );
}

type OrderArgument = { readonly key_name: string; readonly ascending: boolean };

function columns(names: readonly string[], field: string, source: Plan | null): string[] {
  return names.map((name, i) => resolveColumn(source as Plan, name, `${field}[${i}]`).key);
}

function order(terms: readonly OrderArgument[], field: string, source: Plan | null) {
  return terms.map(({ key_name, ascending }, i) => ({
    key: resolveColumn(source as Plan, key_name, `${field}[${i}].key_name`).key,
    ascending,
  }));
}
