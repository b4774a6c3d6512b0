import type { OperationArguments } from '../plan/plan.ts';
import { bind, join, nothing, type Sql, sql } from '../sql/sql.ts';
import { type ArgumentReader, given, type RowOperation } from './operation.ts';

const modifiers = {
  modifiers: given.operands(
    'SQLite date modifiers applied in turn, such as "+1 month" or "start of year"; also columns or results of such texts',
  ),
};

const modifierSql = (args: ArgumentReader): Sql => {
  const given = args.operands('modifiers');
  return given.length === 0 ? nothing : sql`, ${join(given)}`;
};

/** Holds the reference time in the arguments of a plan; calls cannot set it. */
const REFERENCE_TIME = 'reference_time';

/**
 * The arguments of a date operation whose value may be the text `now`, so that it means the reference time: an answer
 * must not depend on the time of the request.
 */
export function withReferenceTime(
  operation: string,
  args: OperationArguments,
  referenceTime: string | undefined,
): OperationArguments {
  if (referenceTime === undefined || !Object.hasOwn(DATE_OPERATIONS, operation)) return args;
  return { ...args, [REFERENCE_TIME]: { kind: 'option', value: referenceTime } };
}

const dateOf = (value: Sql, args: ArgumentReader): Sql => {
  const now = args.option(REFERENCE_TIME);
  return now === null ? value : sql`iif(lower(${value}) = 'now', ${bind(String(now))}, ${value})`;
};

export const DATE_OPERATIONS = {
  datetime_part: {
    scope: 'row',
    description:
      'a part of a date written by a strftime pattern: %Y year, %m month, %d day, %H hour, %Y-%m-%d date; the text now ' +
      'is the reference time of the farm',
    args: { datetime_pattern: given.text('the strftime pattern'), ...modifiers },
    sql: (value, args) =>
      sql`strftime(${bind(String(args.option('datetime_pattern')))}, ${dateOf(value, args)}${modifierSql(args)})`,
  },
  julian_day: {
    scope: 'row',
    description: 'the date as a number of days, so that two dates can be subtracted',
    args: modifiers,
    sql: (value, args) => sql`julianday(${dateOf(value, args)}${modifierSql(args)})`,
  },
  unix_seconds: {
    scope: 'row',
    description: 'the date as a number of seconds since 1970',
    args: modifiers,
    sql: (value, args) => sql`unixepoch(${dateOf(value, args)}${modifierSql(args)})`,
  },
} as const satisfies Record<string, RowOperation>;
