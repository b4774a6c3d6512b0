import type {
  CombinePlan,
  DescribePlan,
  FilterPlan,
  GroupAggregatePlan,
  JoinPlan,
  Plan,
  SortPlan,
  ValuePlan,
} from '../plan/plan.ts';
import { bind, identifier, join, type Sql, sql } from '../sql/sql.ts';
import { compileFirstRows } from './compile-first-rows.ts';
import { compileGroup } from './compile-group.ts';
import { compilePredicate } from './compile-operand.ts';
import { compileStart } from './compile-start.ts';
import { compileTransform } from './compile-transform.ts';
import { compileUnique } from './compile-unique.ts';
import type { Compiler } from './compiler.ts';
import { nested, opened, orderTerms, type Relation, select, selectList, sorted } from './relation.ts';

/** Aggregates to be computed by the group plan below, each for a column of the given name. */
export type GroupAggregates = readonly GroupAggregatePlan[];

/** A plan as a relation. `aggregates` are those that plans above need from the group plan below. */
export function compileTable(plan: Plan, compiler: Compiler, aggregates: GroupAggregates): Relation {
  return { ...compileNode(plan, compiler, aggregates), keys: plan.columns.map(({ key }) => key) };
}

function compileNode(plan: Plan, compiler: Compiler, aggregates: GroupAggregates): Relation {
  switch (plan.op) {
    case 'start':
      return compileStart(plan, compiler.catalog, compiler.aliases);
    case 'filter':
      return compileFilter(plan, compiler, aggregates);
    case 'sort':
      return compileSort(plan, compiler, aggregates);
    case 'transform':
      return compileTransform(plan, compileTable(plan.input, compiler, aggregates), compiler);
    case 'group':
      return compileGroup(plan, compileTable(plan.input, compiler, []), compiler, aggregates);
    case 'group_aggregate':
      return compileTable(plan.input, compiler, [plan, ...aggregates]);
    case 'truncate':
      return sliced(compileTable(plan.input, compiler, aggregates), plan.n, plan.offset, compiler);
    case 'unique': {
      const input = compileTable(plan.input, compiler, []);
      return plan.keys ? compileFirstRows(plan.keys, input, compiler) : compileUnique(input, compiler);
    }
    case 'select':
      return { ...compileTable(plan.input, compiler, []), groups: null };
    case 'column': {
      const input = { ...compileTable(plan.input, compiler, []), keys: [plan.key] };
      const values = plan.distinct ? compileUnique(input, compiler) : input;
      return plan.limit < 0 && plan.offset === 0 ? values : sliced(values, plan.limit, plan.offset, compiler);
    }
    case 'combine':
      return compileCombine(plan, compiler);
    case 'join':
      return compileJoin(plan, compiler);
    case 'describe':
      return texts(plan, compiler);
    case 'aggregate':
    case 'calculate':
      return oneRow(plan, compiler);
  }
}

function compileFilter(plan: FilterPlan, compiler: Compiler, aggregates: GroupAggregates): Relation {
  const input = opened(compileTable(plan.input, compiler, aggregates), compiler.aliases);
  return { ...input, where: [...input.where, compilePredicate(plan.predicate, input.column, compiler)] };
}

function compileSort(plan: SortPlan, compiler: Compiler, aggregates: GroupAggregates): Relation {
  const table = compileTable(plan.input, compiler, aggregates);
  const input = table.slice ? nested(table, compiler.aliases) : table;
  return sorted(input, { expr: () => input.column(plan.key), descending: !plan.ascending });
}

function sliced(relation: Relation, n: number, offset: number, compiler: Compiler): Relation {
  const input = relation.slice ? nested(relation, compiler.aliases) : relation;
  return { ...input, slice: { n, offset } };
}

function oneRow(plan: ValuePlan, compiler: Compiler): Relation {
  const key = plan.columns[0]?.key as string;
  const value = compiler.scalar(plan);
  const alias = compiler.aliases.next();
  return {
    from: () => sql`(SELECT ${value} AS ${identifier(key)}) AS ${alias}`,
    where: [],
    keys: [key],
    column: () => sql`${alias}.${identifier(key)}`,
    order: [],
    slice: null,
    windowed: false,
  };
}

function texts({ columns, lines }: DescribePlan, compiler: Compiler): Relation {
  const alias = compiler.aliases.next();
  return {
    from: () => sql`json_each(${bind(JSON.stringify(lines))}) AS ${alias}`,
    where: [],
    keys: columns.map(({ key }) => key),
    column: () => sql`${alias}."value"`,
    order: [{ expr: () => sql`${alias}."key"`, descending: false }],
    slice: null,
    windowed: false,
  };
}

const COMPOUND = {
  union: sql`UNION`,
  union_all: sql`UNION ALL`,
  intersect: sql`INTERSECT`,
  except: sql`EXCEPT`,
} as const;

/** Rows of two results by value. All but `union_all` are in the order of their values, as SQLite gives them. */
function compileCombine(plan: CombinePlan, compiler: Compiler): Relation {
  // A SELECT with ORDER BY or LIMIT cannot be part of a compound.
  const left = opened(compiler.relation(plan.input), compiler.aliases);
  const right = opened(compiler.relation(plan.other), compiler.aliases);
  const keys = plan.columns.map((column) => column.key);
  const alias = compiler.aliases.next();
  const column = (name: string): Sql => sql`${alias}.${identifier(name)}`;
  const part = (relation: Relation, from: Plan, number: string): Sql => {
    const columns = new Map(
      keys.map((key, i) => [key, () => relation.column(from.columns[i]?.key as string)]),
    );
    if (plan.combination !== 'union_all') return select(relation, () => selectList(columns), false);
    const terms = orderTerms(relation);
    const over = terms.length === 0 ? sql`()` : sql`(ORDER BY ${join(terms)})`;
    columns.set('order 0', () => ({ text: number, params: [] }));
    columns.set('order 1', () => sql`row_number() OVER ${over}`);
    return select(relation, () => selectList(columns), false);
  };
  const order = plan.combination === 'union_all' ? ['order 0', 'order 1'] : keys;
  return {
    from: () =>
      sql`(${part(left, plan.input, '0')} ${COMPOUND[plan.combination]} ${part(right, plan.other, '1')}) AS ${alias}`,
    where: [],
    keys,
    column,
    order: order.map((name) => ({ expr: () => column(name), descending: false })),
    slice: null,
    windowed: false,
  };
}

/**
 * Two tables side by side. The `+` keeps the row order from deciding which table SQLite loops over first: it
 * would run a grouped or limited subquery anew for every row just to spare a sort.
 */
function compileJoin(plan: JoinPlan, compiler: Compiler): Relation {
  const left = opened(compiler.relation(plan.input), compiler.aliases);
  const right = nested(compiler.relation(plan.other), compiler.aliases);
  const equal = plan.keys.map(
    (key, i) => sql`${left.column(key)} = ${right.column(plan.otherKeys[i] as string)}`,
  );
  const word = plan.type === 'left' ? sql`LEFT JOIN` : sql`JOIN`;
  const on = equal.length === 0 ? sql`` : sql` ON ${join(equal, ' AND ')}`;
  const keys = plan.columns.map((column) => column.key);
  const own = left.keys.length;
  const otherKeys = plan.other.columns.map((column) => column.key);
  return {
    from: () => {
      const first = left.from();
      return sql`${first} ${word} ${right.from()}${plan.type === 'left' && equal.length === 0 ? sql` ON 1` : on}`;
    },
    where: left.where,
    keys,
    column: (key) => {
      const at = keys.indexOf(key);
      return at < own ? left.column(left.keys[at] as string) : right.column(otherKeys[at - own] as string);
    },
    order: [...left.order, ...right.order].map(({ expr, descending }) => ({
      expr: () => sql`+${expr()}`,
      descending,
    })),
    slice: null,
    windowed: false,
  };
}
