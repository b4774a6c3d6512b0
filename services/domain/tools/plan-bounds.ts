import { type Catalog, type CatalogColumn, declaredAffinity } from '../../../contracts/catalog.ts';
import type { JoinCondition, StartTableDefinition } from '../../../contracts/tools.ts';
import { previewKeys } from './answer-plan.ts';
import { splitPath } from './compile-start.ts';
import {
  type CalculatePlan,
  groupingOf,
  type JoinPlan,
  joinedTables,
  type OperationArguments,
  type Plan,
  type Test,
  type TransformPlan,
} from './plan.ts';

export interface CostBound {
  readonly rows: number;
  /** Rows that SQLite touches, once for each operation on them. */
  readonly steps: number;
}

const bounds = new WeakMap<Plan, CostBound>();

/** Sorting or grouping a row costs about as much as reading this many. */
const SORT = 4;
const WINDOW = 8;
/** Carrying along this many columns costs about as much as reading the row. */
const COLUMNS_PER_STEP = 20;

/**
 * An upper bound of the steps to compute a plan, from the sizes of its tables. SQLite never takes more, so a plan with
 * few steps may run on the main thread, where it cannot be stopped. The bound may be far too high.
 */
export function planSteps(plan: Plan, catalog: Catalog): number {
  if (isUnbounded(plan)) return Number.POSITIVE_INFINITY;
  return boundOf(plan, catalog).steps * (1 + previewKeys(plan).length / COLUMNS_PER_STEP);
}

function boundOf(plan: Plan, catalog: Catalog): CostBound {
  const known = bounds.get(plan);
  if (known) return known;
  const bound = computeBound(plan, catalog);
  bounds.set(plan, bound);
  return bound;
}

function computeBound(plan: Plan, catalog: Catalog): CostBound {
  if (plan.op === 'start') return startTableBound(plan.definition, catalog);
  if (plan.op === 'describe') return { rows: plan.lines.length, steps: plan.lines.length };
  const results = resultsIn(plan, catalog);
  if (plan.op === 'calculate') return { rows: 1, steps: 1 + results };
  const { rows, steps: before } = boundOf(plan.input, catalog);
  const steps = before + results;
  switch (plan.op) {
    case 'filter':
      return { rows, steps: steps + rows * partsOf(plan.predicate) };
    case 'sort':
      return { rows, steps: steps + rows * SORT };
    case 'transform':
    case 'unique':
      return { rows, steps: steps + rows * WINDOW };
    case 'group':
      return { rows: plan.keys.length === 0 ? 1 : rows, steps: steps + rows * WINDOW };
    case 'group_aggregate': {
      const below = groupingOf(plan)?.input;
      return { rows, steps: steps + SORT * (below ? boundOf(below, catalog).rows : rows) };
    }
    case 'truncate':
      return { rows: Math.min(rows, plan.n), steps: steps + rows * SORT };
    case 'select':
      return { rows, steps };
    case 'column':
      return { rows: plan.limit < 0 ? rows : Math.min(rows, plan.limit), steps: steps + rows * SORT };
    case 'aggregate':
      return { rows: 1, steps: steps + rows * WINDOW };
    case 'combine': {
      const other = boundOf(plan.other, catalog);
      return { rows: rows + other.rows, steps: steps + other.steps + SORT * (rows + other.rows) };
    }
    case 'join':
      return joinBound(plan, { rows, steps }, boundOf(plan.other, catalog));
  }
}

function joinBound(plan: JoinPlan, left: CostBound, right: CostBound): CostBound {
  const both = left.steps + right.steps + SORT * (left.rows + right.rows);
  const rows = hasOnePartner(plan) ? left.rows : left.rows * Math.max(1, right.rows);
  return { rows, steps: both + rows };
}

/** Whether the second table has at most one row per value of the join columns: one row per group. */
function hasOnePartner(plan: JoinPlan): boolean {
  const group = groupingOf(plan.other.op === 'select' ? plan.other.input : plan.other);
  return group?.keys.every((key) => plan.otherKeys.includes(key)) ?? false;
}

/** Steps of the earlier results in a plan's conditions and arguments, each computed once. */
function resultsIn(plan: Plan, catalog: Catalog): number {
  let steps = 0;
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('op' in part && 'handle' in part) steps += boundOf(part as Plan, catalog).steps;
    else for (const value of Object.values(part)) visit(value);
  };
  for (const [name, value] of Object.entries(plan)) {
    if (name !== 'input' && name !== 'other' && name !== 'columns') visit(value);
  }
  return steps;
}

/** Number of conditions in a predicate, at least one. */
function partsOf(part: unknown): number {
  if (typeof part !== 'object' || part === null || 'op' in part) return 0;
  return (
    Object.values(part).reduce<number>((sum, value) => sum + partsOf(value), 'condition' in part ? 1 : 0) || 1
  );
}

/** Operations whose result can be much longer than their input. */
const GROWING = new Set(['replace', 'format', 'concatenate', 'group_concat']);
/** Conditions whose time depends on the pattern as much as on the text. */
const PATTERNS = new Set(['like', 'not_like', 'glob', 'not_glob']);
const MAX_GROWING = 1;
const MAX_CHARACTERS = 64;

/**
 * Whether a plan's time is not bounded by the sizes of its tables: texts may grow far beyond those stored, or patterns
 * may match in very many ways.
 */
export function isUnbounded(plan: Plan): boolean {
  const seen: Seen = { parts: new Set(), growing: 0, patterns: false };
  visit(plan, seen);
  return seen.patterns || seen.growing > MAX_GROWING;
}

interface Seen {
  readonly parts: Set<object>;
  growing: number;
  patterns: boolean;
}

function visit(part: unknown, seen: Seen): void {
  if (typeof part !== 'object' || part === null || seen.parts.has(part)) return;
  seen.parts.add(part);
  if ('operands' in part) seen.patterns ||= isSlowPattern(part as Test);
  if (isOperation(part) && GROWING.has(part.operation))
    seen.growing += isBounded(part.args) ? 1 : MAX_GROWING + 1;
  if ('separator' in part && 'type' in part && GROWING.has(String(part.type))) seen.growing++;
  for (const [name, value] of Object.entries(part)) {
    if (name !== 'columns' && name !== 'definition') visit(value, seen);
  }
}

function isOperation(part: object): part is TransformPlan | CalculatePlan {
  return 'op' in part && (part.op === 'transform' || part.op === 'calculate');
}

/** More than a few wildcards, or a pattern that is not a literal. */
function isSlowPattern({ condition, operands }: Test): boolean {
  if (!PATTERNS.has(condition)) return false;
  const [pattern] = operands;
  if (pattern?.kind !== 'literal') return true;
  return (String(pattern.value).match(/[%*[]/g) ?? []).length > 4;
}

/** Only short literals, without a large width such as `%9999d`. */
function isBounded(args: OperationArguments): boolean {
  return Object.values(args).every((argument) => {
    if (argument.kind !== 'literal') return argument.kind === 'column' || argument.kind === 'option';
    const text = String(argument.value);
    return text.length <= MAX_CHARACTERS && !/\d{3}|\*/.test(text);
  });
}

/** A way from one table of a join to another: each row of the first meets at most `fanOut` rows of the other. */
interface Step {
  readonly from: string;
  readonly to: string;
  readonly fanOut: number;
}

/** An index lookup costs about as much as reading this many rows in order. */
const LOOKUP = 3;

/** Upper bound of a start table's rows and of the cost of reading them, from table statistics. */
export function startTableBound(definition: StartTableDefinition, catalog: Catalog): CostBound {
  const tables = joinedTables(definition, catalog);
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
    // No index serves such a comparison, so every pair of rows may be compared.
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

/** Rows of the join, counted outward from the root along the smallest fan-outs. */
function rowsFrom(root: string, sizes: ReadonlyMap<string, number>, steps: readonly Step[]): number {
  const reached = new Set([root]);
  let rows = sizes.get(root) as number;
  while (reached.size < sizes.size) {
    const next = steps
      .filter(({ from, to }) => reached.has(from) && !reached.has(to))
      .sort((a, b) => a.fanOut - b.fanOut)[0];
    // Without a join condition, the table is cross-joined.
    const to = next?.to ?? ([...sizes.keys()].find((alias) => !reached.has(alias)) as string);
    rows *= next?.fanOut ?? (sizes.get(to) as number);
    reached.add(to);
  }
  return rows;
}

/** The same with outer joins, which fix the order: a row without a partner stays and joins the next table. */
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

function stepsOf([left, right]: JoinCondition, columnOf: (path: string) => CatalogColumn | undefined) {
  const [a, b] = [splitPath(left).alias, splitPath(right).alias];
  return [
    { from: a, to: b, fanOut: mostEqualRows(columnOf(right)) },
    { from: b, to: a, fanOut: mostEqualRows(columnOf(left)) },
  ];
}

/** Upper bound of how often one value occurs in a column: every other distinct value takes at least one row. */
function mostEqualRows(column: CatalogColumn | undefined): number {
  if (!column) return Number.POSITIVE_INFINITY;
  // Statistics compare bytes; the collation may not.
  if (column.collation !== 'BINARY') return column.statistics.rows;
  const { rows, nulls, distinct } = column.statistics;
  return Math.max(1, rows - nulls - distinct + 1);
}

/** Whether an index on either column can look up values of the other. */
function alike(a: CatalogColumn | undefined, b: CatalogColumn | undefined): boolean {
  return a !== undefined && b !== undefined && comparison(a) === comparison(b) && a.collation === b.collation;
}

/** How an index on the column compares values; all numeric affinities compare alike. */
function comparison({ declared_type }: CatalogColumn): 'numeric' | 'text' | 'none' {
  const affinity = declaredAffinity(declared_type);
  if (affinity === 'text') return 'text';
  return affinity === 'blob' ? 'none' : 'numeric';
}
