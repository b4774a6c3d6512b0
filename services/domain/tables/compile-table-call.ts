import { bind, identifier, join, nothing, type Sql, sql } from '../tools/sql/sql.ts';
import { aggregateKey, type TableCall, type TableTest } from './read-table-call.ts';
import type { ApiColumn, TableApi } from './table-apis.ts';

/** The rows of a call and how many there are on all pages, each as one SELECT. */
export interface CompiledTableCall {
  readonly rows: Sql;
  readonly count: Sql;
  /** Keys of each row, in their order. */
  readonly keys: readonly string[];
  /** Whether all rows that fit are looked at before the first is given. */
  readonly sorts: boolean;
}

/** A checked call as SQL. Rows that no order is asked for stand in that of the table, so that pages fit together. */
export function compileTableCall(api: TableApi, call: TableCall): CompiledTableCall {
  const outputs = outputsOf(api, call);
  const isGrouped = call.aggregate !== null || call.groupBy.length > 0;
  const list = join(outputs.map(({ value, at }) => sql`${value} AS ${identifier(at)}`));
  const group = call.groupBy.length > 0 ? sql` GROUP BY ${join(call.groupBy.map(columnOf))}` : nothing;
  const from = sql`FROM ${identifier(api.table.name)} AS t${where(call.tests)}${group}`;
  const body = sql`SELECT ${call.distinct ? sql`DISTINCT ` : nothing}${list} ${from}`;
  const order = orderOf(api, call, outputs, isGrouped || call.distinct);
  return {
    keys: outputs.map(({ key }) => key),
    rows: sql`${body}${order}${pageOf(call)}`,
    count: sql`SELECT COUNT(*) FROM (${body})`,
    sorts: isGrouped || call.distinct || call.orderBy.length > 0,
  };
}

interface Output {
  readonly key: string;
  /** Its name in the statement. */
  readonly at: string;
  readonly value: Sql;
}

function outputsOf(api: TableApi, { select, aggregate, groupBy }: TableCall): Output[] {
  const isGrouped = aggregate !== null || groupBy.length > 0;
  const columns = isGrouped ? groupBy : (select ?? api.columns);
  const unique = [...new Map(columns.map((column) => [column.name, column])).values()];
  const outputs = unique.map((column) => ({ key: column.name, value: columnOf(column) }));
  const all = aggregate
    ? [...outputs, { key: aggregateKey(aggregate), value: aggregated(aggregate) }]
    : outputs;
  return all.map((output, i) => ({ ...output, at: `o${i}` }));
}

function aggregated({ name, column }: NonNullable<TableCall['aggregate']>): Sql {
  const value = column ? columnOf(column) : sql`*`;
  switch (name) {
    case 'count':
      return sql`COUNT(${value})`;
    case 'sum':
      return sql`SUM(${value})`;
    case 'avg':
      return sql`AVG(${value})`;
    case 'min':
      return sql`MIN(${value})`;
    case 'max':
      return sql`MAX(${value})`;
  }
}

function where(tests: readonly TableTest[]): Sql {
  return tests.length === 0 ? nothing : sql` WHERE ${join(tests.map(testOf), ' AND ')}`;
}

function testOf({ column, operator, values }: TableTest): Sql {
  const value = columnOf(column);
  const first = bind(values[0] ?? null);
  switch (operator) {
    case 'eq':
      return sql`${value} = ${first}`;
    case 'ne':
      return sql`${value} <> ${first}`;
    case 'gt':
      return sql`${value} > ${first}`;
    case 'ge':
      return sql`${value} >= ${first}`;
    case 'lt':
      return sql`${value} < ${first}`;
    case 'le':
      return sql`${value} <= ${first}`;
    case 'like':
      return sql`${value} LIKE ${first}`;
    case 'in':
      return sql`${value} IN (${join(values.map(bind))})`;
    case 'is_null':
      return values[0] === 1n ? sql`${value} IS NULL` : sql`${value} IS NOT NULL`;
  }
}

/** What is asked for first; then, so that no two pages have the same row, whatever tells rows apart. */
function orderOf(api: TableApi, { orderBy }: TableCall, outputs: readonly Output[], isMade: boolean): Sql {
  const asked = orderBy.map(({ name, descending }) => {
    const made = outputs.find(({ key }) => key === name);
    const column = api.columns.find((each) => each.name === name);
    const value = isMade || !column ? identifier(made?.at ?? '') : columnOf(column);
    return descending ? sql`${value} DESC` : value;
  });
  const rest = isMade ? outputs.map(({ at }) => identifier(at)) : ownOrder(api);
  const terms = [...asked, ...rest];
  return terms.length === 0 ? nothing : sql` ORDER BY ${join(terms)}`;
}

function ownOrder({ table, columns }: TableApi): Sql[] {
  if (table.has_rowid) return [sql`t.rowid`];
  const keys = columns
    .filter(({ column }) => column.primary_key > 0)
    .sort((a, b) => a.column.primary_key - b.column.primary_key);
  return (keys.length > 0 ? keys : columns).map(columnOf);
}

function pageOf({ page }: TableCall): Sql {
  if (!page) return nothing;
  return sql` LIMIT ${bind(BigInt(page.limit))} OFFSET ${bind(BigInt(page.offset))}`;
}

function columnOf({ column }: Pick<ApiColumn, 'column'>): Sql {
  return sql`t.${identifier(column.name)}`;
}
