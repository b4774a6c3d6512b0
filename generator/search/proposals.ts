import type { Stored } from '../oracle/messages.ts';
import type { Change } from '../variants/change.ts';
import { step } from '../variants/conditions.ts';
import { nudge } from '../variants/nudge.ts';
import { nudgeWithin } from '../variants/nudge-within.ts';
import { identityOf, type Row } from '../variants/perturb-table.ts';
import type { Random } from '../variants/random.ts';
import type { TableShape } from '../variants/table-shape.ts';
import type { Draft } from './draft.ts';
import type { FreshRows } from './fresh-rows.ts';
import type { Part, Place } from './target.ts';

/** Columns of a table that depend on each other. */
export interface Ties {
  /** Columns that change places together; those that keep their place are in none. */
  unitsOf(table: TableShape): readonly (readonly string[])[];
  /** The unit of a column; none for a column that keeps its place. */
  unitOf(table: TableShape, column: string): readonly string[];
  /** Whether a value depends on others of its row, and so cannot change alone. */
  isBound(table: TableShape, column: string): boolean;
  /** Whether no value of a column comes twice, though no constraint says so. */
  isSingle(table: TableShape, column: string): boolean;
}

/** What a proposal is made from. */
export interface ProposalContext {
  readonly draft: Draft;
  readonly random: Random;
  readonly fresh: FreshRows;
  /** Some rows of a table, to take values from; they may have changed since. */
  readonly sampleOf: (table: TableShape) => readonly Row[];
  /** Where rows are to stay plausible; without, every column is one by itself. */
  readonly ties?: Ties;
}

/** Rows of a part's tables that reach its result together, as they are now. */
export type Combination = readonly (Row | undefined)[];

/** Rows that a subquery may visit whose value is looked up. */
const MAX_COMPUTED = 100_000;

/** A value in more rows than that is not swapped for another. */
const MAX_HOLDERS = 500;

type Proposal = (part: Part, rows: Combination, context: ProposalContext) => Change[];

/** Ways to change what a SELECT answers by changing a combination of rows that reaches its result; the mildest first. */
const PROPOSALS: readonly Proposal[] = [
  (part, rows, context) => exchange(context.random.pick(part.reads), part, rows, context),
  (part, rows, context) => exchange(context.random.pick(part.reads), part, rows, context),
  (part, rows, context) => exchange(context.random.pick(part.conditions), part, rows, context),
  (part, rows, context) =>
    spread(context.random.pick([...part.conditions, ...part.reads]), part, rows, context),
  addRow,
  dropRow,
  (part, rows, context) => nudgeValue(context.random.pick(part.reads), part, rows, context),
  addCombination,
  (part, rows, context) => swapValues(context.random.pick(part.reads), part, rows, context),
];

/** Ways that bring rows to the edge of what conditions let through, or make them alike: where wrong queries go wrong. */
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

/** A seeded guess at changes after which a query that is nearly the part's answers something else than it. */
export function proposeEdge(part: Part, rows: Combination, context: ProposalContext): Change[] {
  const proposal = context.random.chance(0.6) ? context.random.pick(EDGES) : context.random.pick(PROPOSALS);
  return proposal ? proposal(part, rows, context) : [];
}

/** A seeded guess at changes after which the part answers something else. */
export function propose(part: Part, rows: Combination, context: ProposalContext): Change[] {
  const proposal = context.random.pick(PROPOSALS);
  return proposal ? proposal(part, rows, context) : [];
}

/** One value changes places with another row's. */
function exchange(
  place: Place | undefined,
  part: Part,
  rows: Combination,
  { draft, random, sampleOf, ties }: ProposalContext,
): Change[] {
  const found = movable(place, part, rows);
  if (!found) return [];
  const { table, row, column } = found;
  const unit = ties?.unitOf(table, column) ?? [column];
  const sampled = random.pick(sampleOf(table));
  const other = sampled && draft.row(table, Object.values(identityOf(table, sampled)));
  if (!other || unit.length === 0 || other[column] === row[column]) return [];
  return [update(table, row, valuesOf(other, unit)), update(table, other, valuesOf(row, unit))];
}

/** Another row gets the value too. */
function spread(
  place: Place | undefined,
  part: Part,
  rows: Combination,
  { random, sampleOf, ties }: ProposalContext,
): Change[] {
  const found = movable(place, part, rows);
  if (!found) return [];
  const { table, row, column } = found;
  const unit = ties?.unitOf(table, column) ?? [column];
  if (unit.length === 0) return [];
  return random
    .sample(sampleOf(table), random.pick([1, 1, 2, 4]) ?? 1)
    .map((other) => update(table, other, valuesOf(row, unit)));
}

/** A value and another one of the column change places in all rows. */
function swapValues(
  place: Place | undefined,
  part: Part,
  rows: Combination,
  { draft, random, sampleOf, ties }: ProposalContext,
): Change[] {
  const found = movable(place, part, rows);
  if (!found || !isAlone(found, ties)) return [];
  const { table, row, column } = found;
  const [one, other] = [row[column] ?? null, random.pick(sampleOf(table))?.[column] ?? null];
  if (one === other || one === null || other === null) return [];
  const holders = draft.rowsHolding(table, column, [one, other], MAX_HOLDERS);
  return holders.length > MAX_HOLDERS
    ? []
    : holders.map((holder) => update(table, holder, { [column]: holder[column] === one ? other : one }));
}

/** One of the rows once more, under new keys, with some values of others. */
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

/** A value that is its row's own, or that no other row can give, is moved a little. */
function nudgeValue(
  place: Place | undefined,
  part: Part,
  rows: Combination,
  { random, ties }: ProposalContext,
): Change[] {
  const found = movable(place, part, rows);
  if (!found || !isAlone(found, ties)) return [];
  const { table, row, column } = found;
  const value = row[column] ?? null;
  if (value === null) return [];
  const content = table.columns.find(({ name }) => name === column)?.content ?? null;
  return [
    update(table, row, { [column]: ties ? nudgeWithin(value, content, random) : nudge(value, random) }),
  ];
}

/** All of the rows once more under new keys, joined to each other as they were. */
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

/** A value becomes what it is compared with, or the next one up or down; in the row, or in a copy of it. */
function toLiteral(part: Part, rows: Combination, context: ProposalContext): Change[] {
  const chosen = context.random.pick(part.literals);
  if (!chosen) return [];
  const { random } = context;
  const value = random.pick([chosen.value, step(chosen.value, true), step(chosen.value, false)]) ?? null;
  return withValue(chosen.place, value, part, rows, context);
}

/** A value becomes what a subquery gives that it is compared with. */
function toComputed(part: Part, rows: Combination, context: ProposalContext): Change[] {
  const chosen = context.random.pick(part.computed);
  const value = chosen && context.draft.rows(chosen.sql, MAX_COMPUTED)?.[0]?.[0];
  return chosen && value != null ? withValue(chosen.place, value, part, rows, context) : [];
}

/**
 * New rows at the edge of a condition whose other values are read nowhere else: what they add to an answer no other row
 * hides, and they are a group of their own.
 */
function apart(part: Part, rows: Combination, context: ProposalContext): Change[] {
  const { fresh, random } = context;
  const chosen = random.pick(part.literals);
  const found = chosen && movable(chosen.place, part, rows);
  if (!chosen || !found) return [];
  const { table, row, column } = found;
  const value = random.pick([chosen.value, step(chosen.value, true), step(chosen.value, false)]) ?? null;
  const own: Row = { [column]: value };
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

/** A value becomes that of another place which conditions look at. */
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

/** A row once more under new keys, with nothing else changed. */
function copyRow(part: Part, rows: Combination, { fresh, random }: ProposalContext): Change[] {
  const at = random.below(Math.max(part.tables.length, 1));
  const [table, row] = [part.tables[at], rows[at]];
  return table && row ? [{ kind: 'insert', table, values: fresh.like(table, row) }] : [];
}

function withValue(
  place: Place,
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

function movable(
  place: Place | undefined,
  part: Part,
  rows: Combination,
): { readonly table: TableShape; readonly row: Row; readonly column: string } | null {
  const table = place && part.tables[place.source];
  const row = place && rows[place.source];
  const shape = table?.columns.find(({ name }) => name === place?.column);
  return table && row && shape && !shape.unique ? { table, row, column: shape.name } : null;
}

/** Whether a value may change by itself. */
function isAlone(
  { table, column }: { readonly table: TableShape; readonly column: string },
  ties?: Ties,
): boolean {
  return !ties || (ties.unitOf(table, column).length > 0 && !ties.isBound(table, column));
}

function valuesOf(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((name) => [name, row[name] ?? null]));
}

function update(table: TableShape, row: Row, set: Row): Change {
  return { kind: 'update', table, row: identityOf(table, row), set };
}
