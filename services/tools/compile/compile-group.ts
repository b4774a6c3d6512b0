import { aggregation } from '../aggregations.ts';
import type { Aggregate, GroupPlan } from '../plan/plan.ts';
import { bind, identifier, join, type Sql, sql } from '../sql/sql.ts';
import { leadingKey } from './compile-start.ts';
import type { GroupAggregates } from './compile-table.ts';
import type { Compiler } from './compiler.ts';
import { nested, opened, orderTerms, type Relation, select } from './relation.ts';

/** In the inner SELECT: the place of a row in its group. */
const PLACE = 'place in group';

/**
 * One row a group, in the order of the group keys. A column that is neither a key nor an aggregate has its
 * value in one row of the group: the one with the extreme when the group has exactly one min or max (as in
 * SQLite), else the first in row order.
 */
export function compileGroup(
  plan: GroupPlan,
  table: Relation,
  compiler: Compiler,
  aggregates: GroupAggregates,
): Relation {
  const input = opened(table, compiler.aliases);
  const alias = compiler.aliases.next();
  const byName = new Map(aggregates.map(({ target, aggregate }) => [target, aggregate]));
  const wanted = new Set<string>();

  const write = (): Sql => {
    const bare = [...wanted].filter((key) => !byName.has(key) && !plan.keys.includes(key));
    const rows = bare.length === 0 ? input : withPlaces(plan, input, compiler, [...byName.values()]);
    const first = (key: string): Sql =>
      sql`MAX(CASE WHEN ${rows.column(PLACE)} = 1 THEN ${rows.column(key)} END)`;
    const list = [...wanted].map((key) => {
      const aggregate = byName.get(key);
      const value = aggregate
        ? compileAggregateCall(aggregate, rows)
        : plan.keys.includes(key)
          ? rows.column(key)
          : first(key);
      return sql`${value} AS ${identifier(key)}`;
    });
    const by = plan.keys.length === 0 ? sql`` : sql` GROUP BY ${join(plan.keys.map(rows.column))}`;
    // Without keys and aggregates nothing else would make it one row.
    const isGrouped = plan.keys.length > 0 || [...wanted].some((key) => byName.has(key));
    const columns = isGrouped ? list : [...list, sql`COUNT(*) AS "rows in group"`];
    const statement = select(rows, () => (columns.length === 0 ? [sql`1`] : columns), false);
    return sql`(${statement}${by}) AS ${alias}`;
  };
  const column = (key: string): Sql => {
    wanted.add(key);
    return sql`${alias}.${identifier(key)}`;
  };
  return {
    from: write,
    where: [],
    keys: plan.columns.map(({ key }) => key),
    column,
    order: plan.keys.map((key) => ({ expr: () => column(key), descending: false })),
    slice: null,
    windowed: false,
    // Groups of a primary key come in its order anyway, whatever they are sorted by.
    groups:
      plan.keys[0] === leadingKey(plan.input, compiler.catalog)
        ? null
        : { keys: plan.keys.length, sorts: [] },
  };
}

function withPlaces(
  plan: GroupPlan,
  input: Relation,
  compiler: Compiler,
  aggregates: readonly Aggregate[],
): Relation {
  const extremes = aggregates.filter(({ type }) => type === 'min' || type === 'max');
  const only = extremes.length === 1 ? extremes[0] : undefined;
  const terms = orderTerms(input);
  if (only?.key) {
    const value = input.column(only.key);
    terms.unshift(only.type === 'max' ? sql`${value} DESC NULLS LAST` : sql`${value} NULLS LAST`);
  }
  const by = plan.keys.length === 0 ? sql`` : sql`PARTITION BY ${join(plan.keys.map(input.column))}`;
  const order = terms.length === 0 ? sql`` : sql` ORDER BY ${join(terms)}`;
  const numbered: Relation = {
    ...input,
    column: (key) => (key === PLACE ? sql`row_number() OVER (${by}${order})` : input.column(key)),
  };
  return nested(numbered, compiler.aliases);
}

/** One aggregate over the rows of a relation, flat. */
export function compileAggregateCall(aggregate: Aggregate, rows: Relation): Sql {
  return aggregation(aggregate.type).sql({
    value: aggregate.key === null ? null : rows.column(aggregate.key),
    distinct: aggregate.distinct,
    separator: aggregate.separator === null ? null : bind(aggregate.separator),
    order: aggregate.type === 'group_concat' ? orderTerms(rows) : [],
  });
}
