import type { Catalog, CatalogTable } from '../../../contracts/catalog.ts';
import type { JoinCondition } from '../../../contracts/tools.ts';
import {
  type Aliases,
  identifier,
  join,
  type OrderKey,
  type Relation,
  type Sql,
  sql,
  WHOLE,
} from './conditions.ts';
import { joinedTables, type Plan, type StartPlan, startColumns } from './plan.ts';

const JOINS = {
  INNER: sql`JOIN`,
  LEFT: sql`LEFT JOIN`,
  RIGHT: sql`RIGHT JOIN`,
  FULL: sql`FULL JOIN`,
} as const;

/** The base tables of a start table, joined in alias order. */
export function compileStart(plan: StartPlan, catalog: Catalog, aliases: Aliases): Relation {
  const tables = joinedTables(plan.definition, catalog).map(({ alias, table }) => ({
    alias,
    table,
    sql: aliases.next(),
  }));
  const sqlOf = new Map(tables.map((table) => [table.alias, table.sql]));
  const columns = new Map(
    startColumns(plan.definition, catalog).map((column) => [
      column.key,
      sql`${sqlOf.get(column.alias) as Sql}.${identifier(column.origin.column)}`,
    ]),
  );
  const side = (path: string): Sql => {
    const { alias, column } = splitPath(path);
    return sql`${sqlOf.get(alias) as Sql}.${identifier(column)}`;
  };

  const position = new Map(tables.map((table, i) => [table.alias, i]));
  const joinsOf = (i: number): JoinCondition[] =>
    plan.definition.condition_sequence.filter(([left, right]) => {
      const at = [left, right].map((path) => position.get(splitPath(path).alias) as number);
      return Math.max(...at) === i;
    });
  const from = tables
    .map((table, i) => {
      const name = sql`${identifier(table.table.name)} AS ${table.sql}`;
      if (i === 0) return name;
      const conditions = joinsOf(i);
      const first = conditions[0];
      // A comma, unlike CROSS JOIN, lets the planner order the loops.
      if (!first) return sql` JOIN ${name}`;
      const on = conditions.map(([left, right]) => sql`${side(left)} = ${side(right)}`);
      return sql` ${JOINS[first[2]]} ${name} ON ${join(on, ' AND ')}`;
    })
    .reduce((whole, part) => sql`${whole}${part}`);

  return {
    ...WHOLE,
    from: () => from,
    keys: [...columns.keys()],
    column: (key) => columns.get(key) as Sql,
    order: rowOrder(tables, plan.definition.condition_sequence).flatMap((alias) => {
      const { table, sql } = tables[position.get(alias) as number] as (typeof tables)[number];
      return rowIdentity(table, sql);
    }),
  };
}

/** The columns that identify and order a table's rows: the row id, or else the primary key. */
function rowIdentity(table: CatalogTable, alias: Sql): OrderKey[] {
  if (table.has_rowid) {
    const names = new Set(table.columns.map((column) => column.name.toLowerCase()));
    const free = ['rowid', '_rowid_', 'oid'].find((name) => !names.has(name));
    if (free) return [{ expr: () => sql`${alias}.${{ text: free, params: [] }}`, descending: false }];
  }
  const key = table.columns.filter((column) => column.primary_key > 0);
  const columns = key.length > 0 ? key.sort((a, b) => a.primary_key - b.primary_key) : table.columns;
  return columns.map((column) => ({
    expr: () => sql`${alias}.${identifier(column.name)}`,
    descending: false,
  }));
}

/**
 * The column by which the rows of a table are naturally ordered: the (first) primary key of the table that leads a
 * start table, provided that only filters and new columns follow; else null.
 */
export function leadingKey(plan: Plan, catalog: Catalog): string | null {
  if (plan.op === 'filter') return leadingKey(plan.input, catalog);
  if (plan.op === 'transform') {
    const key = leadingKey(plan.input, catalog);
    return plan.target === key ? null : key;
  }
  if (plan.op !== 'start') return null;
  const tables = joinedTables(plan.definition, catalog);
  const [first] = rowOrder(tables, plan.definition.condition_sequence);
  const key = tables
    .find(({ alias }) => alias === first)
    ?.table.columns.find(({ primary_key }) => primary_key === 1);
  const columns = startColumns(plan.definition, catalog);
  return columns.find(({ alias, origin }) => alias === first && origin.column === key?.name)?.key ?? null;
}

interface Joined {
  readonly alias: string;
  readonly table: CatalogTable;
}

/**
 * The tables in the order in which they determine the row order of a start table. A table that is only looked up by
 * primary key comes after those that refer to it: orders joined with their customers come in the order of the orders.
 * SQLite joins them that way too, and so sees equal rows in the same order. Outer joins, and ties, keep alias order.
 */
function rowOrder(tables: readonly Joined[], conditions: readonly JoinCondition[]): string[] {
  const names = tables.map((table) => table.alias);
  if (conditions.some(([, , type]) => type !== 'INNER')) return names;
  const isKey = (path: string): boolean => {
    const { alias, column } = splitPath(path);
    const keys = tables
      .find((each) => each.alias === alias)
      ?.table.columns.filter(({ primary_key }) => primary_key > 0);
    return keys?.length === 1 && keys[0]?.name.toLowerCase() === column.toLowerCase();
  };
  const lookups = conditions.flatMap(([left, right]) => {
    const [leftKey, rightKey] = [isKey(left), isKey(right)];
    if (leftKey === rightKey) return [];
    const [from, to] = rightKey ? [left, right] : [right, left];
    return [{ from: splitPath(from).alias, to: splitPath(to).alias }];
  });
  const left = [...names];
  const order: string[] = [];
  while (left.length > 0) {
    const free = left.findIndex(
      (name) => !lookups.some(({ from, to }) => to === name && left.includes(from)),
    );
    order.push(...left.splice(Math.max(0, free), 1));
  }
  return order;
}

/** Splits `alias.column` at the first dot. */
export function splitPath(path: string): { alias: string; column: string } {
  const dot = path.indexOf('.');
  return { alias: path.slice(0, dot), column: path.slice(dot + 1) };
}
