import { bind, type Sql, sql } from '../sql/sql.ts';
import { given, type RowOperation } from './operation.ts';

/** Python's slice, and the same by length, over SQLite's 1-based `substr`. */
export const substring: RowOperation = {
  scope: 'row',
  description:
    'the part of the text from `start_index` (0 is the first character, -1 the last) up to but not including ' +
    '`end_index`, or `length` characters of it, or all the rest',
  args: {
    start_index: given.whole('position of the first character, from 0; negative counts from the end'),
    end_index: given.optionalWhole('position after the last character'),
    length: given.optionalWhole('number of characters, instead of end_index'),
  },
  sql: (value, args) => {
    const start = args.operand('start_index');
    const end = args.optionalOperand('end_index');
    const length = args.optionalOperand('length');
    const first = oneBased(start);
    if (length) return sql`substr(${value}, ${first}, ${length})`;
    if (!end) return sql`substr(${value}, ${first})`;
    const [from, to] = [integerIn(start), integerIn(end)];
    if (from !== null && to !== null && from >= 0n && to >= 0n) {
      return sql`substr(${value}, ${first}, ${bind(to > from ? to - from : 0n)})`;
    }
    const begin = sql`(CASE WHEN ${start} < 0 THEN max(0, length(${value}) + ${start}) ELSE ${start} END)`;
    const stop = sql`(CASE WHEN ${end} < 0 THEN length(${value}) + ${end} ELSE ${end} END)`;
    return sql`substr(${value}, ${begin} + 1, max(0, ${stop} - ${begin}))`;
  },
};

/** The value of a bare integer. */
function integerIn(operand: Sql): bigint | null {
  const known = operand.params.length === 1 && operand.text.length === 1 ? operand.params[0] : null;
  return typeof known === 'bigint' ? known : null;
}

function oneBased(start: Sql): Sql {
  const known = integerIn(start);
  if (known !== null) return bind(known < 0n ? known : known + 1n);
  return sql`(CASE WHEN ${start} < 0 THEN ${start} ELSE ${start} + 1 END)`;
}

/** SQLite's own `substr`, for positions that are computed. */
export const substringFrom: RowOperation = {
  scope: 'row',
  description:
    'the part of the text from `position` (1 is the first character, -1 the last, 0 is before the first), ' +
    '`length` characters of it or all the rest; a negative length takes the characters before',
  args: {
    position: given.whole('position of the first character, from 1, as the operation `position` gives it'),
    length: given.optionalWhole('number of characters'),
  },
  sql: (value, args) => {
    const length = args.optionalOperand('length');
    const position = args.operand('position');
    return length ? sql`substr(${value}, ${position}, ${length})` : sql`substr(${value}, ${position})`;
  },
};
