import { z } from 'zod';
import { operand } from '../../../contracts/tools.ts';
import { bind, CONDITION_NAMES, join, nothing, type Sql, sql } from './conditions.ts';
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
  schema: optional ? schema.optional() : schema,
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
  optionalText: (description: string) => spec('option', z.string().describe(description), true),
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
        .describe('what it is compared with: a list for in and not_in, [low, high] for between'),
      true,
    ),
} as const;

export function argumentsSchema(operation: Operation): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(Object.entries(operation.args).map(([name, { schema }]) => [name, schema])),
  );
}

const rowOperation = (
  description: string,
  args: RowOperation['args'],
  write: RowOperation['sql'],
): RowOperation => ({
  scope: 'row',
  description,
  args,
  sql: write,
});

const NUMBER = 'a number ("100.0" for a real number), a column or an earlier result';

/** Between value and operand, which the argument `reverse` swaps. */
const between = (operator: Sql, value: Sql, args: ArgumentReader): Sql => {
  const operand = args.operand('operand');
  return args.option('reverse') === true
    ? sql`(${operand} ${operator} ${value})`
    : sql`(${value} ${operator} ${operand})`;
};

const binary = (description: string, operator: Sql): RowOperation =>
  rowOperation(
    description,
    { operand: given.operand(NUMBER), reverse: given.flag('true to put the operand on the left') },
    (value, args) => between(operator, value, args),
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
  absolute_value: rowOperation('the value without its sign', {}, (value) => sql`abs(${value})`),
  add: binary('the sum with the operand', sql`+`),
  subtract: binary('the value less the operand', sql`-`),
  multiply: binary('the product with the operand', sql`*`),
  divide: binary(
    'the value divided by the operand: an integer when both are integers, NULL when the operand is 0',
    sql`/`,
  ),
  modulo: binary('the remainder of the integer division by the operand', sql`%`),
  bitwise: rowOperation(
    'the bits of the whole number combined with those of the operand: the bits set in both (and) or in either (or), or ' +
      'the bits shifted by that many places (shift_left, shift_right)',
    {
      operator: given.choice(['and', 'or', 'shift_left', 'shift_right'], 'how to combine them'),
      operand: given.operand('a whole number, a column or an earlier result'),
      reverse: given.flag('true to put the operand on the left'),
    },
    (value, args) => between(BITWISE[String(args.option('operator'))] as Sql, value, args),
  ),
  round: rowOperation(
    'the value rounded to a number of decimals',
    { digits: given.optionalOperand('decimals to keep; 0 by default') },
    withOptional(sql`round`, 'digits'),
  ),
  floor: rowOperation('the largest whole number not above the value', {}, (value) => sql`floor(${value})`),
  ceiling: rowOperation('the smallest whole number not below the value', {}, (value) => sql`ceil(${value})`),
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
    'the value converted to another type as in SQLite: text that begins with a number becomes that number, other text 0',
    {
      type: given.choice(
        Object.keys(TYPES) as [string, ...string[]],
        'the type: integer, real, text, numeric or blob',
      ),
    },
    (value, args) => sql`CAST(${value} AS ${TYPES[args.option('type') as keyof typeof TYPES]})`,
  ),
} as const satisfies Record<string, RowOperation>;

const test = { condition: given.condition(), value: given.testValue() };

export const CONDITIONAL_OPERATIONS = {
  choose: rowOperation(
    '`if_true` where the value meets the condition, `if_false` where it does not or this is unknown',
    {
      ...test,
      if_true: given.operand('the value where the condition is true'),
      if_false: given.operand('the value everywhere else'),
    },
    (value, args) =>
      sql`(CASE WHEN ${args.test(value)} THEN ${args.operand('if_true')} ELSE ${args.operand('if_false')} END)`,
  ),
  compare: rowOperation(
    '1 where the value meets the condition, 0 where it does not, NULL where this is unknown',
    test,
    (value, args) => sql`(${args.test(value)})`,
  ),
  and: rowOperation(
    '1 where value and operand are both true, 0 where either is false, NULL otherwise',
    { operand: given.operand('a column or result of 1, 0 and NULL') },
    (value, args) => sql`(${value} AND ${args.operand('operand')})`,
  ),
  or: rowOperation(
    '1 where value or operand is true, 0 where both are false, NULL otherwise',
    { operand: given.operand('a column or result of 1, 0 and NULL') },
    (value, args) => sql`(${value} OR ${args.operand('operand')})`,
  ),
  coalesce: rowOperation(
    'the value, or the operand where the value is NULL',
    { operand: given.operand('the value to use instead of NULL') },
    (value, args) => sql`coalesce(${value}, ${args.operand('operand')})`,
  ),
  null_if: rowOperation(
    'the value, or NULL where it equals the operand',
    { operand: given.operand('the value to turn into NULL') },
    (value, args) => sql`nullif(${value}, ${args.operand('operand')})`,
  ),
  constant: rowOperation(
    'the same value in every row',
    { value: given.operand('the value: a literal or an earlier result') },
    (_value, args) => args.operand('value'),
  ),
} as const satisfies Record<string, RowOperation>;

const modifiers = {
  modifiers: given.operands(
    'SQLite date modifiers applied in turn, such as "+1 month" or "start of year"; or columns or results that hold such texts',
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

export const DATE_OPERATIONS = {
  datetime_part: rowOperation(
    'a part of a date, as a strftime pattern says: %Y year, %m month, %d day, %H hour, %Y-%m-%d date; the text `now` is ' +
      'the reference time of the farm',
    { datetime_pattern: given.text('the strftime pattern'), ...modifiers },
    (value, args) =>
      sql`strftime(${bind(String(args.option('datetime_pattern')))}, ${dateOf(value, args)}${modifierSql(args)})`,
  ),
  julian_day: rowOperation(
    'the date as a number of days, so that dates can be subtracted from each other',
    modifiers,
    (value, args) => sql`julianday(${dateOf(value, args)}${modifierSql(args)})`,
  ),
  unix_seconds: rowOperation(
    'the date as a number of seconds since 1970',
    modifiers,
    (value, args) => sql`unixepoch(${dateOf(value, args)}${modifierSql(args)})`,
  ),
} as const satisfies Record<string, RowOperation>;

/** What to extract at a JSON path. */
const PARTS = {
  value: (json, path) => sql`json_extract(${json}, ${path})`,
  json: (json, path) => sql`(${json} -> ${path})`,
  type: (json, path) => sql`json_type(${json}, ${path})`,
  length: (json, path) => sql`json_array_length(${json}, ${path})`,
  // json_type fails for a text that is not JSON.
  valid: (json, path) =>
    sql`(CASE json_valid(${json}) WHEN 1 THEN json_type(${json}, ${path}) IS NOT NULL ELSE json_valid(${json}) END)`,
} as const satisfies Record<string, (json: Sql, path: Sql) => Sql>;

type Part = keyof typeof PARTS;

export const JSON_OPERATIONS = {
  json_extract: rowOperation(
    'the value at a path in a JSON text, or NULL if there is none; depending on `part`, its JSON text, its type, the ' +
      'length of the array there, or 1 if the text is valid JSON with something at the path and 0 otherwise',
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
      const part = (args.option('part') ?? 'value') as Part;
      return PARTS[part](value, bind(String(args.option('path') ?? '$')));
    },
  ),
} as const satisfies Record<string, RowOperation>;

/** Python's slice, or start and length, in terms of SQLite's 1-based `substr`. */
export const substring = rowOperation(
  'the part of the text from `start_index` (0 is the first character, -1 the last) up to but not including ' +
    '`end_index`, or `length` characters from there, or everything from there to the end',
  {
    start_index: given.whole(
      'position of the first character, counted from 0; a negative number counts from the end',
    ),
    end_index: given.optionalWhole('position just after the last character'),
    length: given.optionalWhole('number of characters, instead of end_index'),
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
  'the part of the text from `position` (1 is the first character, -1 the last, 0 is before the first): `length` ' +
    'characters, or everything to the end; a negative length takes the characters before the position',
  {
    position: given.whole(
      'position of the first character, counted from 1, as the operation `position` returns it',
    ),
    length: given.optionalWhole('number of characters'),
  },
  (value, args) => {
    const length = args.optionalOperand('length');
    const position = args.operand('position');
    return length ? sql`substr(${value}, ${position}, ${length})` : sql`substr(${value}, ${position})`;
  },
);

const characters = { characters: given.optionalOperand('the characters to remove; spaces by default') };

export const TEXT_OPERATIONS = {
  substring,
  substring_from: substringFrom,
  upper: rowOperation('the text in upper case (ASCII)', {}, (value) => sql`upper(${value})`),
  lower: rowOperation('the text in lower case (ASCII)', {}, (value) => sql`lower(${value})`),
  length: rowOperation('the number of characters', {}, (value) => sql`length(${value})`),
  trim: rowOperation(
    'the text with characters removed from both ends',
    characters,
    withOptional(sql`trim`, 'characters'),
  ),
  trim_start: rowOperation(
    'the text with characters removed from its start',
    characters,
    withOptional(sql`ltrim`, 'characters'),
  ),
  trim_end: rowOperation(
    'the text with characters removed from its end',
    characters,
    withOptional(sql`rtrim`, 'characters'),
  ),
  replace: rowOperation(
    'the text with every `from` replaced by `to`',
    { from: given.operand('the text to look for'), to: given.operand('the text to put in its place') },
    (value, args) => sql`replace(${value}, ${args.operand('from')}, ${args.operand('to')})`,
  ),
  position: rowOperation(
    'the position of `text` in the value, counted from 1; 0 if it does not occur',
    { text: given.operand('the text to look for') },
    (value, args) => sql`instr(${value}, ${args.operand('text')})`,
  ),
  concatenate: rowOperation(
    'the text followed by the operand',
    {
      operand: given.operand('the text to add'),
      reverse: given.flag('true: the operand comes first'),
    },
    (value, args) => between(sql`||`, value, args),
  ),
  format: rowOperation(
    'the value formatted by a printf pattern such as %.2f or %05d',
    { pattern: given.operand('the pattern, with one placeholder for the value') },
    (value, args) => sql`printf(${args.operand('pattern')}, ${value})`,
  ),
  hexadecimal: rowOperation(
    'the bytes of the value as hexadecimal digits',
    {},
    (value) => sql`hex(${value})`,
  ),
  stored_type: rowOperation(
    'how the value is stored: integer, real, text, blob or null',
    {},
    (value) => sql`typeof(${value})`,
  ),
} as const satisfies Record<string, RowOperation>;

const partition = { partition_by: given.columns('start again for each value of these columns') };

const ranking = {
  ascending: given.flag('true for the smallest value first (the default), false for the largest'),
  ...partition,
  order_by: given.order('additional columns to order equal values by'),
};

const ordered = { ...partition, order_by: given.order('the order of the rows; row order by default') };

const over = (args: WindowReader, order: readonly Sql[], frame: Sql = nothing): Sql => {
  const by = order.length === 0 ? nothing : sql` ORDER BY ${join(order)}`;
  return sql`OVER (${args.partition}${by}${frame})`;
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
  description: `${description} of the partition; with \`order_by\`, up to and including the row and its ties`,
  args: {
    ...ordered,
    rows_before: given.count('how many rows before the row itself to include; needs order_by'),
    rows_after: given.count('how many rows after it to include'),
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
    default: given.optionalOperand('the value where there is no such row; NULL by default'),
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
  rank: rank(sql`rank`, 'the rank of the value, equal values sharing one and leaving a gap after it'),
  dense_rank: rank(sql`dense_rank`, 'the rank of the value, equal values sharing one and leaving no gap'),
  percent_rank: rank(sql`percent_rank`, '(rank - 1) / (rows - 1), between 0.0 and 1.0'),
  cumulative_share: rank(sql`cume_dist`, 'the share of rows whose value does not come after this one'),
  row_number: {
    scope: 'window',
    description: 'the number of the row, counted from 1, ordered by the value and then by row order',
    args: ranking,
    sql: (value, args) => sql`row_number() ${over(args, [sql`${value}${args.direction}`, ...args.order])}`,
  },
  bucket: {
    scope: 'window',
    description:
      'the number, counted from 1, of the bucket that the row falls into when the ordered rows are divided into equal buckets',
    args: { buckets: given.operand('how many buckets'), ...ranking },
    sql: (value, args) =>
      sql`ntile(${args.operand('buckets')}) ${over(args, [sql`${value}${args.direction}`, ...args.order])}`,
  },
  previous: offset(sql`lag`, 'the value of a row before'),
  next: offset(sql`lead`, 'the value of a row after'),
  first_value: edge(sql`first_value`, 'the value of the first row'),
  last_value: edge(sql`last_value`, 'the value of the last row'),
  running_sum: aggregate(sql`sum`, 'the sum'),
  running_mean: aggregate(sql`avg`, 'the mean'),
  running_count: aggregate(sql`count`, 'the number of values that are not NULL'),
  running_min: aggregate(sql`min`, 'the smallest value'),
  running_max: aggregate(sql`max`, 'the largest value'),
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
