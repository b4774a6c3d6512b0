import { sql } from '../sql/sql.ts';
import { given, type RowOperation } from './operation.ts';

const test = { condition: given.condition(), value: given.testValue() };

export const CONDITIONAL_OPERATIONS = {
  choose: {
    scope: 'row',
    description:
      '`if_true` where the condition is true of the value, `if_false` where it is false or unknown',
    args: {
      ...test,
      if_true: given.operand('the value where the condition is true'),
      if_false: given.operand('the value everywhere else'),
    },
    sql: (value, args) =>
      sql`(CASE WHEN ${args.test(value)} THEN ${args.operand('if_true')} ELSE ${args.operand('if_false')} END)`,
  },
  compare: {
    scope: 'row',
    description: '1 where the condition is true of the value, 0 where it is false, NULL where it is unknown',
    args: test,
    sql: (value, args) => sql`(${args.test(value)})`,
  },
  and: {
    scope: 'row',
    description: '1 where value and operand are both true, 0 where one is false, else NULL',
    args: { operand: given.operand('a column or result of 1, 0 and NULL') },
    sql: (value, args) => sql`(${value} AND ${args.operand('operand')})`,
  },
  or: {
    scope: 'row',
    description: '1 where value or operand is true, 0 where both are false, else NULL',
    args: { operand: given.operand('a column or result of 1, 0 and NULL') },
    sql: (value, args) => sql`(${value} OR ${args.operand('operand')})`,
  },
  coalesce: {
    scope: 'row',
    description: 'the value, or the operand where the value is NULL',
    args: { operand: given.operand('what to take for NULL') },
    sql: (value, args) => sql`coalesce(${value}, ${args.operand('operand')})`,
  },
  null_if: {
    scope: 'row',
    description: 'the value, or NULL where it equals the operand',
    args: { operand: given.operand('what to make NULL') },
    sql: (value, args) => sql`nullif(${value}, ${args.operand('operand')})`,
  },
  constant: {
    scope: 'row',
    description: 'the same value in every row',
    args: { value: given.operand('the value: a literal or an earlier result') },
    sql: (_value, args) => args.operand('value'),
  },
} as const satisfies Record<string, RowOperation>;
