import {
  type Block,
  type Column,
  columnsOfQuery,
  conjuncts,
  type Expr,
  integerLiteral,
  isCorrelated,
  node,
  type OrderTerm,
  type OutputColumn,
  orderTerm,
  ownExprs,
  printQuery,
  type Query,
  queryExprs,
  quoteIdentifier,
  selectBlocks,
  selectsOf,
} from '../../sql/index.ts';
import { VISITED } from '../oracle/engines.ts';
import type { Stored } from '../oracle/oracle.ts';
import {
  type Change,
  identityOf,
  nudge,
  nudgeWithin,
  type StoredRow,
  sampleRows,
  type TableShape,
} from './changes.ts';
import { mentionsOf, step } from './mentions.ts';
import type { Random } from './random.ts';
import type { ScratchDatabase } from './scratch-database.ts';
import { contests, countVisits, witnessOf } from './visits.ts';

/** Combinations of rows looked at per SELECT. */
const COMBINATIONS = 8;

/** A column, by the index of its table in the part. */
interface PartColumn {
  readonly source: number;
  readonly column: string;
}

/** One SELECT of a gold query: the rows behind its result, and the columns that matter in them. */
export interface Part {
  readonly tables: readonly TableShape[];
  /** Selects identities of the tables' rows, side by side, for combinations that meet all conditions. */
  readonly rows: string;
  /** Columns in ON and WHERE. */
  readonly conditions: readonly PartColumn[];
  /** Columns in results, groups, sort keys. */
  readonly reads: readonly PartColumn[];
  /** Subqueries for single values that columns are compared with; they count their visits. */
  readonly computed: readonly { readonly place: PartColumn; readonly sql: string }[];
  /** Literals that columns are compared with. */
  readonly literals: readonly { readonly place: PartColumn; readonly value: Stored }[];
}

/** A gold query whose answer should change. */
export interface Target {
  /** The gold SQL, counting its visits. */
  readonly sql: string;
  readonly parts: readonly Part[];
  /** By table. */
  readonly reads: ReadonlyMap<string, ReadonlySet<string>>;
}

export function targetOf(query: Query, shapes: ReadonlyMap<string, TableShape>): Target {
  return {
    sql: printCounted(query, shapes),
    parts: selectBlocks(query).flatMap((block) => partOf(block, shapes) ?? []),
    reads: readsOf(query),
  };
}

function readsOf(query: Query): Map<string, Set<string>> {
  const tables = new Map<string, string>();
  const reads = new Map<string, Set<string>>();
  for (const { source } of selectsOf(query).flatMap(({ from }) => from)) {
    if (source.kind !== 'table') continue;
    tables.set(source.id, source.table);
    reads.set(source.table, reads.get(source.table) ?? new Set());
  }
  for (const { source, name } of columnsOfQuery(query)) reads.get(tables.get(source) ?? '')?.add(name);
  return reads;
}

function printCounted(query: Query, shapes: ReadonlyMap<string, TableShape>): string {
  return printQuery(countVisits(query, VISITED, shapes));
}

function partOf(block: Block, shapes: ReadonlyMap<string, TableShape>): Part | null {
  const witness = witnessOf(block, shapes);
  const { exact } = witness ?? {};
  if (!witness || exact?.kind !== 'select') return null;
  const { select } = block;
  const position = new Map(witness.sources.map(({ source }, i) => [source.id, i]));
  const identities = witness.sources.flatMap(({ source, shape }) =>
    shape.identity.map((name): Column => node({ kind: 'column', source: source.id, name })),
  );
  const rows = node({
    ...exact,
    columns: identities.map((expr, i): OutputColumn => node({ expr, name: `c${i}`, alias: null })),
    orderBy: orderOf(block, new Set(position.keys())),
    limit: { count: integerLiteral(BigInt(COMBINATIONS)), offset: null },
  });
  const places = (exprs: readonly Expr[]): PartColumn[] => {
    const found = exprs.flatMap((expr) => [...ownExprs(expr)]).flatMap((expr) => placeOf(expr) ?? []);
    return [...new Map(found.map((place) => [`${place.source}/${place.column}`, place])).values()];
  };
  const placeOf = (expr: Expr): PartColumn | null => {
    const source = expr.kind === 'column' ? position.get(expr.source) : undefined;
    if (expr.kind !== 'column' || source === undefined) return null;
    const stored = witness.sources[source]?.shape.columns.some(({ name }) => name === expr.name);
    return stored ? { source, column: expr.name } : null;
  };
  const inConditions = new Set([
    ...conjuncts(select.where),
    ...select.from.flatMap(({ on }) => conjuncts(on)),
  ]);
  const others = queryExprs(select).filter(
    (expr) => expr !== select.where && !select.from.some(({ on }) => on === expr),
  );
  return {
    tables: witness.sources.map(({ shape }) => shape),
    rows: printCounted(rows, shapes),
    conditions: places([...inConditions]),
    reads: places(others),
    computed: [...inConditions, ...others]
      .flatMap((expr) => [...ownExprs(expr)])
      .flatMap((expr) => {
        const pair = computedBound(expr);
        const place = pair && placeOf(pair.column);
        return place ? [{ place, sql: printCounted(pair.query, shapes) }] : [];
      }),
    literals: [...inConditions, ...others].flatMap(mentionsOf).flatMap(({ column, literals }) => {
      const place = placeOf(column);
      return place ? literals.map((value) => ({ place, value })) : [];
    }),
  };
}

/** A column compared with an uncorrelated subquery, or null. */
function computedBound(expr: Expr): { readonly column: Column; readonly query: Query } | null {
  if (expr.kind !== 'compare') return null;
  const [column, bound] = expr.left.kind === 'column' ? [expr.left, expr.right] : [expr.right, expr.left];
  if (column.kind !== 'column' || bound.kind !== 'scalar_query' || isCorrelated(bound.query)) return null;
  return { column, query: bound.query };
}

/** Sort keys by which the rows that ORDER BY, MAX or MIN put first are found first. */
function orderOf({ select }: Block, own: ReadonlySet<string>): OrderTerm[] {
  const [first] = contests(select);
  const plain = select.orderBy.filter(({ expr }) =>
    [...ownExprs(expr)].every((part) => part.kind !== 'aggregate' && part.kind !== 'window'),
  );
  if (select.groupBy.length === 0 && plain.length > 0 && plain.length === select.orderBy.length) {
    return plain.filter(({ expr }) =>
      [...ownExprs(expr)].every((part) => part.kind !== 'column' || own.has(part.source)),
    );
  }
  if (!first || !own.has(first.column.source)) return [];
  return [orderTerm(first.column, first.greatest ? 'desc' : 'asc')];
}

/** Columns of a table that depend on each other. */
export interface Ties {
  /** Columns that move together; fixed columns are in no unit. */
  unitsOf(table: TableShape): readonly (readonly string[])[];
  /** Undefined for a fixed column. */
  unitOf(table: TableShape, column: string): readonly string[];
  /** Whether a value depends on others of its row, and cannot change alone. */
  isBound(table: TableShape, column: string): boolean;
  /** Whether values are distinct, although no constraint requires it. */
  isSingle(table: TableShape, column: string): boolean;
}

/** The data that proposals are made from. */
export interface ProposalContext {
  readonly scratch: ScratchDatabase;
  readonly random: Random;
  readonly fresh: FreshRows;
  /** Some rows of a table to take values from, possibly outdated. */
  readonly sampleOf: (table: TableShape) => readonly StoredRow[];
  /** Keeps rows plausible; by default all columns are independent. */
  readonly ties?: Ties;
}

/** Current rows of a part's tables that reach its result together; undefined if gone. */
export type Combination = readonly (StoredRow | undefined)[];

/** Rows that a subquery may visit to compute its value. */
const MAX_COMPUTED = 100_000;

/** Values in more rows are not swapped. */
const MAX_HOLDERS = 500;

type Proposal = (part: Part, rows: Combination, context: ProposalContext) => Change[];

interface Place {
  readonly table: TableShape;
  readonly row: StoredRow;
  readonly column: string;
}

/** Changes a value in one of some columns. */
function inOneOf(
  columns: (part: Part) => readonly PartColumn[],
  change: (place: Place, context: ProposalContext) => Change[],
): Proposal {
  return (part, rows, context) => {
    const place = movable(context.random.pick(columns(part)), part, rows);
    return place ? change(place, context) : [];
  };
}

const reads = (part: Part) => part.reads;

/** Ways to change a SELECT's answer through rows that reach its result, mildest first. */
const PROPOSALS: readonly Proposal[] = [
  inOneOf(reads, exchange),
  inOneOf(reads, exchange),
  inOneOf(({ conditions }) => conditions, exchange),
  inOneOf((part) => [...part.conditions, ...part.reads], spread),
  addRow,
  dropRow,
  inOneOf(reads, nudgeValue),
  addCombination,
  inOneOf(reads, swapValues),
];

/** Ways to put rows at the edge of conditions, or make them equal, where mutants go wrong. */
const EDGES: readonly Proposal[] = [
  toLiteral,
  toLiteral,
  toComputed,
  apart,
  toOtherPlace,
  toNull,
  copyRow,
  (part, rows, context) => [...copyRow(part, rows, context), ...copyRow(part, rows, context)],
];

/** Seeded changes that may distinguish a mutant from the part. */
export function proposeEdge(part: Part, rows: Combination, context: ProposalContext): Change[] {
  if (!context.random.chance(0.6)) return propose(part, rows, context);
  return context.random.pick(EDGES)?.(part, rows, context) ?? [];
}

/** Seeded changes that may change the part's answer. */
export function propose(part: Part, rows: Combination, context: ProposalContext): Change[] {
  return context.random.pick(PROPOSALS)?.(part, rows, context) ?? [];
}

function exchange(
  { table, row, column }: Place,
  { scratch, random, sampleOf, ties }: ProposalContext,
): Change[] {
  const unit = ties?.unitOf(table, column) ?? [column];
  const sampled = random.pick(sampleOf(table));
  const other = sampled && scratch.row(table, Object.values(identityOf(table, sampled)));
  if (!other || unit.length === 0 || other[column] === row[column]) return [];
  return [update(table, row, valuesOf(other, unit)), update(table, other, valuesOf(row, unit))];
}

function spread({ table, row, column }: Place, { random, sampleOf, ties }: ProposalContext): Change[] {
  const unit = ties?.unitOf(table, column) ?? [column];
  if (unit.length === 0) return [];
  return random
    .sample(sampleOf(table), random.pick([1, 1, 2, 4]) ?? 1)
    .map((other) => update(table, other, valuesOf(row, unit)));
}

/** Swaps two values of a column in all rows. */
function swapValues(place: Place, { scratch, random, sampleOf, ties }: ProposalContext): Change[] {
  if (!isAlone(place, ties)) return [];
  const { table, row, column } = place;
  const [one, other] = [row[column] ?? null, random.pick(sampleOf(table))?.[column] ?? null];
  if (one === other || one === null || other === null) return [];
  const holders = scratch.rowsHolding(table, column, [one, other], MAX_HOLDERS);
  return holders.length > MAX_HOLDERS
    ? []
    : holders.map((holder) => update(table, holder, { [column]: holder[column] === one ? other : one }));
}

/** Copies a row under new keys, with some values of others. */
function addRow(part: Part, rows: Combination, context: ProposalContext): Change[] {
  const { fresh, random, sampleOf, ties } = context;
  const at = random.below(Math.max(part.tables.length, 1));
  const [table, row] = [part.tables[at], rows[at]];
  if (!table || !row) return [];
  const tied = new Set(part.conditions.filter(({ source }) => source === at).map(({ column }) => column));
  const values = { ...row };
  for (const unit of ties?.unitsOf(table) ??
    table.columns.flatMap((each) => (each.unique ? [] : [[each.name]]))) {
    if (unit.some((name) => tied.has(name)) || !random.chance(0.6)) continue;
    const other = random.pick(sampleOf(table));
    if (other && (ties || other[unit[0] ?? ''] != null)) Object.assign(values, valuesOf(other, unit));
  }
  return [{ kind: 'insert', table, values: fresh.like(table, values) }];
}

function dropRow(part: Part, rows: Combination, { random }: ProposalContext): Change[] {
  const at = random.below(Math.max(part.tables.length, 1));
  const [table, row] = [part.tables[at], rows[at]];
  return table && row ? [{ kind: 'delete', table, row: identityOf(table, row) }] : [];
}

/** Nudges a value that is specific to its row, or that no other row can provide. */
function nudgeValue(place: Place, { random, ties }: ProposalContext): Change[] {
  if (!isAlone(place, ties)) return [];
  const { table, row, column } = place;
  const value = row[column] ?? null;
  if (value === null) return [];
  const content = table.columns.find(({ name }) => name === column)?.content ?? null;
  return [
    update(table, row, { [column]: ties ? nudgeWithin(value, content, random) : nudge(value, random) }),
  ];
}

/** Copies all of the rows under new keys, joined as before. */
function addCombination(part: Part, rows: Combination, { fresh }: ProposalContext): Change[] {
  const renamed = new Map<string, Stored>();
  const copies = part.tables.flatMap((table, i) => {
    const row = rows[i];
    if (!row) return [];
    const values = fresh.like(table, row);
    for (const { name } of table.columns) {
      const [before, after] = [row[name] ?? null, values[name] ?? null];
      if (before !== null && before !== after) renamed.set(linkOf(before), after);
    }
    return [{ table, row, values }];
  });
  const joined = new Set(part.conditions.map(({ source, column }) => `${source}/${column}`));
  return copies.map(({ table, row, values }, i): Change => {
    for (const { name, unique } of table.columns) {
      const link = row[name] == null ? undefined : renamed.get(linkOf(row[name]));
      if (link !== undefined && !unique && joined.has(`${i}/${name}`)) values[name] = link;
    }
    return { kind: 'insert', table, values };
  });
}

function linkOf(value: Stored): string {
  return `${typeof value} ${value}`;
}

/** Sets a value, in place or in a copy, to a literal that it is compared with, or just beside that. */
function toLiteral(part: Part, rows: Combination, context: ProposalContext): Change[] {
  const chosen = context.random.pick(part.literals);
  if (!chosen) return [];
  const { random } = context;
  const value = random.pick([chosen.value, step(chosen.value, true), step(chosen.value, false)]) ?? null;
  return withValue(chosen.place, value, part, rows, context);
}

/** Sets a value to the result of the subquery that it is compared with. */
function toComputed(part: Part, rows: Combination, context: ProposalContext): Change[] {
  const chosen = context.random.pick(part.computed);
  const value = chosen && context.scratch.rows(chosen.sql, MAX_COMPUTED)?.[0]?.[0];
  return chosen && value != null ? withValue(chosen.place, value, part, rows, context) : [];
}

/** Adds new rows at the edge of a condition, in groups of their own, where no other row hides them. */
function apart(part: Part, rows: Combination, context: ProposalContext): Change[] {
  const { fresh, random } = context;
  const chosen = random.pick(part.literals);
  const found = chosen && movable(chosen.place, part, rows);
  if (!chosen || !found) return [];
  const { table, row, column } = found;
  const value = random.pick([chosen.value, step(chosen.value, true), step(chosen.value, false)]) ?? null;
  const own: StoredRow = { [column]: value };
  for (const place of part.reads.filter(({ source }) => source === chosen.place.source)) {
    const shape = table.columns.find(({ name }) => name === place.column);
    if (!shape || shape.unique || shape.foreign || place.column in own) continue;
    own[place.column] = nudge(row[place.column] ?? null, random);
  }
  const copies = random.pick([1, 1, 1, 2, 3]) ?? 1;
  return Array.from({ length: copies }, () => ({
    kind: 'insert',
    table,
    values: { ...fresh.like(table, row), ...own },
  }));
}

function toOtherPlace(part: Part, rows: Combination, context: ProposalContext): Change[] {
  const [one, other] = [context.random.pick(part.conditions), context.random.pick(part.conditions)];
  const value = other && rows[other.source]?.[other.column];
  return one && value != null ? withValue(one, value, part, rows, context) : [];
}

function toNull(part: Part, rows: Combination, context: ProposalContext): Change[] {
  const place = context.random.pick([...part.reads, ...part.conditions]);
  const column = place && part.tables[place.source]?.columns.find(({ name }) => name === place.column);
  return place && column?.nullable ? withValue(place, null, part, rows, context) : [];
}

function copyRow(part: Part, rows: Combination, { fresh, random }: ProposalContext): Change[] {
  const at = random.below(Math.max(part.tables.length, 1));
  const [table, row] = [part.tables[at], rows[at]];
  return table && row ? [{ kind: 'insert', table, values: fresh.like(table, row) }] : [];
}

function withValue(
  place: PartColumn,
  value: Stored,
  part: Part,
  rows: Combination,
  { fresh, random }: ProposalContext,
): Change[] {
  const found = movable(place, part, rows);
  if (!found) return [];
  const { table, row, column } = found;
  if (random.chance(0.5)) return [update(table, row, { [column]: value })];
  return [{ kind: 'insert', table, values: { ...fresh.like(table, row), [column]: value } }];
}

function movable(place: PartColumn | undefined, part: Part, rows: Combination): Place | null {
  const table = place && part.tables[place.source];
  const row = place && rows[place.source];
  const shape = table?.columns.find(({ name }) => name === place?.column);
  return table && row && shape && !shape.unique ? { table, row, column: shape.name } : null;
}

function isAlone({ table, column }: Place, ties?: Ties): boolean {
  return !ties || (ties.unitOf(table, column).length > 0 && !ties.isBound(table, column));
}

function valuesOf(row: StoredRow, columns: readonly string[]): StoredRow {
  return Object.fromEntries(columns.map((name) => [name, row[name] ?? null]));
}

function update(table: TableShape, row: StoredRow, set: StoredRow): Change {
  return { kind: 'update', table, row: identityOf(table, row), set };
}

/** Proposals for a database whose columns are all independent. */
export function independentColumns(scratch: ScratchDatabase, random: Random): ProposalContext {
  const samples = new Map(
    [...scratch.shapes.values()].map((table) => [table.name, sampleRows(scratch.db, table, random)]),
  );
  return {
    scratch,
    random,
    fresh: new FreshRows(scratch, random),
    sampleOf: ({ name }) => samples.get(name) ?? [],
  };
}

const TRIES = 20;

/** Copies rows under unused keys, with unused values in columns that are `isSingle`. */
export class FreshRows {
  readonly #scratch: ScratchDatabase;
  readonly #random: Random;
  readonly #greatest = new Map<string, bigint>();
  readonly #given = new Set<string>();
  readonly #isSingle: (table: TableShape, column: string) => boolean;

  constructor(
    scratch: ScratchDatabase,
    random: Random,
    isSingle: (table: TableShape, column: string) => boolean = () => false,
  ) {
    this.#scratch = scratch;
    this.#random = random;
    this.#isSingle = isSingle;
  }

  /** The values for an INSERT of a copy. */
  like(table: TableShape, row: StoredRow): StoredRow {
    const values: StoredRow = {};
    for (const { name, unique, foreign, primaryKey } of table.columns) {
      const value = row[name] ?? null;
      // A part of the key that refers to another table is kept: it is what the row belongs to.
      const keeps = unique
        ? foreign &&
          !(primaryKey && table.columns.every((column) => !column.primaryKey || column.name === name))
        : !this.#isSingle(table, name);
      values[name] = keeps ? value : this.#key(table.name, name, value);
    }
    return values;
  }

  #key(table: string, column: string, like: Stored): Stored {
    if (typeof like === 'bigint' || typeof like === 'number') return this.#number(table, column, like);
    if (typeof like !== 'string') return like;
    const [t, c] = [quoteIdentifier(table), quoteIdentifier(column)];
    const isTaken = (text: string) =>
      this.#given.has(`${table}\0${column}\0${text}`) ||
      this.#scratch.value(`SELECT count(*) FROM (SELECT 1 FROM ${t} WHERE ${c} = ? LIMIT 1)`, text) !== 0n;
    const digit = (old: string) => (this.#random.chance(0.5) ? String(this.#random.below(10)) : old);
    const others = [
      ...Array.from({ length: /\d/.test(like) ? TRIES : 0 }, () => like.replace(/\d/g, digit)),
      ...Array.from({ length: TRIES }, (_, i) => `${like} ${i + 2}`),
    ];
    const free = others.find((text) => !isTaken(text)) ?? like;
    this.#given.add(`${table}\0${column}\0${free}`);
    return free;
  }

  #number(table: string, column: string, like: bigint | number): Stored {
    const [t, c] = [quoteIdentifier(table), quoteIdentifier(column)];
    const key = `${table}\0${column}`;
    const known = this.#greatest.get(key);
    const greatest =
      known ??
      asInteger(this.#scratch.value(`SELECT max(${c}) FROM ${t} WHERE typeof(${c}) IN ('integer', 'real')`));
    if (greatest === null || greatest >= 2n ** 53n) return like;
    this.#greatest.set(key, greatest + 1n);
    return typeof like === 'bigint' ? greatest + 1n : Number(greatest + 1n);
  }
}

function asInteger(value: Stored): bigint | null {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.floor(value)) : null;
}

/** Rows that one search may visit. */
export const MAX_VISITS = 200_000;

/** Rows that reach a part's result together. */
export interface FoundRows {
  /** By table of the part. */
  readonly identities: readonly (readonly Stored[])[];
  readonly rows: Combination;
}

/** Rows that reach a part's result; none when the search would take too long. */
export function combinationsOf(scratch: ScratchDatabase, { rows, tables }: Part): FoundRows[] {
  return (scratch.rows(rows, MAX_VISITS) ?? []).map((values) => {
    let at = 0;
    const identities = tables.map(({ identity }) => {
      const own = values.slice(at, at + identity.length);
      at += identity.length;
      return own;
    });
    return { identities, rows: tables.map((table, i) => scratch.row(table, identities[i] ?? [])) };
  });
}
