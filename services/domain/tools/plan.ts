import { hash } from 'node:crypto';
import type { Catalog, CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import type { StartTableDefinition, ToolAnswer } from '../../../contracts/tools.ts';
import { nearestNames } from '../../../contracts/wording.ts';
import { fieldError } from '../../base/arguments.ts';
import { romanised, spellOut, withoutAccents } from '../../base/plain-letters.ts';
import type { Bound } from './conditions.ts';

/**
 * What a handle stands for: an immutable tree of operations over start tables. A plan holds no rows; it is compiled to
 * one SQL statement whenever rows are requested.
 */
export type Plan = TablePlan | ColumnPlan | ValuePlan | DescribePlan;

interface Node<Op extends string> {
  readonly op: Op;
  /** Short, readable, derived from the content. */
  readonly handle: string;
  readonly columns: readonly PlanColumn[];
}

/** Made of the rows of another plan. */
interface Derived<Op extends string> extends Node<Op> {
  readonly input: Plan;
}

export interface PlanColumn {
  readonly key: string;
  /** The base column that has the same values, unchanged; null if computed. */
  readonly origin: { readonly table: string; readonly column: string } | null;
}

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

export interface StartPlan extends Node<'start'> {
  readonly definition: StartTableDefinition;
}

export interface FilterPlan extends Derived<'filter'> {
  readonly predicate: Predicate;
}

export interface SortPlan extends Derived<'sort'> {
  readonly key: string;
  readonly ascending: boolean;
}

export interface TransformPlan extends Derived<'transform'> {
  readonly key: string;
  /** The column that receives the result: `key` itself, or a new one. */
  readonly target: string;
  readonly operation: string;
  readonly args: OperationArguments;
}

/** One row per group. Aggregates can be added until columns are selected. */
export interface GroupPlan extends Derived<'group'> {
  /** If empty, all rows are one group. */
  readonly keys: readonly string[];
}

/** A column added to each group of the group plan below. */
export interface GroupAggregatePlan extends Node<'group_aggregate'> {
  readonly input: TablePlan;
  readonly aggregate: Aggregate;
  readonly target: string;
}

/** Removes duplicate rows or values, keeping the first. */
export interface UniquePlan extends Derived<'unique'> {
  /** The columns that must be equal; absent for all. Other columns keep the values of the first row. */
  readonly keys?: readonly string[];
}

export interface TruncatePlan extends Derived<'truncate'> {
  readonly n: number;
  readonly offset: number;
}

export interface SelectPlan extends Derived<'select'> {
  readonly keys: readonly string[];
}

export interface CombinePlan extends Derived<'combine'> {
  readonly other: Plan;
  readonly combination: 'union' | 'union_all' | 'intersect' | 'except';
}

export interface JoinPlan extends Derived<'join'> {
  readonly other: Plan;
  readonly keys: readonly string[];
  readonly otherKeys: readonly string[];
  readonly type: 'inner' | 'left';
}

export interface ColumnPlan extends Derived<'column'> {
  readonly key: string;
  readonly distinct: boolean;
  /** -1 for all. */
  readonly limit: number;
  readonly offset: number;
}

/** Descriptions of the columns of a table, whose rows are not read. */
export interface DescribePlan extends Derived<'describe'> {
  readonly lines: readonly string[];
}

export type ValuePlan = AggregatePlan | CalculatePlan;

export interface AggregatePlan extends Derived<'aggregate'> {
  readonly aggregate: Aggregate;
  /** Maximum rows to aggregate; -1 for all. */
  readonly limit: number;
}

export interface CalculatePlan extends Node<'calculate'> {
  readonly value: Operand;
  readonly operation: string;
  readonly args: OperationArguments;
}

/** A null `key` counts rows. */
export interface Aggregate {
  readonly key: string | null;
  readonly type: string;
  readonly distinct: boolean;
  readonly separator: string | null;
}

/** An operand: a literal, the value of an earlier result, or a column of the row. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: Bound }
  | { readonly kind: 'result'; readonly plan: Plan }
  | { readonly kind: 'column'; readonly key: string };

/** The arguments of a row operation by name, without absent ones. */
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
  /** Two for between, any number for in, none for is_null, else one. */
  readonly operands: readonly Operand[];
  /** For in and not_in: the values of an earlier result, instead of operands. */
  readonly list: Plan | null;
}

/** A condition on the rows of a table; rows for which it is true are kept. */
export type Predicate =
  | { readonly kind: 'test'; readonly key: string; readonly test: Test }
  /**
   * True if the row has a partner: a row of the other table with equal values in these columns (any row if there are
   * none).
   */
  | {
      readonly kind: 'partner';
      readonly other: Plan;
      readonly keys: readonly string[];
      readonly otherKeys: readonly string[];
    }
  | { readonly kind: 'all'; readonly of: readonly Predicate[] }
  | { readonly kind: 'any'; readonly of: readonly Predicate[] }
  /** True if the inner one is false or NULL. */
  | { readonly kind: 'not'; readonly of: Predicate };

const HEX_DIGITS = 12;
const MAX_NAME_LETTERS = 40;

/** `<word>_<12 hex digits>`, e.g. `filtered_1b0c8fd77e20`. */
export const HANDLE_PATTERN = /^[a-z][a-z0-9_]*_[0-9a-f]{12}$/;

/** A handle without its operation's word, such as `t_1b0c8fd77e20`. It names the same plan. */
export function bareHandle(handle: string): string {
  return `t_${handle.slice(-HEX_DIGITS)}`;
}

/** Adds the handle to a plan's content. Equal content has the same handle on every machine. */
export function makePlan<P extends Plan>(word: string, content: Omit<P, 'handle'>): P {
  // Writes an inner plan as its handle, so that the text stays short at any depth.
  const text = JSON.stringify(content, (key, value: unknown) => {
    if (key === 'columns') return undefined;
    if (typeof value === 'bigint') return { integer: value.toString() };
    if (isPlan(value)) return { plan: value.handle };
    return value;
  });
  const digits = hash('sha256', text, 'hex').slice(0, HEX_DIGITS);
  const name = word
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_NAME_LETTERS);
  return Object.freeze({ ...content, handle: `${/^[a-z]/.test(name) ? name : `t_${name}`}_${digits}` }) as P;
}

function isPlan(value: unknown): value is Plan {
  return typeof value === 'object' && value !== null && 'op' in value && 'handle' in value;
}

export function answerKind(plan: Plan): ToolAnswer['kind'] {
  if (plan.op === 'aggregate' || plan.op === 'calculate') return 'value';
  return isColumnResult(plan) ? 'column' : 'table';
}

/** Whether a result shows its values: a column, or a combination of columns and values. */
function isColumnResult(plan: Plan): boolean {
  if (plan.op === 'combine') return isColumnResult(plan.input) && isColumnResult(plan.other);
  return plan.op === 'column' || plan.op === 'describe' || plan.op === 'aggregate' || plan.op === 'calculate';
}

/** The group plan below a table that is still grouped, which filters, sorts and new columns leave so; else null. */
export function groupingOf(plan: Plan): GroupPlan | null {
  switch (plan.op) {
    case 'group':
      return plan;
    case 'filter':
    case 'sort':
    case 'transform':
    case 'truncate':
    case 'group_aggregate':
      return groupingOf(plan.input);
    default:
      return null;
  }
}

/** A column of a start table, with its alias. */
export interface StartColumn extends PlanColumn {
  readonly alias: string;
  readonly origin: NonNullable<PlanColumn['origin']>;
}

/**
 * The columns of a start table in join order, named `<modified table name>_<column>` with every character but letters,
 * digits and `_` replaced by `_`; duplicates are numbered from 2. Throws ArgumentError for an unknown table.
 */
export function startColumns(definition: StartTableDefinition, catalog: Catalog): readonly StartColumn[] {
  const known = columnsOf.get(definition);
  if (known?.catalog === catalog) return known.columns;
  const taken = new Set<string>();
  const columns = joinedTables(definition, catalog).flatMap(({ alias, table, shownName }) =>
    table.columns.map((column) => ({
      key: uniqueKey(`${shownName}_${column.name}`, taken),
      origin: { table: table.name, column: column.name },
      alias,
    })),
  );
  columnsOf.set(definition, { catalog, columns });
  return columns;
}

/** The tables of a start table, in alias order. Throws ArgumentError for an unknown table. */
export function joinedTables({ alias_to_table_dict: tables }: StartTableDefinition, catalog: Catalog) {
  return Object.entries(tables).map(([alias, { original_table_name, modified_table_name: shownName }]) => {
    return { alias, shownName, table: catalogTable(catalog, original_table_name) };
  });
}

/** Every plan over a start table asks for its columns, and again when it is compiled. */
const columnsOf = new WeakMap<
  StartTableDefinition,
  { readonly catalog: Catalog; readonly columns: readonly StartColumn[] }
>();

/** Finds a table of the catalog, ignoring case. Throws ArgumentError with the nearest names. */
export function catalogTable(catalog: Catalog, name: string): CatalogTable {
  const wanted = name.toLowerCase();
  const found = catalog.tables.find((table) => table.name.toLowerCase() === wanted);
  if (found) return found;
  const names = catalog.tables.map((table) => table.name);
  throw fieldError(
    'alias_to_table_dict',
    'unknown_table',
    `there is no table ${name}`,
    nearestNames(name, names),
  );
}

/**
 * Makes a name safe (`[A-Za-z0-9_]`: umlauts and accents spelled out, other scripts transliterated) and unique,
 * ignoring case, by numbering duplicates from 2. Adds the result to `taken`.
 */
export function uniqueKey(name: string, taken: Set<string>): string {
  // The lookbehind avoids quadratic time on a long run of underscores.
  const safe =
    spellOut(romanised(withoutAccents(name)), '_')
      .replace(/[^A-Za-z0-9_]+/g, '_')
      .replace(/^_+|(?<!_)_+$/g, '') || 'column';
  let key = safe;
  for (let n = 2; taken.has(key.toLowerCase()); n++) key = `${safe}_${n}`;
  taken.add(key.toLowerCase());
  return key;
}

const MAX_CHARACTERS = 240;

/** The catalog's description of a column as one short text; null if it adds nothing to the name. */
export function describeColumn({
  name,
  friendly_name,
  description,
  value_description,
  words,
}: CatalogColumn): string | null {
  const unit = words?.unit === undefined ? null : `in ${words.unit}`;
  const codes = Object.entries(words?.codes ?? {}).map(codeText);
  // A legend in the description may say more than the vocabulary does.
  const legend = /=/.test(`${description}${value_description}`) ? null : codes.join(', ');
  const texts = [words?.noun ?? friendly_name, description, value_description, unit, legend];
  const parts = texts.flatMap((text) => {
    const clean = text?.replace(/\s+/g, ' ').trim() ?? '';
    return clean === '' || clean.toLowerCase() === name.toLowerCase() ? [] : [clean];
  });
  // Drop a text that repeats earlier ones ("in cents" after "amount in cents"), or that a later one repeats.
  const unsaid = parts.filter((part, i) => i === 0 || !repeats(part, parts.slice(0, i).join(' ')));
  const [first, ...more] = unsaid;
  const others = more.filter((part, i) => !more.slice(i + 1).some((later) => repeats(part, later)));
  if (first === undefined) return null;
  const text = others.length === 0 ? first : `${first} (${others.join('; ')})`;
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1).trimEnd()}…`;
}

/** A code with its meaning; alone if it is the meaning. */
export function codeText([code, meaning]: readonly [string, string]): string {
  return code === meaning ? code : `${code} = ${meaning}`;
}

/** Whether a text says no more than another: number of the order, after "order number". */
export function repeats(text: string, other: string): boolean {
  const words = (of: string) => of.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const known = new Set(words(other));
  return words(text).every((word) => known.has(word) || /^(the|a|an|of|in|is|this|for)$/.test(word));
}
