import type { OperandArgument } from '../../../../contracts/tools.ts';
import { fieldError } from '../../../base/arguments/argument-error.ts';
import { condition } from '../plan/conditions.ts';
import { HANDLE_PATTERN } from '../plan/make-plan.ts';
import type { Operand, Plan, Test } from '../plan/plan.ts';
import type { Bound } from '../sql/sql.ts';
import { looksLikeReference, referenceIn, resolveColumn, resolveHandle, type Scope } from './scope.ts';

/** An argument as an operand. `source` is the table whose columns it may name; null where there is no row. */
export function readOperand(value: unknown, field: string, source: Plan | null, scope: Scope): Operand {
  if (typeof value === 'object' && value !== null && 'key_name' in value) {
    if (!source) throw fieldError(field, 'wrong_type', `${field} cannot be a column here: there are no rows`);
    const { key } = resolveColumn(source, String(value.key_name), `${field}.key_name`);
    return { kind: 'column', key };
  }
  if (typeof value === 'string') {
    const name = referenceIn(value);
    if (looksLikeReference(value) || (name !== null && scope.find(name))) {
      return { kind: 'result', plan: singleColumn(resolveHandle(value, field, scope), field) };
    }
    // As a text it would match nothing in the database, and the mistake would go unnoticed.
    if (HANDLE_PATTERN.test(value) && scope.find(value)) {
      throw fieldError(field, 'wrong_type', `${field} is a handle: write $${value}$ for what it holds`);
    }
  }
  return { kind: 'literal', value: literal(value as OperandArgument, field) };
}

/** A condition and its value as a test. Throws ArgumentError when the value does not fit the condition. */
export function readTest(
  name: string,
  value: unknown,
  field: string,
  source: Plan | null,
  scope: Scope,
): Test {
  const { arity } = condition(name);
  const operand = (item: unknown, at: string) => readOperand(item, at, source, scope);
  if (arity === 'none') return { condition: name, operands: [], list: null };
  if (value === undefined)
    throw fieldError(field, 'missing', `${field} is missing: ${name} compares with it`);
  if (arity === 'one') {
    if (Array.isArray(value)) throw fieldError(field, 'wrong_type', `${field} must be one value for ${name}`);
    return { condition: name, operands: [operand(value, field)], list: null };
  }
  if (arity === 'list' && typeof value === 'string') {
    const reference = operand(value, field);
    if (reference.kind === 'result') return { condition: name, operands: [], list: reference.plan };
    const found = scope.find(value);
    if (found) return { condition: name, operands: [], list: singleColumn(found, field) };
  }
  const fits = Array.isArray(value) && (arity === 'list' || value.length === 2);
  if (!fits) {
    const wanted = arity === 'two' ? 'a list [low, high]' : 'a list of values, or the handle of a column';
    throw fieldError(field, 'wrong_type', `${field} must be ${wanted} for ${name}`);
  }
  return { condition: name, operands: value.map((item, i) => operand(item, `${field}[${i}]`)), list: null };
}

function singleColumn(plan: Plan, field: string): Plan {
  if (plan.columns.length === 1) return plan;
  throw fieldError(
    field,
    'wrong_type',
    `${field} must be a value or a column, and ${plan.handle} has ${plan.columns.length} columns`,
  );
}

/** Whole numbers are integers; text that must be a real number is written "100.0". */
function literal(value: OperandArgument, field: string): Bound {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  throw fieldError(field, 'wrong_type', `${field} must be a value`);
}
