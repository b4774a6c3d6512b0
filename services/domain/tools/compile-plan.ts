import type { Catalog } from '../../../contracts/catalog.ts';
import { compileStart, leadingKey } from './compile-start.ts';
import {
  Aliases,
  aggregation,
  bind,
  condition,
  identifier,
  inRowOrder,
  join,
  nested,
  nothing,
  opened,
  orderClause,
  orderTerms,
  type Relation,
  type Sql,
  type Statement,
  select,
  selectList,
  sorted,
  sql,
  toStatement,
  WHOLE,
} from './conditions.ts';
import { type ArgumentReader, operation, type WindowReader } from './operations.ts';
import type {
  Aggregate,
  AggregatePlan,
  CalculatePlan,
  CombinePlan,
  DescribePlan,
  FilterPlan,
  GroupAggregatePlan,
  GroupPlan,
  JoinPlan,
  Operand,
  OperationArguments,
  Plan,
  Predicate,
  SortPlan,
  Test,
  TransformPlan,
  ValuePlan,
} from './plan.ts';

/** State shared while compiling one statement. */
export class Compiler {
  readonly catalog: Catalog;
  readonly aliases = new Aliases();

  constructor(catalog: Catalog) {
    this.catalog = catalog;
  }

  /** Any plan as rows; a value is one row of one column. */
  relation(plan: Plan): Relation {
    return compileTable(plan, this, []);
  }

  /** A plan as a single value: the first of a column, NULL if it is empty. */
  scalar(plan: Plan): Sql {
    if (plan.op === 'calculate') return compileValue(plan, this);
    if (plan.op === 'aggregate') return compileAggregate(plan, this);
    const relation = this.relation(plan);
    const first: Relation = { ...relation, slice: relation.slice ?? { n: 1, offset: 0 } };
    return sql`(${select(first, () => [relation.column(firstKey(plan))], true)})`;
  }

  /** A plan as a list: `(SELECT …)` of one column. */
  list(plan: Plan): Sql {
    const relation = this.relation(plan);
    return select(relation, () => [relation.column(firstKey(plan))], false);
  }
}

function firstKey(plan: Plan): string {
  return (plan.columns[0] as { key: string }).key;
}

export interface RowWindow {
  readonly offset: number;
  readonly limit: number;
}

/** A statement for a page of a table's rows, all columns, in row order. */
export function rowsStatement(plan: Plan, catalog: Catalog, page: RowWindow): Statement {
  const relation = paged(new Compiler(catalog).relation(plan), page);
  const columns = () => plan.columns.map(({ key }) => sql`${relation.column(key)} AS ${identifier(key)}`);
  return toStatement(select(relation, columns, true));
}

export function countStatement(plan: Plan, catalog: Catalog): Statement {
  const relation = new Compiler(catalog).relation(plan);
  // A column's values can affect its number of rows.
  const read = () => (plan.op === 'column' ? plan.columns.map(({ key }) => relation.column(key)) : [sql`1`]);
  return toStatement(sql`SELECT COUNT(*) AS "count" FROM (${select(relation, read, false)})`);
}

export function valueStatement(plan: ValuePlan, catalog: Catalog): Statement {
  return toStatement(sql`SELECT ${new Compiler(catalog).scalar(plan)} AS "value"`);
}

function paged(relation: Relation, page: RowWindow): Relation {
  const { n, offset } = relation.slice ?? { n: -1, offset: 0 };
  const left = n < 0 ? page.limit : Math.max(0, Math.min(n - page.offset, page.limit));
  return { ...relation, slice: { n: left, offset: offset + page.offset } };
}

/** Aggregates for the group plan below to compute, each for its target column. */
export type GroupAggregates = readonly GroupAggregatePlan[];

/** Compiles a plan to a relation. `aggregates` are those that the plans above need from the group plan below. */
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
    ...WHOLE,
    from: () => sql`(SELECT ${value} AS ${identifier(key)}) AS ${alias}`,
    keys: [key],
    column: () => sql`${alias}.${identifier(key)}`,
  };
}

function texts({ columns, lines }: DescribePlan, compiler: Compiler): Relation {
  const alias = compiler.aliases.next();
  return {
    ...WHOLE,
    from: () => sql`json_each(${bind(JSON.stringify(lines))}) AS ${alias}`,
    keys: columns.map(({ key }) => key),
    column: () => sql`${alias}."value"`,
    order: [{ expr: () => sql`${alias}."key"`, descending: false }],
  };
}

const COMPOUND = {
  union: sql`UNION`,
  union_all: sql`UNION ALL`,
  intersect: sql`INTERSECT`,
  except: sql`EXCEPT`,
} as const;

/**
 * Combines rows of two results by value. All but `union_all` come in the order of their values, as SQLite returns them.
 */
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
    const over = inRowOrder(relation);
    columns.set('order 0', () => ({ text: number, params: [] }));
    columns.set('order 1', () => sql`row_number() OVER ${over}`);
    return select(relation, () => selectList(columns), false);
  };
  const order = plan.combination === 'union_all' ? ['order 0', 'order 1'] : keys;
  return {
    ...WHOLE,
    from: () =>
      sql`(${part(left, plan.input, '0')} ${COMPOUND[plan.combination]} ${part(right, plan.other, '1')}) AS ${alias}`,
    keys,
    column,
    order: order.map((name) => ({ expr: () => column(name), descending: false })),
  };
}

/**
 * Joins two tables. The `+` keeps the row order from deciding which table SQLite puts in the outer loop: to spare a
 * sort, it would rerun a grouped or limited subquery for every row.
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
    ...WHOLE,
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
  };
}

/** Column of the inner SELECT: the position of a row among equal ones. */
const PLACE_AMONG_EQUALS = 'place among equals';

/** Keeps the first whole row of those equal in the given columns, in row order. */
export function compileFirstRows(keys: readonly string[], table: Relation, compiler: Compiler): Relation {
  const input = opened(table, compiler.aliases);
  const by = join(keys.map((key) => input.column(key)));
  const place = sql`row_number() OVER (PARTITION BY ${by}${orderClause(orderTerms(input))})`;
  const numbered = nested(
    { ...input, column: (key) => (key === PLACE_AMONG_EQUALS ? place : input.column(key)), groups: null },
    compiler.aliases,
  );
  return { ...numbered, where: [sql`${numbered.column(PLACE_AMONG_EQUALS)} = 1`] };
}

/** An expression longer than this is computed once in a subquery instead of being repeated at every use. */
const MAX_CHARACTERS = 4000;

/** Replaces or adds a column. The sort order remains that of the old values. */
export function compileTransform(plan: TransformPlan, table: Relation, compiler: Compiler): Relation {
  const definition = operation(plan.operation);
  const keys = table.keys.includes(plan.target) ? table.keys : [...table.keys, plan.target];
  if (definition.scope === 'window') {
    const input = opened(table, compiler.aliases);
    const write = () => definition.sql(input.column(plan.key), windowReader(plan, input, compiler));
    return withColumn({ ...input, keys, windowed: true }, plan.target, write);
  }
  const write = () =>
    definition.sql(
      table.column(plan.key),
      argumentReader(plan.args, (key) => table.column(key), compiler),
    );
  const changed = withColumn({ ...table, keys }, plan.target, write);
  return write().text.length <= MAX_CHARACTERS ? changed : nested(changed, compiler.aliases);
}

function withColumn(relation: Relation, target: string, write: () => Sql): Relation {
  return { ...relation, column: (key) => (key === target ? write() : relation.column(key)) };
}

function windowReader(plan: TransformPlan, input: Relation, compiler: Compiler): WindowReader {
  const by = columnsOf(plan.args, 'partition_by').map((key) => input.column(key));
  const peers = orderOf(plan.args).map(({ key, ascending }) =>
    ascending ? input.column(key) : sql`${input.column(key)} DESC`,
  );
  const ascending = plan.args.ascending;
  return {
    ...argumentReader(plan.args, (key) => input.column(key), compiler),
    partition: by.length === 0 ? nothing : sql`PARTITION BY ${join(by)}`,
    peers,
    order: [...peers, ...orderTerms(input)],
    direction: ascending?.kind === 'option' && ascending.value === false ? sql` DESC` : nothing,
  };
}

function columnsOf(args: OperationArguments, name: string): readonly string[] {
  const value = args[name];
  return value?.kind === 'texts' ? value.values : [];
}

function orderOf(args: OperationArguments): readonly { key: string; ascending: boolean }[] {
  const value = args.order_by;
  return value?.kind === 'order' ? value.keys : [];
}

/** Removes duplicate rows. The order, by first occurrence, is computed only where it matters. */
export function compileUnique(table: Relation, compiler: Compiler): Relation {
  const input = opened(table, compiler.aliases);
  const alias = compiler.aliases.next();
  let ordered = false;
  const columns = () => new Map(input.keys.map((key) => [key, () => input.column(key)]));
  return {
    ...WHOLE,
    from: () => {
      if (!ordered) {
        const list = () => [sql`DISTINCT ${join(selectList(columns()))}`];
        return sql`(${select(input, list, false)}) AS ${alias}`;
      }
      const over = inRowOrder(input);
      const numbered = columns().set('place', () => sql`row_number() OVER ${over}`);
      const names = join(input.keys.map((key) => identifier(key)));
      const inner = select(input, () => selectList(numbered), false);
      return sql`(SELECT ${names}, MIN("place") AS "place" FROM (${inner}) GROUP BY ${names}) AS ${alias}`;
    },
    keys: input.keys,
    column: (key): Sql => sql`${alias}.${identifier(key)}`,
    order: [
      {
        expr: () => {
          ordered = true;
          return sql`${alias}."place"`;
        },
        descending: false,
      },
    ],
  };
}

/** Column of the inner SELECT: the position of a row in its group. */
const PLACE_IN_GROUP = 'place in group';

/**
 * One row per group, in the order of the group keys. A column that is neither key nor aggregate takes its value from
 * one row of the group: the row of the last min or max added directly after grouping (as in SQLite), else the first in
 * row order.
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
    // With a single MIN, SQLite takes bare columns from the row of the minimum.
    if (bare.length > 0) columns.push(sql`MIN(${rows.column(PLACE_IN_GROUP)})`);
    // Without keys and aggregates, a MAX makes it one row; alone it can use an index.
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
    ...WHOLE,
    from: write,
    keys: plan.columns.map(({ key }) => key),
    column,
    order: plan.keys.map((key) => ({ expr: () => column(key), descending: false })),
    // Groups of a primary key come in its order, whatever they are sorted by.
    groups:
      plan.keys[0] === leadingKey(plan.input, compiler.catalog)
        ? null
        : { keys: plan.keys.length, sorts: [] },
  };
}

function flat(rows: Relation, aggregates: ReadonlyMap<string, Aggregate>) {
  const value = (key: string): Sql => {
    const aggregate = aggregates.get(key);
    return aggregate ? compileAggregateCall(aggregate, rows) : rows.column(key);
  };
  return { rows, value };
}

/**
 * Groups in which some columns take the value of the first row, keeping their affinity and collation. A second MIN or
 * MAX would also choose a row, so those are computed beforehand.
 */
function withPlaces(plan: GroupPlan, input: Relation, aggregates: GroupAggregates, compiler: Compiler) {
  const by = plan.keys.length === 0 ? sql`` : sql`PARTITION BY ${join(plan.keys.map(input.column))}`;
  const chosen = choosing(aggregates);
  const terms = orderTerms(input);
  if (chosen?.aggregate.key) {
    const value = input.column(chosen.aggregate.key);
    terms.unshift(chosen.aggregate.type === 'max' ? sql`${value} DESC NULLS LAST` : sql`${value} NULLS LAST`);
  }
  const order = orderClause(terms);
  const extremes = new Map(aggregates.filter(isExtreme).map(({ target, aggregate }) => [target, aggregate]));
  const numbered: Relation = {
    ...input,
    column: (key) => {
      if (key === PLACE_IN_GROUP) return sql`row_number() OVER (${by}${order})`;
      const extreme = extremes.get(key);
      if (!extreme) return input.column(key);
      // DISTINCT does not change an extreme, and window functions do not support it.
      return sql`${compileAggregateCall({ ...extreme, distinct: false }, input)} OVER (${by})`;
    },
  };
  const rows = nested(numbered, compiler.aliases);
  const others = aggregates.filter((each) => !isExtreme(each));
  return flat(rows, new Map(others.map(({ target, aggregate }) => [target, aggregate])));
}

/** The aggregate whose row determines the other columns: the last min or max added directly after grouping. */
function choosing(aggregates: GroupAggregates): GroupAggregatePlan | null {
  const extremes = aggregates.filter((each) => isExtreme(each) && isDirect(each));
  return extremes.at(-1) ?? null;
}

function isExtreme({ aggregate }: GroupAggregatePlan): boolean {
  return aggregate.type === 'min' || aggregate.type === 'max';
}

/** Whether only aggregates come between it and the grouping: other operations must not change its input. */
function isDirect({ input }: GroupAggregatePlan): boolean {
  return input.op === 'group_aggregate' ? isDirect(input) : input.op === 'group';
}

/** One aggregate over the rows of a relation, not nested. */
export function compileAggregateCall(aggregate: Aggregate, rows: Relation): Sql {
  return aggregation(aggregate.type).sql({
    value: aggregate.key === null ? null : rows.column(aggregate.key),
    distinct: aggregate.distinct,
    separator: aggregate.separator === null ? null : bind(aggregate.separator),
    order: aggregate.type === 'group_concat' ? orderTerms(rows) : [],
  });
}

/** A calculation as one SQL expression, with the results that it uses as subqueries. */
export function compileValue(plan: CalculatePlan, compiler: Compiler): Sql {
  const column = (key: string): Sql => {
    throw new Error(`a calculation has no column ${key}`);
  };
  const definition = operation(plan.operation);
  if (definition.scope !== 'row') throw new Error(`${plan.operation} needs rows`);
  const value = compileOperand(plan.value, column, compiler);
  return definition.sql(value, argumentReader(plan.args, column, compiler));
}

/** An aggregate over all rows of a table, as a subquery. */
export function compileAggregate(plan: AggregatePlan, compiler: Compiler): Sql {
  const table = compiler.relation(plan.input);
  const input = plan.limit < 0 ? opened(table, compiler.aliases) : firstRows(table, plan.limit, compiler);
  const { type } = plan.aggregate;
  if (type === 'argmin' || type === 'argmax') return positionOf(input, plan.aggregate.key as string, type);
  return sql`(${select(input, () => [compileAggregateCall(plan.aggregate, input)], false)})`;
}

function firstRows(table: Relation, n: number, compiler: Compiler): Relation {
  const inner = table.slice ? nested(table, compiler.aliases) : table;
  return nested({ ...inner, slice: { n, offset: 0 } }, compiler.aliases);
}

function positionOf(input: Relation, key: string, type: 'argmin' | 'argmax'): Sql {
  const over = inRowOrder(input);
  const columns = () => [sql`${input.column(key)} AS v`, sql`row_number() OVER ${over} - 1 AS n`];
  const direction = type === 'argmax' ? sql` DESC` : sql``;
  return sql`(SELECT n FROM (${select(input, columns, false)}) WHERE v IS NOT NULL ORDER BY v${direction}, n LIMIT 1)`;
}

export type ColumnOf = (key: string) => Sql;

export function compileOperand(operand: Operand, column: ColumnOf, compiler: Compiler): Sql {
  switch (operand.kind) {
    case 'literal':
      return bind(operand.value);
    case 'column':
      return column(operand.key);
    case 'result':
      return compiler.scalar(operand.plan);
  }
}

export function compileTest(test: Test, left: Sql, column: ColumnOf, compiler: Compiler): Sql {
  const values = test.list
    ? [compiler.list(test.list)]
    : test.operands.map((operand) => compileOperand(operand, column, compiler));
  return condition(test.condition).sql(left, values);
}

export function compilePredicate(predicate: Predicate, column: ColumnOf, compiler: Compiler): Sql {
  switch (predicate.kind) {
    case 'test':
      return compileTest(predicate.test, column(predicate.key), column, compiler);
    case 'partner': {
      const right = compiler.relation(predicate.other);
      const { keys, otherKeys } = predicate;
      if (keys.length === 0) return sql`EXISTS (${select(right, () => [sql`1`], false)})`;
      const left = keys.map((key) => column(key));
      const row = left.length === 1 ? (left[0] as Sql) : sql`(${join(left)})`;
      return sql`${row} IN (${select(right, () => otherKeys.map((key) => right.column(key)), false)})`;
    }
    case 'all':
    case 'any': {
      if (predicate.of.length === 0) return sql`1`;
      const tests = predicate.of.map((item) => compilePredicate(item, column, compiler));
      return sql`(${join(tests, predicate.kind === 'all' ? ' AND ' : ' OR ')})`;
    }
    case 'not':
      return sql`(${compilePredicate(predicate.of, column, compiler)}) IS NOT TRUE`;
  }
}

/** The arguments of an operation, read as SQL by its definition. */
export function argumentReader(
  args: OperationArguments,
  column: ColumnOf,
  compiler: Compiler,
): ArgumentReader {
  const optionalOperand = (name: string): Sql | null => {
    const value = args[name];
    if (!value) return null;
    if (value.kind !== 'literal' && value.kind !== 'column' && value.kind !== 'result') {
      throw new Error(`argument ${name} is no operand`);
    }
    return compileOperand(value, column, compiler);
  };
  return {
    optionalOperand,
    operand: (name) => {
      const operand = optionalOperand(name);
      if (!operand) throw new Error(`argument ${name} is missing`);
      return operand;
    },
    option: (name) => {
      const value = args[name];
      return value?.kind === 'option' ? value.value : null;
    },
    operands: (name) => {
      const value = args[name];
      return value?.kind === 'operands'
        ? value.values.map((operand) => compileOperand(operand, column, compiler))
        : [];
    },
    test: (left) => {
      const value = args.test;
      if (value?.kind !== 'test') throw new Error('argument condition is missing');
      return compileTest(value.test, left, column, compiler);
    },
  };
}
