import type { Catalog, CatalogColumn } from '../../../../contracts/catalog.ts';
import { declaredAffinity } from '../../../../contracts/column-affinity.ts';
import type { JoinCondition, StartTableDefinition } from '../../../../contracts/start-table.ts';
import { splitPath } from '../../tools/compile/split-path.ts';
import { catalogTable } from '../../tools/plan/start-columns.ts';
import type { CostBound } from './plan-steps.ts';

/** A way from one table of a join to another: one row of the first meets at most `fanOut` of the other. */
interface Step {
  readonly from: string;
  readonly to: string;
  readonly fanOut: number;
}

/** Reading a row through an index takes about as long as reading this many in order. */
const LOOKUP = 3;

/** The most rows that a start table can have, and the cost of reading them, from the statistics of its tables. */
export function startTableBound(definition: StartTableDefinition, catalog: Catalog): CostBound {
  const tables = Object.entries(definition.alias_to_table_dict).map(([alias, names]) => ({
    alias,
    table: catalogTable(catalog, names.original_table_name),
  }));
  // The cost of a view's rows is unknown.
  if (tables.some(({ table }) => table.view))
    return { rows: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };
  const sizes = new Map(tables.map(({ alias, table }) => [alias, Math.max(1, table.rows)]));
  const columnOf = (path: string): CatalogColumn | undefined => {
    const { alias, column } = splitPath(path);
    const wanted = column.toLowerCase();
    return tables
      .find((each) => each.alias === alias)
      ?.table.columns.find(({ name }) => name.toLowerCase() === wanted);
  };
  const conditions = definition.condition_sequence;
  const all = [...sizes.values()].reduce((sum, rows) => sum + rows, 0);
  if (!conditions.every(([left, right]) => alike(columnOf(left), columnOf(right)))) {
    // No index serves such a comparison: every row may be compared with every other.
    const rows = rowsInOrder(sizes, [], conditions);
    return { rows, steps: all + rows * LOOKUP };
  }
  const steps = conditions.flatMap((condition) => stepsOf(condition, columnOf));
  const outer = conditions.some(([, , type]) => type !== 'INNER');
  const rows = outer
    ? rowsInOrder(sizes, steps, conditions)
    : Math.min(...[...sizes.keys()].map((root) => rowsFrom(root, sizes, steps)));
  return { rows, steps: all + rows * sizes.size * LOOKUP };
}

/** Rows of the join of all tables, counted from one of them outward along the smallest fan-outs. */
function rowsFrom(root: string, sizes: ReadonlyMap<string, number>, steps: readonly Step[]): number {
  const reached = new Set([root]);
  let rows = sizes.get(root) as number;
  while (reached.size < sizes.size) {
    const next = steps
      .filter(({ from, to }) => reached.has(from) && !reached.has(to))
      .sort((a, b) => a.fanOut - b.fanOut)[0];
    // A table that no condition leads to is joined whole.
    const to = next?.to ?? ([...sizes.keys()].find((alias) => !reached.has(alias)) as string);
    rows *= next?.fanOut ?? (sizes.get(to) as number);
    reached.add(to);
  }
  return rows;
}

/** The same where outer joins fix the order: a row without a partner stays, and is joined with the next table. */
function rowsInOrder(
  sizes: ReadonlyMap<string, number>,
  steps: readonly Step[],
  conditions: readonly JoinCondition[],
): number {
  const reached = new Set<string>();
  let rows = 1;
  for (const [alias, size] of sizes) {
    const ways = steps.filter(({ from, to }) => to === alias && reached.has(from));
    const added = conditions.some(
      ([left, right, type]) =>
        (type === 'RIGHT' || type === 'FULL') &&
        [left, right].some((path) => splitPath(path).alias === alias),
    );
    rows = rows * Math.min(size, ...ways.map(({ fanOut }) => fanOut)) + (added ? size : 0);
    reached.add(alias);
  }
  return rows;
}

function stepsOf(
  [left, right]: JoinCondition,
  columnOf: (path: string) => CatalogColumn | undefined,
): Step[] {
  const [a, b] = [splitPath(left).alias, splitPath(right).alias];
  return [
    { from: a, to: b, fanOut: mostEqualRows(columnOf(right)) },
    { from: b, to: a, fanOut: mostEqualRows(columnOf(left)) },
  ];
}

/** How often one value can occur in a column: every other distinct value occurs at least once. */
function mostEqualRows(column: CatalogColumn | undefined): number {
  if (!column) return Number.POSITIVE_INFINITY;
  // Statistics compare values byte by byte; a collation may not.
  if (column.collation !== 'BINARY') return column.statistics.rows;
  const { rows, nulls, distinct } = column.statistics;
  return Math.max(1, rows - nulls - distinct + 1);
}

/** Whether an index on either column finds the equal values of the other. */
function alike(a: CatalogColumn | undefined, b: CatalogColumn | undefined): boolean {
  return a !== undefined && b !== undefined && comparison(a) === comparison(b) && a.collation === b.collation;
}

/** How an index on the column compares: the numeric affinities do so alike. */
function comparison({ declared_type }: CatalogColumn): 'numeric' | 'text' | 'none' {
  const affinity = declaredAffinity(declared_type);
  if (affinity === 'text') return 'text';
  return affinity === 'blob' ? 'none' : 'numeric';
}
