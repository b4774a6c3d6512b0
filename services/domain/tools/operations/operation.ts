import { z } from 'zod';
import { operand } from '../../../../contracts/tools.ts';
import { CONDITION_NAMES } from '../plan/conditions.ts';
import type { Sql } from '../sql/sql.ts';

/** The kinds of arguments of operations, and how they are parsed. */
export type ArgumentKind =
  | 'operand'
  | 'operands'
  | 'option'
  | 'texts'
  | 'columns'
  | 'order'
  | 'condition'
  | 'test_value';

export interface ArgumentSpec {
  readonly kind: ArgumentKind;
  readonly schema: z.ZodType;
  readonly optional: boolean;
  /** A literal must be a whole number: SQLite would make 0 of any text. */
  readonly whole?: boolean;
}

/** An operation of `transform_data`; those that look at one row only serve `calculate` too. */
export type Operation = RowOperation | WindowOperation;

interface OperationBase {
  /** Completes "the new value is …". */
  readonly description: string;
  readonly args: Readonly<Record<string, ArgumentSpec>>;
}

export interface RowOperation extends OperationBase {
  readonly scope: 'row';
  readonly sql: (value: Sql, args: ArgumentReader) => Sql;
}

export interface WindowOperation extends OperationBase {
  readonly scope: 'window';
  readonly sql: (value: Sql, args: WindowReader) => Sql;
}

/** The arguments of a call as SQL; the specs define which are present. */
export interface ArgumentReader {
  /** Throws when the operand was not given. */
  readonly operand: (name: string) => Sql;
  readonly optionalOperand: (name: string) => Sql | null;
  readonly option: (name: string) => string | number | boolean | null;
  /** Those of a list; none when it was not given. */
  readonly operands: (name: string) => readonly Sql[];
  /** The condition and its value, applied to a left side. */
  readonly test: (left: Sql) => Sql;
}

export interface WindowReader extends ArgumentReader {
  /** `PARTITION BY …`, or nothing. */
  readonly partition: Sql;
  /** The rows' order: the argument `order_by` if given, and where that ties (or is not given) the row order. */
  readonly order: readonly Sql[];
  /** The argument `order_by` alone: rows that tie are peers. */
  readonly peers: readonly Sql[];
  /** The value's own order, by the argument `ascending`. */
  readonly direction: Sql;
}

const spec = (kind: ArgumentKind, schema: z.ZodType, optional: boolean): ArgumentSpec => ({
  kind,
  schema: optional ? schema.optional() : schema,
  optional,
});

const columnName = () => z.string().meta({ 'x-key-name': true });

/** Specs of arguments, to be read as a table: `args: { operand: given.operand('…') }`. */
export const given = {
  operand: (description: string) => spec('operand', operand.describe(description), false),
  optionalOperand: (description: string) => spec('operand', operand.describe(description), true),
  whole: (description: string): ArgumentSpec => ({
    ...spec('operand', operand.describe(description), false),
    whole: true,
  }),
  optionalWhole: (description: string): ArgumentSpec => ({
    ...spec('operand', operand.describe(description), true),
    whole: true,
  }),
  choice: (values: readonly [string, ...string[]], description: string) =>
    spec('option', z.enum(values).describe(description), false),
  optionalChoice: (values: readonly [string, ...string[]], description: string) =>
    spec('option', z.enum(values).describe(description), true),
  text: (description: string) => spec('option', z.string().describe(description), false),
  optionalText: (description: string) => spec('option', z.string().describe(description), true),
  /** A path into JSON, as SQLite writes it. */
  jsonPath: (description: string) => spec('option', z.string().regex(/^\$/).describe(description), true),
  flag: (description: string) => spec('option', z.boolean().describe(description), true),
  count: (description: string) => spec('option', z.number().int().nonnegative().describe(description), true),
  operands: (description: string) => spec('operands', z.array(operand).max(8).describe(description), true),
  columns: (description: string) => spec('columns', z.array(columnName()).describe(description), true),
  order: (description: string) =>
    spec(
      'order',
      z.array(z.strictObject({ key_name: columnName(), ascending: z.boolean() })).describe(description),
      true,
    ),
  condition: () => spec('condition', z.enum(CONDITION_NAMES).describe('how the value is tested'), false),
  testValue: () =>
    spec(
      'test_value',
      z
        .union([operand, z.array(operand)])
        .describe('what it is compared with: a list for in and not_in, [low, high] for between'),
      true,
    ),
} as const;

/** The zod schema of an operation's arguments. */
export function argumentsSchema(operation: Operation): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(Object.entries(operation.args).map(([name, { schema }]) => [name, schema])),
  );
}
