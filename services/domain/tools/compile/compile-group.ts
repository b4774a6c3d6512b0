import { aggregation } from '../plan/aggregations.ts';
import type { Aggregate, GroupAggregatePlan, GroupPlan } from '../plan/plan.ts';
import { bind, identifier, join, type Sql, sql } from '../sql/sql.ts';
import { leadingKey } from './compile-start.ts';
import type { GroupAggregates } from './compile-table.ts';
import type { Compiler } from './compiler.ts';
import { nested, opened, orderTerms, type Relation, select } from './relation.ts';

/** In the inner SELECT: the place of a row in its group. */
const PLACE_IN_GROUP = 'place in group';

/**
 * One row a group, in the order of the group keys. A column that is neither a key nor an aggregate has its
 * value in one row of the group: the one with the extreme of the last min or max that was added right after
 * grouping (as in SQLite), else the first in row order.
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
    const { rows, value } =
      bare.length === 0 ? flat(input, byName) : withPlaces(plan, input, aggregates, compiler);
    const columns = [...wanted].map((key) => sql`${value(key)} AS ${identifier(key)}`);
    const by = plan.keys.length === 0 ? sql`` : sql` GROUP BY ${join(plan.keys.map(rows.column))}`;
    // Beside a single MIN, columns are those of the row that has it.
    if (bare.length > 0) columns.push(sql`MIN(${rows.column(PLACE_IN_GROUP)})`);
    // Without keys and aggregates nothing else would make it one row; a lone MAX can use an index.
    else if (plan.keys.length === 0 && !aggregates.some(({ target }) => wanted.has(target))) {
      columns.push(sql`COUNT(*) AS "rows in group"`);
    }
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

/** Rows to be grouped, and how the columns of the groups come from them. */
interface Grouped {
  readonly rows: Relation;
  readonly value: (key: string) => Sql;
}

function flat(rows: Relation, aggregates: ReadonlyMap<string, Aggregate>): Grouped {
  const value = (key: string): Sql => {
    const aggregate = aggregates.get(key);
    return aggregate ? compileAggregateCall(aggregate, rows) : rows.column(key);
  };
  return { rows, value };
}

/**
 * The same where some columns have the value of the row in the first place, which keeps their affinity and
 * collation. A second MIN or MAX would choose a row too, so those are computed before.
 */
function withPlaces(
  plan: GroupPlan,
  input: Relation,
  aggregates: GroupAggregates,
  compiler: Compiler,
): Grouped {
  const by = plan.keys.length === 0 ? sql`` : sql`PARTITION BY ${join(plan.keys.map(input.column))}`;
  const chosen = choosing(aggregates);
  const terms = orderTerms(input);
  if (chosen?.aggregate.key) {
    const value = input.column(chosen.aggregate.key);
    terms.unshift(chosen.aggregate.type === 'max' ? sql`${value} DESC NULLS LAST` : sql`${value} NULLS LAST`);
  }
  const order = terms.length === 0 ? sql`` : sql` ORDER BY ${join(terms)}`;
  const extremes = new Map(aggregates.filter(isExtreme).map(({ target, aggregate }) => [target, aggregate]));
  const numbered: Relation = {
    ...input,
    column: (key) => {
      if (key === PLACE_IN_GROUP) return sql`row_number() OVER (${by}${order})`;
      const extreme = extremes.get(key);
      if (!extreme) return input.column(key);
      // Among distinct values the extreme is the same, and windows know no DISTINCT.
      return sql`${compileAggregateCall({ ...extreme, distinct: false }, input)} OVER (${by})`;
    },
  };
  const rows = nested(numbered, compiler.aliases);
  const others = aggregates.filter((each) => !isExtreme(each));
  return flat(rows, new Map(others.map(({ target, aggregate }) => [target, aggregate])));
}

/** The aggregate whose row gives the other columns their values: the last min or max that was added at once. */
function choosing(aggregates: GroupAggregates): GroupAggregatePlan | null {
  const extremes = aggregates.filter((each) => isExtreme(each) && isDirect(each));
  return extremes.at(-1) ?? null;
}

function isExtreme({ aggregate }: GroupAggregatePlan): boolean {
  return aggregate.type === 'min' || aggregate.type === 'max';
}

/** Whether only aggregates come between it and the grouping: later operations must not change its input. */
function isDirect({ input }: GroupAggregatePlan): boolean {
  return input.op === 'group_aggregate' ? isDirect(input) : input.op === 'group';
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
