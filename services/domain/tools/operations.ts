import { z } from 'zod';
import { operand } from '../../../contracts/tools.ts';
import { mapValues } from '../../base/arguments.ts';
import { bind, CONDITION_NAMES, join, nothing, orderClause, type Sql, sql } from './conditions.ts';
import type { OperationArguments } from './plan.ts';

/** Kinds of arguments of operations, which determine how they are parsed. */
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
  /** A literal must be a whole number: SQLite would convert any text to 0. */
  readonly whole?: boolean;
}

/** An operation of `transform_data`. Those on a single row also serve `calculate`. */
export type Operation = RowOperation | WindowOperation;

interface OperationBase {
  /** What it does, as the predicate of a sentence: `adds the operand to the value`. */
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

/** The arguments of a call as SQL. The specs define which are present. */
export interface ArgumentReader {
  /** Throws if the operand is absent. */
  readonly operand: (name: string) => Sql;
  readonly optionalOperand: (name: string) => Sql | null;
  readonly option: (name: string) => string | number | boolean | null;
  /** The operands of a list; none if it is absent. */
  readonly operands: (name: string) => readonly Sql[];
  /** The condition and its value, applied to a left side. */
  readonly test: (left: Sql) => Sql;
}

export interface WindowReader extends ArgumentReader {
  /** `PARTITION BY …`, or nothing. */
  readonly partition: Sql;
  /** The order of the rows: the argument `order_by` if present, then the row order. */
  readonly order: readonly Sql[];
  /** The argument `order_by` alone, so that ties are peers. */
  readonly peers: readonly Sql[];
  /** The direction of the value's order, by the argument `ascending`. */
  readonly direction: Sql;
}

const spec = (kind: ArgumentKind, schema: z.ZodType, optional: boolean): ArgumentSpec => ({
  kind,
  schema: optional ? schema.optional().describe(schema.description ?? '') : schema,
  optional,
});

const columnName = () => z.string().meta({ 'x-key-name': true });

/** Argument specs, for declarations such as `args: { operand: given.operand('…') }`. */
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
  /** A JSON path in SQLite's syntax. */
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
        .describe('what to compare with: a list for in and not_in, [low, high] for between'),
      true,
    ),
} as const;

export function argumentsSchema(operation: Operation): z.ZodObject {
  return z.strictObject(mapValues(operation.args, ({ schema }) => schema));
}

const rowOperation = (
  description: string,
  args: RowOperation['args'],
  write: RowOperation['sql'],
): RowOperation => ({ scope: 'row', description, args, sql: write });

/** A function of the value alone. */
const unary = (name: Sql, description: string): RowOperation =>
  rowOperation(description, {}, (value) => sql`${name}(${value})`);

/** A function of the value and of the operand that `meaning` describes. */
const withOperand = (name: Sql, description: string, meaning: string): RowOperation =>
  rowOperation(
    description,
    { operand: given.operand(meaning) },
    (value, args) => sql`${name}(${value}, ${args.operand('operand')})`,
  );

const NUMBER = 'a number ("100.0" for a real number), a column or an earlier result';
const SWAPPED = 'true to swap the value and the operand';

/** Between value and operand, which the argument `reverse` swaps. */
const between = (operator: Sql, value: Sql, args: ArgumentReader): Sql => {
  const operand = args.operand('operand');
  return args.option('reverse') === true
    ? sql`(${operand} ${operator} ${value})`
    : sql`(${value} ${operator} ${operand})`;
};

const binary = (description: string, operator: Sql): RowOperation =>
  rowOperation(description, { operand: given.operand(NUMBER), reverse: given.flag(SWAPPED) }, (value, args) =>
    between(operator, value, args),
  );

/** A function of the value and, where it is given, of one more argument. */
const withOptional =
  (name: Sql, argument: string): RowOperation['sql'] =>
  (value, args) => {
    const more = args.optionalOperand(argument);
    return more ? sql`${name}(${value}, ${more})` : sql`${name}(${value})`;
  };

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
  absolute_value: unary(sql`abs`, 'returns the absolute value'),
  add: binary('adds the operand to the value', sql`+`),
  subtract: binary('subtracts the operand from the value', sql`-`),
  multiply: binary('multiplies the value by the operand', sql`*`),
  divide: binary(
    'divides the value by the operand: an integer if both are integers, NULL if the operand is 0',
    sql`/`,
  ),
  modulo: binary('returns the remainder of the integer division of the value by the operand', sql`%`),
  bitwise: rowOperation(
    'combines the value with the operand bit by bit (and, or), or shifts its bits by that many places (shift_left, ' +
      'shift_right)',
    {
      operator: given.choice(['and', 'or', 'shift_left', 'shift_right'], 'the bitwise operator'),
      operand: given.operand('an integer, a column or an earlier result'),
      reverse: given.flag(SWAPPED),
    },
    (value, args) => between(BITWISE[String(args.option('operator'))] as Sql, value, args),
  ),
  round: rowOperation(
    'rounds the value to a number of decimal places',
    { digits: given.optionalOperand('how many decimal places to keep; 0 by default') },
    withOptional(sql`round`, 'digits'),
  ),
  floor: unary(sql`floor`, 'rounds the value down to a whole number'),
  ceiling: unary(sql`ceil`, 'rounds the value up to a whole number'),
  square_root: unary(sql`sqrt`, 'returns the square root of the value'),
  power: withOperand(sql`pow`, 'raises the value to a power', 'the exponent'),
  smaller: withOperand(sql`min`, 'returns the smaller of the value and the operand', NUMBER),
  larger: withOperand(sql`max`, 'returns the larger of the value and the operand', NUMBER),
  cast: rowOperation(
    'converts the value to another type as SQLite does: as a number, text becomes the number it begins with, or else 0',
    { type: given.choice(Object.keys(TYPES) as [string, ...string[]], 'the type to convert to') },
    (value, args) => sql`CAST(${value} AS ${TYPES[args.option('type') as keyof typeof TYPES]})`,
  ),
} as const satisfies Record<string, RowOperation>;

const test = { condition: given.condition(), value: given.testValue() };

const logical = (operator: Sql, description: string): RowOperation =>
  rowOperation(
    description,
    { operand: given.operand('a column or result that holds 1, 0 or NULL') },
    (value, args) => sql`(${value} ${operator} ${args.operand('operand')})`,
  );

export const CONDITIONAL_OPERATIONS = {
  choose: rowOperation(
    'returns `if_true` if the value meets the condition, and `if_false` if it does not or if that is unknown',
    {
      ...test,
      if_true: given.operand('the value if the condition is true'),
      if_false: given.operand('the value in any other case'),
    },
    (value, args) =>
      sql`(CASE WHEN ${args.test(value)} THEN ${args.operand('if_true')} ELSE ${args.operand('if_false')} END)`,
  ),
  compare: rowOperation(
    'returns 1 if the value meets the condition, 0 if it does not, and NULL if that is unknown',
    test,
    (value, args) => sql`(${args.test(value)})`,
  ),
  and: logical(
    sql`AND`,
    'returns 1 if value and operand are both true, 0 if either is false, and NULL otherwise',
  ),
  or: logical(sql`OR`, 'returns 1 if value or operand is true, 0 if both are false, and NULL otherwise'),
  coalesce: withOperand(
    sql`coalesce`,
    'returns the value, or the operand if the value is NULL',
    'the value to use instead of NULL',
  ),
  null_if: withOperand(
    sql`nullif`,
    'returns the value, or NULL if it equals the operand',
    'the value to turn into NULL',
  ),
  constant: rowOperation(
    'returns the given value',
    { value: given.operand('a literal or an earlier result') },
    (_value, args) => args.operand('value'),
  ),
} as const satisfies Record<string, RowOperation>;

const modifiers = {
  modifiers: given.operands(
    'SQLite date modifiers to apply in turn, such as "+1 month" or "start of year", or columns or results that hold such texts',
  ),
};

const modifierSql = (args: ArgumentReader): Sql => {
  const given = args.operands('modifiers');
  return given.length === 0 ? nothing : sql`, ${join(given)}`;
};

/** Key of the reference time in a plan's arguments. Calls cannot set it. */
const REFERENCE_TIME = 'reference_time';

/**
 * The arguments of a date operation, with the reference time in place of the text `now`: an answer must not depend on
 * the time of the request.
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

const dateNumber = (name: Sql, units: string): RowOperation =>
  rowOperation(
    `converts the date to a number of ${units}`,
    modifiers,
    (value, args) => sql`${name}(${dateOf(value, args)}${modifierSql(args)})`,
  );

export const DATE_OPERATIONS = {
  datetime_part: rowOperation(
    'returns the part of a date that a strftime pattern names: %Y year, %m month, %d day, %H hour, %Y-%m-%d date; the ' +
      'text `now` means the reference time of the farm',
    { datetime_pattern: given.text('the strftime pattern'), ...modifiers },
    (value, args) =>
      sql`strftime(${bind(String(args.option('datetime_pattern')))}, ${dateOf(value, args)}${modifierSql(args)})`,
  ),
  julian_day: dateNumber(
    sql`julianday`,
    'days (its Julian day), so that dates can be subtracted from each other',
  ),
  unix_seconds: dateNumber(sql`unixepoch`, 'seconds since the start of 1970'),
} as const satisfies Record<string, RowOperation>;

/** What to extract at a JSON path of a text that is JSON. */
const PARTS = {
  value: (json, path) => sql`json_extract(${json}, ${path})`,
  json: (json, path) => sql`(${json} -> ${path})`,
  type: (json, path) => sql`json_type(${json}, ${path})`,
  length: (json, path) => sql`json_array_length(${json}, ${path})`,
} as const satisfies Record<string, (json: Sql, path: Sql) => Sql>;

type Part = keyof typeof PARTS;

/**
 * NULL for a text that is no JSON: SQLite's functions fail for it, and the CASE of a query that would have kept it from
 * them is a later call. 10 stands for what these functions read, JSON5 and well-formed JSONB.
 */
function jsonPart(json: Sql, path: Sql, part: Part | 'valid'): Sql {
  if (part === 'valid') {
    return sql`(CASE json_valid(${json}) WHEN 1 THEN json_type(${json}, ${path}) IS NOT NULL ELSE json_valid(${json}) END)`;
  }
  return sql`(CASE WHEN json_valid(${json}, 10) THEN ${PARTS[part](json, path)} END)`;
}

export const JSON_OPERATIONS = {
  json_extract: rowOperation(
    'returns the value at a path in JSON text, or NULL if there is none; depending on `part`, its JSON text, its type, ' +
      'the length of the array there, or 1 if the text is valid JSON with something at the path and 0 otherwise',
    {
      path: given.jsonPath(
        'where to look: $ is the whole text, $.a.b a field, $.list[0] an element; $ by default',
      ),
      part: given.optionalChoice(
        ['value', 'json', 'type', 'length', 'valid'],
        'what to return; value by default',
      ),
    },
    (value, args) => {
      const part = (args.option('part') ?? 'value') as Part | 'valid';
      return jsonPart(value, bind(String(args.option('path') ?? '$')), part);
    },
  ),
} as const satisfies Record<string, RowOperation>;

/** Python's slice, or start and length, in terms of SQLite's 1-based `substr`. */
export const substring = rowOperation(
  'returns the part of the text from `start_index` (0 is the first character, -1 the last) up to but not including ' +
    '`end_index`, or `length` characters from there, or everything from there to the end',
  {
    start_index: given.whole(
      'position of the first character, counted from 0; a negative number counts from the end',
    ),
    end_index: given.optionalWhole('position just after the last character'),
    length: given.optionalWhole('number of characters'),
  },
  (value, args) => {
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
);

/** The value of an integer literal. */
function integerIn(operand: Sql): bigint | null {
  const known = operand.params.length === 1 && operand.text.length === 1 ? operand.params[0] : null;
  return typeof known === 'bigint' ? known : null;
}

function oneBased(start: Sql): Sql {
  const known = integerIn(start);
  if (known !== null) return bind(known < 0n ? known : known + 1n);
  return sql`(CASE WHEN ${start} < 0 THEN ${start} ELSE ${start} + 1 END)`;
}

/** SQLite's own `substr`, for computed positions. */
export const substringFrom = rowOperation(
  'returns the part of the text from `position` (1 is the first character, -1 the last, 0 is before the first): ' +
    '`length` characters, or everything to the end; a negative length takes the characters before the position',
  {
    position: given.whole('position of the first character, counted from 1'),
    length: given.optionalWhole('number of characters'),
  },
  (value, args) => {
    const length = args.optionalOperand('length');
    const position = args.operand('position');
    return length ? sql`substr(${value}, ${position}, ${length})` : sql`substr(${value}, ${position})`;
  },
);

const trim = (name: Sql, from: string): RowOperation =>
  rowOperation(
    `removes characters from ${from} of the text`,
    { characters: given.optionalOperand('the characters to remove; spaces by default') },
    withOptional(name, 'characters'),
  );

export const TEXT_OPERATIONS = {
  substring,
  substring_from: substringFrom,
  upper: unary(sql`upper`, 'converts the text to upper case (ASCII letters only)'),
  lower: unary(sql`lower`, 'converts the text to lower case (ASCII letters only)'),
  length: unary(sql`length`, 'counts the characters of the text'),
  trim: trim(sql`trim`, 'both ends'),
  trim_start: trim(sql`ltrim`, 'the start'),
  trim_end: trim(sql`rtrim`, 'the end'),
  replace: rowOperation(
    'replaces every `from` in the text with `to`',
    { from: given.operand('the text to look for'), to: given.operand('the text to put in its place') },
    (value, args) => sql`replace(${value}, ${args.operand('from')}, ${args.operand('to')})`,
  ),
  position: rowOperation(
    'returns the position of `text` in the value, counted from 1, or 0 if it does not occur',
    { text: given.operand('the text to look for') },
    (value, args) => sql`instr(${value}, ${args.operand('text')})`,
  ),
  concatenate: rowOperation(
    'appends the operand to the text',
    { operand: given.operand('the text to append'), reverse: given.flag(SWAPPED) },
    (value, args) => between(sql`||`, value, args),
  ),
  format: rowOperation(
    'formats the value with a printf pattern such as %.2f or %05d',
    { pattern: given.operand('the pattern, with one placeholder for the value') },
    (value, args) => sql`printf(${args.operand('pattern')}, ${value})`,
  ),
  hexadecimal: unary(sql`hex`, 'converts the bytes of the value to hexadecimal digits'),
  stored_type: unary(
    sql`typeof`,
    'returns the type that the value is stored as: integer, real, text, blob or null',
  ),
} as const satisfies Record<string, RowOperation>;

const partition = {
  partition_by: given.columns(
    'columns to partition by: the computation starts again for each of their values',
  ),
};

const ranking = {
  ascending: given.flag('true for the smallest value first (the default), false for the largest'),
  ...partition,
  order_by: given.order('columns that break ties between equal values'),
};

const ordered = { ...partition, order_by: given.order('the order of the rows; row order by default') };

const over = (args: WindowReader, order: readonly Sql[], frame: Sql = nothing): Sql => {
  return sql`OVER (${args.partition}${orderClause(order)}${frame})`;
};

const rank = (name: Sql, description: string): WindowOperation => ({
  scope: 'window',
  description,
  args: ranking,
  // Equal values must share a rank, so the row order is not used.
  sql: (value, args) => sql`${name}() ${over(args, [sql`${value}${args.direction}`, ...args.peers])}`,
});

const aggregate = (name: Sql, description: string): WindowOperation => ({
  scope: 'window',
  description: `${description} in the partition or, with \`order_by\`, in its rows up to this one and its ties`,
  args: {
    ...ordered,
    rows_before: given.count('how many rows before this one to include; needs order_by'),
    rows_after: given.count('how many rows after this one to include'),
  },
  sql: (value, args) => {
    const rows = frame(args);
    // A frame of rows, unlike one of peers, depends on the order of equal rows.
    return sql`${name}(${value}) ${over(args, rows === nothing ? args.peers : args.order, rows)}`;
  },
});

const offset = (name: Sql, description: string): WindowOperation => ({
  scope: 'window',
  description,
  args: {
    rows: given.count('how many rows away; 1 by default'),
    default: given.optionalOperand('the value if there is no such row; NULL by default'),
    ...ordered,
  },
  sql: (value, args) => {
    const away = count(args.option('rows') ?? 1);
    const otherwise = args.optionalOperand('default');
    return sql`${name}(${value}, ${away}${otherwise ? sql`, ${otherwise}` : nothing}) ${over(args, args.order)}`;
  },
});

const edge = (name: Sql, description: string): WindowOperation => ({
  scope: 'window',
  description,
  args: ordered,
  sql: (value, args) =>
    sql`${name}(${value}) ${over(args, args.order, sql` ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING`)}`,
});

export const WINDOW_OPERATIONS = {
  rank: rank(sql`rank`, 'returns the rank of the value; ties share a rank and leave a gap after it'),
  dense_rank: rank(sql`dense_rank`, 'returns the rank of the value; ties share a rank and leave no gap'),
  percent_rank: rank(
    sql`percent_rank`,
    'returns the rank as a share from 0.0 to 1.0: (rank - 1) / (rows - 1)',
  ),
  cumulative_share: rank(
    sql`cume_dist`,
    'returns the share of rows whose value does not come after this one',
  ),
  row_number: {
    scope: 'window',
    description:
      'returns the number of the row, counted from 1, with rows ordered by the value and then by row order',
    args: ranking,
    sql: (value, args) => sql`row_number() ${over(args, [sql`${value}${args.direction}`, ...args.order])}`,
  },
  bucket: {
    scope: 'window',
    description:
      'divides the rows, ordered by the value, into equal buckets and returns the number of the bucket, counted from 1',
    args: { buckets: given.operand('how many buckets'), ...ranking },
    sql: (value, args) =>
      sql`ntile(${args.operand('buckets')}) ${over(args, [sql`${value}${args.direction}`, ...args.order])}`,
  },
  previous: offset(sql`lag`, 'returns the value of an earlier row'),
  next: offset(sql`lead`, 'returns the value of a later row'),
  first_value: edge(sql`first_value`, 'returns the value of the first row of the partition'),
  last_value: edge(sql`last_value`, 'returns the value of the last row of the partition'),
  running_sum: aggregate(sql`sum`, 'sums the values'),
  running_mean: aggregate(sql`avg`, 'averages the values'),
  running_count: aggregate(sql`count`, 'counts the values that are not NULL'),
  running_min: aggregate(sql`min`, 'returns the smallest value'),
  running_max: aggregate(sql`max`, 'returns the largest value'),
} as const satisfies Record<string, WindowOperation>;

function frame(args: WindowReader): Sql {
  const before = args.option('rows_before');
  const after = args.option('rows_after');
  if (before === null && after === null) return nothing;
  const start = before === null ? sql`UNBOUNDED` : count(before);
  return sql` ROWS BETWEEN ${start} PRECEDING AND ${count(after ?? 0)} FOLLOWING`;
}

/** A whole number as SQL text, since the bounds of a frame cannot be bound parameters. */
function count(value: string | number | boolean): Sql {
  return { text: String(BigInt(value)), params: [] };
}

const { absolute_value, ...arithmetic } = ARITHMETIC_OPERATIONS;
const { substring: operationsSubstring, ...text } = TEXT_OPERATIONS;
const { datetime_part, ...dates } = DATE_OPERATIONS;

/** Operations on a single row, by name; the first three are the paper's. */
export const ROW_OPERATIONS: Readonly<Record<string, RowOperation>> = {
  substring: operationsSubstring,
  absolute_value,
  datetime_part,
  ...arithmetic,
  ...text,
  ...dates,
  ...JSON_OPERATIONS,
  ...CONDITIONAL_OPERATIONS,
};

export const OPERATIONS: Readonly<Record<string, Operation>> = { ...ROW_OPERATIONS, ...WINDOW_OPERATIONS };

export const OPERATION_NAMES = Object.keys(OPERATIONS) as [string, ...string[]];
export const ROW_OPERATION_NAMES = Object.keys(ROW_OPERATIONS) as [string, ...string[]];

export function operation(name: string): Operation {
  return OPERATIONS[name] as Operation;
}
