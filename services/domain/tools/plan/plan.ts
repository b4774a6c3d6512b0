import type { StartTableDefinition } from '../../../../contracts/start-table.ts';
import type { Bound } from '../sql/sql.ts';

/**
 * The content of a handle: an immutable tree of operations over start tables. A plan holds no rows; it is compiled to
 * one SQL statement each time rows are requested.
 */
export type Plan = TablePlan | ColumnPlan | ValuePlan | DescribePlan;

interface Node {
  /** Short, readable, derived from the content. */
  readonly handle: string;
  /** The result's columns, in order. */
  readonly columns: readonly PlanColumn[];
}

/** A column of a result. */
export interface PlanColumn {
  readonly key: string;
  /** The base column whose values these are, unchanged; null when computed. */
  readonly origin: { readonly table: string; readonly column: string } | null;
}

/** Rows and columns. */
export type TablePlan =
  | StartPlan
  | FilterPlan
  | SortPlan
  | TransformPlan
  | GroupPlan
  | GroupAggregatePlan
  | UniquePlan
  | TruncatePlan
  | SelectPlan
  | CombinePlan
  | JoinPlan;

export interface StartPlan extends Node {
  readonly op: 'start';
  readonly definition: StartTableDefinition;
}

export interface FilterPlan extends Node {
  readonly op: 'filter';
  readonly input: Plan;
  readonly predicate: Predicate;
}

export interface SortPlan extends Node {
  readonly op: 'sort';
  readonly input: Plan;
  readonly key: string;
  readonly ascending: boolean;
}

export interface TransformPlan extends Node {
  readonly op: 'transform';
  readonly input: Plan;
  readonly key: string;
  /** The column that takes the result: `key` itself, or a new one. */
  readonly target: string;
  readonly operation: string;
  readonly args: OperationArguments;
}

/** One row a group; until it is projected, aggregates can still be added to it. */
export interface GroupPlan extends Node {
  readonly op: 'group';
  readonly input: Plan;
  /** Empty: all rows are one group. */
  readonly keys: readonly string[];
}

/** A column added to each group of the group plan below. */
export interface GroupAggregatePlan extends Node {
  readonly op: 'group_aggregate';
  readonly input: TablePlan;
  readonly aggregate: Aggregate;
  readonly target: string;
}

/** Equal rows (or values) once, at their first position. */
export interface UniquePlan extends Node {
  readonly op: 'unique';
  readonly input: Plan;
  /** The columns that must be equal; absent: all. The others have the values of the first row. */
  readonly keys?: readonly string[];
}

export interface TruncatePlan extends Node {
  readonly op: 'truncate';
  readonly input: Plan;
  readonly n: number;
  readonly offset: number;
}

export interface SelectPlan extends Node {
  readonly op: 'select';
  readonly input: Plan;
  readonly keys: readonly string[];
}

export interface CombinePlan extends Node {
  readonly op: 'combine';
  readonly input: Plan;
  readonly other: Plan;
  readonly combination: 'union' | 'union_all' | 'intersect' | 'except';
}

export interface JoinPlan extends Node {
  readonly op: 'join';
  readonly input: Plan;
  readonly other: Plan;
  readonly keys: readonly string[];
  readonly otherKeys: readonly string[];
  readonly type: 'inner' | 'left';
}

/** The values of one column. */
export interface ColumnPlan extends Node {
  readonly op: 'column';
  readonly input: Plan;
  readonly key: string;
  readonly distinct: boolean;
  /** -1: all. */
  readonly limit: number;
  readonly offset: number;
}

/** Texts about the columns of a table; its rows are not read. */
export interface DescribePlan extends Node {
  readonly op: 'describe';
  readonly input: Plan;
  readonly lines: readonly string[];
}

/** A single value. */
export type ValuePlan = AggregatePlan | CalculatePlan;

export interface AggregatePlan extends Node {
  readonly op: 'aggregate';
  readonly input: Plan;
  readonly aggregate: Aggregate;
  /** How many rows at most are aggregated; -1: all. */
  readonly limit: number;
}

export interface CalculatePlan extends Node {
  readonly op: 'calculate';
  readonly value: Operand;
  readonly operation: string;
  readonly args: OperationArguments;
}

/** `key` null counts rows. */
export interface Aggregate {
  readonly key: string | null;
  readonly type: string;
  readonly distinct: boolean;
  readonly separator: string | null;
}

/** A value in an operation: given, the value of an earlier result, or that of the row's column. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: Bound }
  | { readonly kind: 'result'; readonly plan: Plan }
  | { readonly kind: 'column'; readonly key: string };

/** The arguments of a row operation, by name; absent ones are left out. */
export type OperationArguments = Readonly<Record<string, OperationArgument>>;
export type OperationArgument =
  | Operand
  | { readonly kind: 'option'; readonly value: string | number | boolean }
  | { readonly kind: 'operands'; readonly values: readonly Operand[] }
  | { readonly kind: 'texts'; readonly values: readonly string[] }
  | { readonly kind: 'test'; readonly test: Test }
  | {
      readonly kind: 'order';
      readonly keys: readonly { readonly key: string; readonly ascending: boolean }[];
    };

/** A condition without its left side. */
export interface Test {
  readonly condition: string;
  /** One for most, two for between, any number for in, none for is_null. */
  readonly operands: readonly Operand[];
  /** For in and not_in: the values of an earlier result instead of operands. */
  readonly list: Plan | null;
}

/** Which rows of a table are kept: those for which it is true. */
export type Predicate =
  | { readonly kind: 'test'; readonly key: string; readonly test: Test }
  /** The row has a partner: a row of the other table that is equal in these columns (any row if there are none). */
  | {
      readonly kind: 'partner';
      readonly other: Plan;
      readonly keys: readonly string[];
      readonly otherKeys: readonly string[];
    }
  | { readonly kind: 'all'; readonly of: readonly Predicate[] }
  | { readonly kind: 'any'; readonly of: readonly Predicate[] }
  /** Rows for which the inner one is not true: false or NULL. */
  | { readonly kind: 'not'; readonly of: Predicate };
