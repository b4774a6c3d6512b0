import type { CatalogTable } from '../../../../contracts/catalog.ts';
import type { JoinCondition } from '../../../../contracts/start-table.ts';
import { splitPath } from './split-path.ts';

interface Joined {
  readonly name: string;
  readonly table: CatalogTable;
}

/**
 * Which tables decide the row order of a start table, most telling first: a table that is only looked up by
 * its primary key comes after the tables that refer to it, so that orders joined with their customers come in
 * the order of the orders (and SQLite, which joins them that way, sees equal rows in the same order). Outer
 * joins, and what this does not decide, keep the order of the aliases.
 */
export function rowOrder(tables: readonly Joined[], conditions: readonly JoinCondition[]): string[] {
  const names = tables.map(({ name }) => name);
  if (conditions.some(([, , type]) => type !== 'INNER')) return names;
  const isKey = (path: string): boolean => {
    const { alias, column } = splitPath(path);
    const keys = tables
      .find(({ name }) => name === alias)
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
