import type { Sql } from '../sql/sql.ts';
import { sql } from '../sql/sql.ts';
import { given, type RowOperation } from './operation.ts';

const rowOperation = (description: string, args: RowOperation['args'], write: RowOperation['sql']): RowOperation => ({
  scope: 'row',
  description,
  args,
  sql: write,
});

const NUMBER = 'a number (write "100.0" for a real one), a column or an earlier result';

const binary = (description: string, write: (left: Sql, right: Sql) => Sql): RowOperation =>
  rowOperation(
    description,
    { operand: given.operand(NUMBER), reverse: given.flag('true: the operand is the left side') },
    (value, args) =>
      args.option('reverse') === true
        ? write(args.operand('operand'), value)
        : write(value, args.operand('operand')),
  );

const TYPES = {
  integer: sql`INTEGER`,
  real: sql`REAL`,
  text: sql`TEXT`,
  numeric: sql`NUMERIC`,
  blob: sql`BLOB`,
} as const;

const BITWISE: Readonly<Record<string, Sql>> = {
  and: sql`&`,
  or: sql`|`,
  shift_left: sql`<<`,
  shift_right: sql`>>`,
};

export const ARITHMETIC_OPERATIONS = {
  absolute_value: rowOperation('the value without its sign', {}, (value) => sql`abs(${value})`),
  add: binary('the sum with the operand', (left, right) => sql`(${left} + ${right})`),
  subtract: binary('the value less the operand', (left, right) => sql`(${left} - ${right})`),
  multiply: binary('the product with the operand', (left, right) => sql`(${left} * ${right})`),
  divide: binary(
    'the value divided by the operand: an integer when both are integers, NULL when the operand is 0',
    (left, right) => sql`(${left} / ${right})`,
  ),
  modulo: binary(
    'the rest of the integer division by the operand',
    (left, right) => sql`(${left} % ${right})`,
  ),
  bitwise: rowOperation(
    'the bits of the whole number combined with those of the operand: those in both (and), in either (or), or its ' +
      'own shifted by so many places (shift_left, shift_right)',
    {
      operator: given.choice(['and', 'or', 'shift_left', 'shift_right'], 'how to combine them'),
      operand: given.operand('a whole number, a column or an earlier result'),
      reverse: given.flag('true: the operand is the left side'),
    },
    (value, args) => {
      const operator = BITWISE[String(args.option('operator'))] as Sql;
      const operand = args.operand('operand');
      return args.option('reverse') === true
        ? sql`(${operand} ${operator} ${value})`
        : sql`(${value} ${operator} ${operand})`;
    },
  ),
  round: rowOperation(
    'the value rounded to some decimals',
    { digits: given.optionalOperand('decimals to keep; 0 unless given') },
    (value, args) => {
      const digits = args.optionalOperand('digits');
      return digits ? sql`round(${value}, ${digits})` : sql`round(${value})`;
    },
  ),
  floor: rowOperation('the largest whole number that is not larger', {}, (value) => sql`floor(${value})`),
  ceiling: rowOperation('the smallest whole number that is not smaller', {}, (value) => sql`ceil(${value})`),
  square_root: rowOperation('the square root', {}, (value) => sql`sqrt(${value})`),
  power: rowOperation(
    'the value raised to a power',
    { operand: given.operand('the power') },
    (value, args) => sql`pow(${value}, ${args.operand('operand')})`,
  ),
  smaller: rowOperation(
    'the smaller of the value and the operand',
    { operand: given.operand(NUMBER) },
    (value, args) => sql`min(${value}, ${args.operand('operand')})`,
  ),
  larger: rowOperation(
    'the larger of the value and the operand',
    { operand: given.operand(NUMBER) },
    (value, args) => sql`max(${value}, ${args.operand('operand')})`,
  ),
  cast: rowOperation(
    'the value as another type, by SQLite’s rules: text that begins with a number gives that number, else 0',
    {
      type: given.choice(
        Object.keys(TYPES) as [string, ...string[]],
        'the type: integer, real, text, numeric or blob',
      ),
    },
    (value, args) => sql`CAST(${value} AS ${TYPES[args.option('type') as keyof typeof TYPES]})`,
  ),
} as const satisfies Record<string, RowOperation>;
