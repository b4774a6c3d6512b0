import { bind, join, nothing, type Sql, sql } from '../sql/sql.ts';
import { type ArgumentReader, given, type RowOperation } from './operation.ts';

const modifiers = {
  modifiers: given.texts('SQLite date modifiers applied in turn, such as "+1 month" or "start of year"'),
};

const modifierSql = (args: ArgumentReader): Sql => {
  const given = args.texts('modifiers');
  return given.length === 0 ? nothing : sql`, ${join(given.map((text) => bind(text)))}`;
};

export const DATE_OPERATIONS = {
  datetime_part: {
    scope: 'row',
    description:
      'a part of a date written by a strftime pattern: %Y year, %m month, %d day, %H hour, %Y-%m-%d date',
    args: { datetime_pattern: given.text('the strftime pattern'), ...modifiers },
    sql: (value, args) =>
      sql`strftime(${bind(String(args.option('datetime_pattern')))}, ${value}${modifierSql(args)})`,
  },
  julian_day: {
    scope: 'row',
    description: 'the date as a number of days, so that two dates can be subtracted',
    args: modifiers,
    sql: (value, args) => sql`julianday(${value}${modifierSql(args)})`,
  },
  unix_seconds: {
    scope: 'row',
    description: 'the date as a number of seconds since 1970',
    args: modifiers,
    sql: (value, args) => sql`unixepoch(${value}${modifierSql(args)})`,
  },
} as const satisfies Record<string, RowOperation>;
