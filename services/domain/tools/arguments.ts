import { z } from 'zod';
import type { Catalog } from '../../../contracts/catalog.ts';
import { type OperandArgument, operand } from '../../../contracts/tools.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { type ArgumentError, fieldError, parseArguments } from '../../base/arguments.ts';
import { type Bound, condition } from './conditions.ts';
import { argumentsSchema, type Operation } from './operations.ts';
import {
  HANDLE_PATTERN,
  type Operand,
  type OperationArgument,
  type OperationArguments,
  type Plan,
  type PlanColumn,
  type Test,
} from './plan.ts';

/** A tool: its arguments, and the plan that it makes from them. It never reads rows. */
export interface ToolDefinition<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  /**
   * The arguments. Fields with the name of a column have the meta `x-key-name: true`, those with a handle `x-handle:
   * true`, for the enums of a toolset.
   */
  readonly args: Schema;
  /** True if there are no rows, so that no argument can be a column. */
  readonly withoutRows?: boolean;
  /** Throws ArgumentError, one entry per invalid field. */
  readonly plan: (args: z.output<Schema>, scope: Scope) => Plan;
}

/** Types `plan` by the tool's schema. */
export function defineTool<Schema extends z.ZodObject>(tool: ToolDefinition<Schema>): ToolDefinition {
  return tool as unknown as ToolDefinition;
}

/** A `data_source`: a start table or an earlier result. */
export const handleField = (description: string) => z.string().meta({ 'x-handle': true, description });

export const columnField = (description: string) => z.string().meta({ 'x-key-name': true, description });

export const columnsField = (description: string) =>
  z
    .union([z.string().meta({ 'x-key-name': true }), z.array(z.string().meta({ 'x-key-name': true }))])
    .meta({ description });

export const testValueField = (description: string) =>
  z
    .union([operand, z.array(operand)])
    .optional()
    .meta({ description });

export const newColumnField = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_]{1,64}$/)
    .optional()
    .meta({ description: 'name of a new column for the result; without it the column itself is replaced' });

export const asList = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;

export interface Scope {
  readonly catalog: Catalog;
  /** The plan of a handle (in a sample, of a label); undefined if there is none. */
  readonly find: (name: string) => Plan | undefined;
  /** The date that the text `now` means. Default: SQLite's clock. */
  readonly referenceTime?: string;
}

/** The `x` of `$x$`, or null. */
export function referenceIn(text: string): string | null {
  return text.length > 2 && text.startsWith('$') && text.endsWith('$') ? text.slice(1, -1) : null;
}

/**
 * Whether a text value must be meant as an earlier result: one word between dollar signs, optionally followed by a
 * path. As text it would match nothing in the database, and an unknown name would go unnoticed.
 */
export function looksLikeReference(text: string): boolean {
  return /^\$[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+|\[\d+\])*\$(?:\.[\p{L}\p{N}_-]+|\[\d+\])*$/u.test(text);
}

/** Resolves a field that must name a plan: `handle` or `$handle$`. Throws ArgumentError unknown_handle. */
export function resolveHandle(text: string, field: string, scope: Scope): Plan {
  const name = referenceIn(text) ?? text;
  const plan = scope.find(name);
  if (plan) return plan;
  throw unknownHandle(text, field);
}

export function unknownHandle(text: string, field: string): ArgumentError {
  return fieldError(
    field,
    'unknown_handle',
    `there is no result ${text.slice(0, 80)} here, or it has expired: repeating the calls that made it gives it the same handle`,
  );
}

/** The plan's column of that name. Throws ArgumentError unknown_column with the nearest names. */
export function resolveColumn(plan: Plan, key: string, field: string): PlanColumn {
  const found =
    plan.columns.find((column) => column.key === key) ??
    plan.columns.find((column) => column.key.toLowerCase() === key.toLowerCase());
  if (found) return found;
  const suggestions = nearestColumns(
    key,
    plan.columns.map((column) => column.key),
  );
  const message = `${plan.handle} has no column ${key.slice(0, 80)}${didYouMean(suggestions)}`;
  throw fieldError(field, 'unknown_column', message, suggestions);
}

/** Columns of that name in some table come before misspellings. */
function nearestColumns(key: string, keys: readonly string[]): string[] {
  const ending = `_${key.toLowerCase()}`;
  const same = keys.filter((known) => known.toLowerCase().endsWith(ending));
  return [...new Set([...same, ...nearestNames(key, keys)])].slice(0, 3);
}

/** Parses an operand. `source` is the table whose columns it may name; null if there is no row. */
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
    // As text it would match nothing in the database, and the mistake would go unnoticed.
    if (HANDLE_PATTERN.test(value) && scope.find(value)) {
      throw fieldError(field, 'wrong_type', `${field} is a handle: write $${value}$ for what it holds`);
    }
  }
  return { kind: 'literal', value: literal(value as OperandArgument, field) };
}

/** A condition and its value as a test. Throws ArgumentError if the value does not fit the condition. */
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

/** Whole numbers are integers. Text that must be a real number is written "100.0". */
function literal(value: OperandArgument, field: string): Bound {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  throw fieldError(field, 'wrong_type', `${field} must be a value`);
}

/**
 * The `operation_args` of a call in the form that a plan keeps. null for an unknown or optional argument counts as
 * absent, except for the value of a condition.
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
