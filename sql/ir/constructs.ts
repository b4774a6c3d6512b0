import type { Call, Expr, Query, Select } from './nodes.ts';
import { isCorrelated } from './parts.ts';
import { subqueryOf, visitQuery } from './walk.ts';

const DATE_FUNCTIONS = new Set([
  'date',
  'time',
  'datetime',
  'julianday',
  'unixepoch',
  'strftime',
  'timediff',
]);
const TEXT_FUNCTIONS = new Set(
  'instr length lower ltrim printf format replace rtrim substr substring trim upper'.split(' '),
);

/** The names of the SQL constructs in a query, sorted; coverage is counted by them. */
export function constructsOf(query: Query): string[] {
  const found = new Set<string>();
  visitQuery(query, {
    query: (inner) => {
      for (const name of queryConstructs(inner)) found.add(name);
    },
    expr: (expr) => {
      for (const name of exprConstructs(expr)) found.add(name);
    },
  });
  return [...found].sort();
}

function* queryConstructs(query: Query): Iterable<string> {
  if (query.with.length > 0) yield query.with.some((cte) => cte.recursive) ? 'recursive_cte' : 'cte';
  if (query.kind === 'values') return yield 'values';
  if (query.kind === 'set_operation') yield query.op;
  else yield* selectConstructs(query);
  if (query.orderBy.length > 0) yield query.orderBy.length > 1 ? 'order_by_several' : 'order_by';
  if (query.limit) yield query.limit.offset ? 'offset' : 'limit';
}

function* selectConstructs(select: Select): Iterable<string> {
  if (select.distinct) yield 'distinct';
  if (select.groupBy.length > 0) yield 'group_by';
  if (select.having) yield 'having';
  if (select.from.length > 1) yield 'join';
  const tables = new Set<string>();
  for (const { join, source, on } of select.from) {
    if (join === 'left' || join === 'right' || join === 'full' || join === 'cross') yield `${join}_join`;
    if (source.kind === 'derived') yield 'derived_table';
    if (on?.kind === 'and') yield 'join_on_several';
    if (source.kind !== 'table') continue;
    if (tables.has(source.table)) yield 'self_join';
    tables.add(source.table);
  }
  if (select.columns.filter(({ expr }) => expr.kind === 'aggregate').length > 1) yield 'several_aggregates';
}

function* exprConstructs(expr: Expr): Iterable<string> {
  const query = subqueryOf(expr);
  if (query) {
    yield SUBQUERIES[expr.kind] ?? 'subquery';
    if (isCorrelated(query)) yield 'correlated_subquery';
  }
  switch (expr.kind) {
    case 'aggregate':
      yield 'aggregate';
      if (expr.distinct) yield 'aggregate_distinct';
      if (expr.filter) yield 'aggregate_filter';
      break;
    case 'compare':
      if (expr.left.kind === 'column' && expr.right.kind === 'column') yield 'column_comparison';
      break;
    case 'binary':
      yield expr.op === '||' ? 'concatenation' : 'arithmetic';
      break;
    case 'call':
      yield callConstruct(expr);
      break;
    case 'or':
    case 'not':
    case 'is_null':
    case 'between':
    case 'like':
    case 'in_list':
    case 'case':
    case 'cast':
    case 'collate':
    case 'window':
      yield expr.kind;
      break;
    default:
  }
}

const SUBQUERIES: Readonly<Partial<Record<Expr['kind'], string>>> = {
  exists: 'exists',
  in_query: 'in_subquery',
  scalar_query: 'scalar_subquery',
};

function callConstruct({ name }: Call): string {
  if (DATE_FUNCTIONS.has(name)) return 'date_function';
  return TEXT_FUNCTIONS.has(name) ? 'text_function' : 'function';
}
