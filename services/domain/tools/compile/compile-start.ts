import type { Catalog, CatalogTable } from '../../../../contracts/catalog.ts';
import type { JoinCondition } from '../../../../contracts/start-table.ts';
import type { Plan, StartPlan } from '../plan/plan.ts';
import { catalogTable, startColumns } from '../plan/start-columns.ts';
import { identifier, join, type Sql, sql } from '../sql/sql.ts';
import type { Aliases, OrderKey, Relation } from './relation.ts';
import { rowOrder } from './row-order.ts';
import { splitPath } from './split-path.ts';

const JOINS = {
  INNER: sql`JOIN`,
  LEFT: sql`LEFT JOIN`,
  RIGHT: sql`RIGHT JOIN`,
  FULL: sql`FULL JOIN`,
} as const;

/** The base tables of a start table, joined in the order of its aliases. */
export function compileStart(plan: StartPlan, catalog: Catalog, aliases: Aliases): Relation {
  const tables = Object.entries(plan.definition.alias_to_table_dict).map(
    ([name, { original_table_name }]) => ({
      name,
      table: catalogTable(catalog, original_table_name),
      sql: aliases.next(),
    }),
  );
  const sqlOf = new Map(tables.map((table) => [table.name, table.sql]));
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

  const position = new Map(tables.map((table, i) => [table.name, i]));
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
      // A comma, unlike CROSS JOIN, leaves the order of the loops to the planner.
      if (!first) return sql` JOIN ${name}`;
      const on = conditions.map(([left, right]) => sql`${side(left)} = ${side(right)}`);
      return sql` ${JOINS[first[2]]} ${name} ON ${join(on, ' AND ')}`;
    })
    .reduce((whole, part) => sql`${whole}${part}`);

  return {
    from: () => from,
    where: [],
    keys: [...columns.keys()],
    column: (key) => columns.get(key) as Sql,
    order: rowOrder(
      tables.map(({ name, table }) => ({ name, table })),
      plan.definition.condition_sequence,
    ).flatMap((name) => {
      const table = tables[position.get(name) as number] as (typeof tables)[number];
      return rowIdentity(table.table, table.sql);
    }),
    slice: null,
    windowed: false,
  };
}

/** The columns that identify and order a table's rows: the row id or, without one, the primary key. */
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
 * The column in whose order the rows of a table come by themselves: the (first) primary key of the table that
 * leads a start table, as long as only filters and other columns have been added since; else null.
 */
export function leadingKey(plan: Plan, catalog: Catalog): string | null {
  if (plan.op === 'filter') return leadingKey(plan.input, catalog);
  if (plan.op === 'transform') {
    const key = leadingKey(plan.input, catalog);
    return plan.target === key ? null : key;
  }
  if (plan.op !== 'start') return null;
  const tables = Object.entries(plan.definition.alias_to_table_dict).map(
    ([name, { original_table_name }]) => ({
      name,
      table: catalogTable(catalog, original_table_name),
    }),
  );
  const [first] = rowOrder(tables, plan.definition.condition_sequence);
  const key = tables
    .find(({ name }) => name === first)
    ?.table.columns.find(({ primary_key }) => primary_key === 1);
  const columns = startColumns(plan.definition, catalog);
  return columns.find(({ alias, origin }) => alias === first && origin.column === key?.name)?.key ?? null;
}
