import { referencesIn, usedLabels } from '../../contracts/answer-rows.ts';
import type { Catalog } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import type { Call } from '../../contracts/sample.ts';
import type { StartTable, StartTableDefinition } from '../../contracts/tools.ts';
import { ArgumentError, parseArguments } from '../../services/base/arguments.ts';
import { looksLikeReference, type Scope } from '../../services/domain/tools/arguments.ts';
import type { Plan, StartPlan } from '../../services/domain/tools/plan.ts';
import { startPlan } from '../../services/domain/tools/table-tools.ts';
import { SLOT_TOOLS } from '../../services/domain/tools/toolboxes.ts';
import {
  type Column,
  type Cte,
  type Expr,
  exprKey,
  exprsWithin,
  type Literal,
  type Query,
  type SourceId,
} from '../../sql/index.ts';

/** The unconsumed results of the calls are the answer. */
export interface SlotSequence {
  readonly initialization_step: Call;
  readonly output: readonly Call[];
  readonly startTables: readonly StartTable[];
}

interface LabelledStart {
  readonly label: string;
  readonly plan: StartPlan;
}

/** The words of labels, by tool; the first two share their numbers, as in the paper. */
const WORDS: Readonly<Record<string, string>> = {
  filter_data: 'FILTERED_DF',
  transform_data: 'TRANSFORMED_DF',
  sort_data: 'SORTED_DF',
  group_data_by: 'GROUPED_DF',
  retrieve_data: 'SELECT_COL',
  select_unique_values: 'UNIQUE_DF',
  truncate: 'TRUNCATED_DF',
  select_columns: 'SELECTED_DF',
  combine_rows: 'COMBINED_DF',
  combine_results: 'COMBINED_RESULT',
  join_data: 'JOINED_DF',
  calculate: 'CALCULATED',
};

/** Plans each call as it is added, so its columns are known. */
export class Sequence {
  readonly catalog: Catalog;
  readonly #calls: (Call & { label: string })[] = [];
  readonly #starts: LabelledStart[] = [];
  readonly #plans = new Map<string, Plan>();
  readonly #numbers = new Map<string, number>();

  constructor(catalog: Catalog) {
    this.catalog = catalog;
  }

  /** Equal start tables share a label. */
  start(definition: StartTableDefinition): string {
    const plan = guarded(() => startPlan(definition, this));
    const known = this.#starts.find((start) => start.plan.handle === plan.handle);
    if (known) return known.label;
    const n = this.#starts.length;
    const label = n === 0 ? 'starting_table_var' : `starting_table_var_${n}`;
    this.#starts.push({ label, plan });
    this.#plans.set(label, plan);
    return label;
  }

  call(name: string, args: Record<string, unknown>): string {
    const tool = SLOT_TOOLS[name];
    if (!tool) throw new Error(`there is no tool ${name}`);
    const plan = guarded(() => tool.plan(parseArguments(tool.args, args), this.#scope));
    const label = this.#label(name, args, plan);
    this.#calls.push({ name, arguments: args, label });
    this.#plans.set(label, plan);
    return label;
  }

  plan(label: string): Plan {
    const plan = this.#plans.get(label);
    if (!plan) throw new Error(`there is no label ${label}`);
    return plan;
  }

  /** Rereads results that are consumed or out of order, and drops unused calls. */
  finish(outputs: readonly string[]): SlotSequence {
    const wanted: string[] = [];
    for (const label of outputs) {
      const at = this.#calls.findIndex((call) => call.label === label);
      const before = this.#calls.findIndex((call) => call.label === wanted.at(-1));
      const call = this.#calls[at];
      if (!call) throw new Error(`${label} is not the label of a call`);
      const again = at <= before || usedLabels(this.#calls).has(label);
      wanted.push(again ? this.call(call.name, call.arguments) : label);
    }
    this.#dropUnused(wanted);
    const [first, ...others] = this.#starts.filter(({ label }) => this.#isUsed(label));
    if (!first) throw new QueryError('UNSUPPORTED_CONSTRUCT', 'the query reads no table', 'from');
    const additional = others.map(({ label, plan }) => ({ label, ...plan.definition }));
    const more = additional.length > 0 ? { additional_tables: additional } : {};
    return {
      initialization_step: {
        name: 'initialize_active_data',
        arguments: { ...first.plan.definition, ...more },
        label: first.label,
      },
      output: this.#calls,
      startTables: [first, ...others].map(({ plan }) => ({ handle: plan.handle, ...plan.definition })),
    };
  }

  #dropUnused(wanted: readonly string[]): void {
    const keep = new Set(wanted);
    for (let i = this.#calls.length - 1; i >= 0; i--) {
      const call = this.#calls[i] as Call & { label: string };
      if (!keep.has(call.label)) this.#calls.splice(i, 1);
      else for (const label of referencesIn(call.arguments)) keep.add(label);
    }
  }

  #isUsed(label: string): boolean {
    return this.#calls.some((call) => referencesIn(call.arguments).includes(label));
  }

  get #scope(): Scope {
    return {
      catalog: this.catalog,
      find: (name) => this.#plans.get(name),
    };
  }

  #label(name: string, args: Record<string, unknown>, plan: Plan): string {
    if (plan.op === 'aggregate') {
      const word = String(args.aggregation_type).toUpperCase();
      const n = this.#next(word);
      return n === 0 ? word : `${word}_${n}`;
    }
    const word = name === 'aggregate_data' ? 'AGGREGATED_DF' : (WORDS[name] as string);
    const series = name === 'transform_data' ? 'FILTERED_DF' : word;
    return `${word}_${this.#next(series)}`;
  }

  #next(series: string): number {
    const n = this.#numbers.get(series) ?? 0;
    this.#numbers.set(series, n + 1);
    return n;
  }
}

/** Turns a tool's rejection of a call into a rejection of the question. */
function guarded<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof ArgumentError) throw new QueryError('CALL_FAILED', error.message, null);
    throw error;
  }
}

type AggregateMode =
  /** No groups: aggregates are values of the whole table. */
  | 'whole'
  /** Rows are groups: aggregates are columns. */
  | 'grouped';

/** Rows at some point of a query: their label, and the expressions of their columns. */
export class Frame {
  readonly context: LowerContext;
  label: string;
  mode: AggregateMode = 'whole';
  /** Sources with columns in the frame. */
  readonly sources = new Set<SourceId>();
  readonly #columns = new Map<string, string>();
  /** Whole-table aggregates, by expression. */
  readonly values = new Map<string, string>();
  /** Constant columns, by value. */
  readonly constants = new Map<unknown, string>();
  /** Occurrences in the query; the column of an expression that occurs once may be changed in place. */
  readonly #uses = new Map<string, number>();

  constructor(label: string, context: LowerContext) {
    this.label = label;
    this.context = context;
  }

  get plan(): Plan {
    return this.context.sequence.plan(this.label);
  }

  /** Continues with the result of a call on these rows. */
  call(name: string, args: Record<string, unknown>): void {
    this.label = this.context.sequence.call(name, { data_source: `$${this.label}$`, ...args });
  }

  evaluate(expr: Expr): Evaluated {
    return this.context.evaluate(expr, this);
  }

  filter(condition: Expr): void {
    this.context.filter(condition, this);
  }

  /** The column that holds an expression. */
  find(expr: Expr): string | undefined {
    return this.#columns.get(exprKey(expr));
  }

  /** Throws when no table shows the column, such as a row id. */
  column(expr: Column): string {
    const key = this.find(expr);
    if (key !== undefined) return key;
    throw unsupported(expr.name === 'rowid' ? 'rowid' : 'column', `no table shows the column ${expr.name}`);
  }

  has(expr: Expr): boolean {
    return this.#columns.has(exprKey(expr));
  }

  hold(expr: Expr, key: string): void {
    this.#columns.set(exprKey(expr), key);
  }

  forget(expr: Expr): void {
    this.#columns.delete(exprKey(expr));
  }

  holdColumn(source: SourceId, name: string, key: string): void {
    this.sources.add(source);
    this.#columns.set(exprKey({ kind: 'column', source, name }), key);
  }

  keys(): string[] {
    return [...new Set(this.#columns.values())];
  }

  /** Columns by expression, for a frame that continues this one. */
  entries(): ReadonlyMap<string, string> {
    return this.#columns;
  }

  /** A copy that can be filtered independently. */
  fork(): Frame {
    const copy = new Frame(this.label, this.context);
    copy.adopt(this, (key) => key);
    for (const [expr, uses] of this.#uses) copy.#uses.set(expr, uses);
    return copy;
  }

  /** Adds another frame's columns, renamed; existing ones stay. */
  adopt(other: Frame, rename: (key: string) => string): void {
    for (const source of other.sources) this.sources.add(source);
    for (const [expr, key] of other.entries()) {
      if (!this.#columns.has(expr)) this.#columns.set(expr, rename(key));
    }
  }

  /** Counts a use of an expression and all its parts. */
  countAllUses(expr: Expr): void {
    for (const key of exprsWithin(expr).map(exprKey)) this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1);
  }

  /** Whether an operation on the column may replace it, since nothing else needs it. */
  isUsedOnce(key: string): boolean {
    let uses = 0;
    for (const [expr, holder] of this.#columns) if (holder === key) uses += this.#uses.get(expr) ?? 0;
    return uses === 1;
  }

  /** The column now holds only `expr`. */
  replace(key: string, expr: Expr): void {
    for (const [held, holder] of this.#columns) if (holder === key) this.#columns.delete(held);
    this.hold(expr, key);
  }
}

/** The column that holds an expression, added if necessary. */
export function evaluateAsColumn(expr: Expr, frame: Frame): string {
  const value = frame.evaluate(expr);
  return value.kind === 'key'
    ? value.key
    : constantColumn(exactArgument(expr, value.argument, frame.context), frame);
}

/** A column with the same value in every row. */
export function constantColumn(value: Argument, frame: Frame): string {
  const known = frame.constants.get(value);
  if (known !== undefined) return known;
  const source = frame.plan.columns[0]?.key as string;
  const key = newKey('constant', null, frame);
  frame.constants.set(value, transform(frame, source, 'constant', { value }, key));
  return key;
}

/** Adds an operation on a column; returns the result's column. */
export function transform(
  frame: Frame,
  key: string,
  operation: string,
  args: Record<string, unknown>,
  target: string | null,
): string {
  frame.call('transform_data', {
    key_name: key,
    operation_type: operation,
    operation_args: args,
    ...(target === null ? {} : { new_key_name: target }),
  });
  return target ?? key;
}

/** Returns a new column of row numbers. */
export function numberRows(frame: Frame): string {
  const id = newKey('row_number', null, frame);
  return transform(frame, frame.plan.columns[0]?.key as string, 'row_number', {}, id);
}

/** On a column a transformation (in place where possible), on single values a calculation. */
export function compute(
  expr: Expr | null,
  input: Evaluated,
  operation: string,
  args: Record<string, unknown>,
  frame: Frame | null,
  context: LowerContext,
): Evaluated {
  if (input.kind === 'argument' && !refersToColumn(args)) {
    const call = { input: input.argument, operation_type: operation, operation_args: args };
    return { kind: 'argument', argument: `$${context.sequence.call('calculate', call)}$` };
  }
  if (!frame) throw unsupported('column', 'a column where there are no rows');
  const key = input.kind === 'key' ? input.key : constantColumn(input.argument, frame);
  const inPlace = expr !== null && frame.isUsedOnce(key) && !mentions(args, key);
  const target = inPlace ? null : newKey(operation, key, frame);
  const made = transform(frame, key, operation, args, target);
  if (expr !== null) {
    if (inPlace) frame.replace(key, expr);
    else frame.hold(expr, made);
  }
  return { kind: 'key', key: made };
}

function refersToColumn(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'key_name' in value || Object.values(value).some(refersToColumn);
}

function mentions(value: unknown, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    ('key_name' in value && value.key_name === key) ||
    Object.values(value).some((item) => mentions(item, key))
  );
}

/** The label of a subquery's table, and its result columns. */
export interface LoweredTable {
  readonly label: string;
  readonly keys: readonly string[];
}

/** State shared while lowering one question. */
export interface LowerContext extends Recursion {
  readonly sequence: Sequence;
  /** By name, with the table once lowered, so that later readers reuse it. */
  readonly ctes: Map<string, { readonly cte: Cte; table: LoweredTable | null }>;
  /** Values of uncorrelated subqueries, computed once. */
  readonly scalars: Map<Query, string>;
}

/** Calls against the direction of imports between files. */
interface Recursion {
  /** A column of the frame, or an argument where the value is the same in every row or there is no frame. */
  evaluate(expr: Expr, frame: Frame | null): Evaluated;
  /** Keeps the rows for which a condition is true. */
  filter(condition: Expr, frame: Frame): void;
  /** `ordered`: the reader depends on ORDER BY. */
  table(query: Query, ordered: boolean): LoweredTable;
}

/** A column of the frame, or an argument that is the same for every row. */
export type Evaluated =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'argument'; readonly argument: Argument };

/** A literal, or `$label$` of a result. */
export type Argument = string | number | null;

/** An argument where a column is allowed as well. */
export function asOperand(value: Evaluated): Argument | { key_name: string } {
  return value.kind === 'key' ? { key_name: value.key } : value.argument;
}

/** Keeps `1.0` from becoming an integer in JSON, where its type matters. */
export function exactArgument(expr: Expr, value: Argument, context: LowerContext): Argument {
  const literal = foldSign(expr);
  if (literal.kind !== 'literal' || !isWholeReal(literal)) return value;
  const cast = { input: value, operation_type: 'cast', operation_args: { type: 'real' } };
  return `$${context.sequence.call('calculate', cast)}$`;
}

/** An operand whose exact value matters, not only its comparison. */
export function evaluateExactly(expr: Expr, frame: Frame | null, context: LowerContext) {
  const value = context.evaluate(expr, frame);
  return value.kind === 'key' ? asOperand(value) : exactArgument(expr, value.argument, context);
}

/** Joins two frames into the first; `semi` and `anti` only keep its rows that have, or lack, a partner. */
export function joinFrames(
  frame: Frame,
  other: Frame,
  keys: readonly string[],
  otherKeys: readonly string[],
  type: 'inner' | 'left' | 'semi' | 'anti',
): void {
  const own = frame.plan.columns.length;
  frame.call('join_data', {
    other_data_source: `$${other.label}$`,
    key_name: oneOrMore(keys),
    other_key_name: oneOrMore(otherKeys),
    join_type: type,
  });
  if (type === 'semi' || type === 'anti') return;
  const theirs = other.plan.columns.map(({ key }) => key);
  const made = frame.plan.columns.slice(own);
  frame.adopt(other, (key) => made[theirs.indexOf(key)]?.key as string);
}

/** Whole reals need `realText` where their type matters. */
export function literalArgument(literal: Literal): string | number | null {
  switch (literal.type) {
    case 'integer':
      return integerArgument(literal.value);
    case 'text':
      if (looksLikeReference(literal.value))
        throw unsupported('text', `${literal.value} reads as a reference`);
      return literal.value;
    case 'real':
    case 'null':
      return literal.value;
    case 'blob':
      throw unsupported('blob', 'a tool argument cannot be a blob');
  }
}

/** Whether JSON would make an integer of a real. */
export function isWholeReal(literal: Literal): boolean {
  return literal.type === 'real' && Number.isInteger(literal.value);
}

/** As text, `100.0` stays a real in SQLite's arithmetic. */
export function realText(literal: Literal & { type: 'real' }): string {
  return /[.eE]/.test(literal.text) ? literal.text : `${literal.text}.0`;
}

/** Merges a sign into its number; returns other expressions unchanged. */
export function foldSign(expr: Expr): Expr {
  if (expr.kind !== 'unary' || expr.expr.kind !== 'literal') return expr;
  const literal = expr.expr;
  if (expr.op === '+') return literal;
  if (expr.op !== '-') return expr;
  if (literal.type === 'integer') return { ...literal, value: -literal.value };
  if (literal.type === 'real') return { ...literal, value: -literal.value, text: `-${literal.text}` };
  return expr;
}

function integerArgument(value: bigint): number | string {
  const number = Number(value);
  // Numbers that JSON cannot hold exactly are sent as text.
  return Number.isSafeInteger(number) ? number : String(value);
}

const MAX_CHARACTERS = 60;

/** `<operation>_<column>` if that is short and free, else numbered. */
export function newKey(operation: string, key: string | null, frame: Frame): string {
  const { columns } = frame.plan;
  const taken = new Set(columns.map((column) => column.key.toLowerCase()));
  const source = columns.find((column) => column.key === key);
  const descriptive = source?.origin ? `${operation}_${key}` : operation;
  const name = descriptive.length > MAX_CHARACTERS ? operation : descriptive;
  if (name !== operation && !taken.has(name.toLowerCase())) return name;
  for (let n = 1; ; n++) {
    const numbered = `${name}_${n + (name === operation ? 0 : 1)}`;
    if (!taken.has(numbered.toLowerCase())) return numbered;
  }
}

/** One name as a string, several as a list. */
export function oneOrMore(keys: readonly string[]): string | readonly string[] {
  return keys.length === 1 ? (keys[0] as string) : keys;
}

/** `clause` names the construct that the tools cannot express. */
export function unsupported(clause: string, reason: string): QueryError {
  return new QueryError('UNSUPPORTED_CONSTRUCT', reason, clause);
}
