import type { Catalog } from '../../../../contracts/catalog.ts';
import { groupingOf } from '../../tools/plan/grouping.ts';
import type { JoinPlan, Plan } from '../../tools/plan/plan.ts';
import { isUnbounded } from './is-unbounded.ts';
import { previewKeys } from './preview-keys.ts';
import { startTableBound } from './start-table-bound.ts';

/** The most that a result can cost. */
export interface CostBound {
  /** Rows it can have. */
  readonly rows: number;
  /** Rows that SQLite touches to get them, counted once for each thing done to them. */
  readonly steps: number;
}

const bounds = new WeakMap<Plan, CostBound>();

/** Sorting and grouping a row takes about as long as reading this many. */
const SORT = 4;
const WINDOW = 8;
/** Carrying as many columns along takes about as long as reading the row. */
const COLUMNS_PER_STEP = 20;

/**
 * An upper bound of the steps that computing a plan takes, from the sizes of its tables. It is never less than what
 * SQLite does, so a plan with few steps may run on the main thread, where it cannot be stopped. It may be far more.
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
    case 'transform':
      return { rows, steps: steps + rows * WINDOW };
    case 'sort':
      return { rows, steps: steps + rows * SORT };
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

/** Whether the second table has at most one row for each value of the columns joined on: one row a group. */
function hasOnePartner(plan: JoinPlan): boolean {
  const group = groupingOf(plan.other.op === 'select' ? plan.other.input : plan.other);
  return group?.keys.every((key) => plan.otherKeys.includes(key)) ?? false;
}

/** Steps of the earlier results that a plan's conditions and arguments use: each is computed once. */
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

/** Conditions in a predicate, at least one. */
function partsOf(part: unknown): number {
  if (typeof part !== 'object' || part === null || 'op' in part) return 0;
  return (
    Object.values(part).reduce<number>((sum, value) => sum + partsOf(value), 'condition' in part ? 1 : 0) || 1
  );
}
