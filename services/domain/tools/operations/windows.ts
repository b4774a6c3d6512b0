import { join, nothing, type Sql, sql } from '../sql/sql.ts';
import { given, type WindowOperation, type WindowReader } from './operation.ts';

const partition = { partition_by: given.columns('start anew for each value of these columns') };

const ranking = {
  ascending: given.flag('true: the smallest value comes first (the default); false: the largest'),
  ...partition,
  order_by: given.order('further columns that decide between equal values'),
};

const ordered = { ...partition, order_by: given.order('the order of the rows; the row order unless given') };

const over = (args: WindowReader, order: readonly Sql[], frame: Sql = nothing): Sql => {
  const by = order.length === 0 ? nothing : sql` ORDER BY ${join(order)}`;
  return sql`OVER (${args.partition}${by}${frame})`;
};

const rank = (name: Sql, description: string): WindowOperation => ({
  scope: 'window',
  description,
  args: ranking,
  // Equal values must share a rank, so the row order has no part in it.
  sql: (value, args) => sql`${name}() ${over(args, [sql`${value}${args.direction}`, ...args.peers])}`,
});

const aggregate = (name: Sql, description: string): WindowOperation => ({
  scope: 'window',
  description: `${description} of the partition; with \`order_by\` up to the row and its ties`,
  args: {
    ...ordered,
    rows_before: given.count('only so many rows before the row itself; needs order_by'),
    rows_after: given.count('and so many rows after it'),
  },
  sql: (value, args) => {
    const rows = frame(args);
    // A frame of rows, unlike one of peers, needs to know which of two equal rows comes first.
    return sql`${name}(${value}) ${over(args, rows === nothing ? args.peers : args.order, rows)}`;
  },
});

const offset = (name: Sql, description: string): WindowOperation => ({
  scope: 'window',
  description,
  args: {
    rows: given.count('how many rows away; 1 unless given'),
    default: given.optionalOperand('the value where there is no such row; NULL unless given'),
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
    description: 'the number of the row, from 1, in the order of the value and then in row order',
    args: ranking,
    sql: (value, args) => sql`row_number() ${over(args, [sql`${value}${args.direction}`, ...args.order])}`,
  },
  bucket: {
    scope: 'window',
    description:
      'the number, from 1, of the bucket the row falls in when the ordered rows are dealt into equal buckets',
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

/** A whole number as SQL text: a frame's bounds cannot be bound. */
function count(value: string | number | boolean): Sql {
  return { text: String(BigInt(value)), params: [] };
}
