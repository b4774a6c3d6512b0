import type { Catalog } from '../../contracts/catalog.ts';
import { type Query, quoteIdentifier } from '../../sql/index.ts';
import type { Stored } from '../oracle/oracle.ts';
import { type Change, identityOf, type StoredRow, sampleRows, type TableShape } from '../variants/changes.ts';
import {
  type Combination,
  combinationsOf,
  type FoundRows,
  FreshRows,
  MAX_VISITS,
  type Part,
  type ProposalContext,
  propose,
  type Target,
  type Ties,
} from '../variants/proposals.ts';
import { Random } from '../variants/random.ts';
import type { AnswerDigest, ScratchDatabase } from '../variants/scratch-database.ts';
import { Bonds, Guard } from './bonds.ts';
import type { Way } from './read-origin.ts';

/**
 * Changes a database until its questions have other answers of about the same size: a random exchange of
 * values that spares rows questions need, then guesses that mend each question. Deterministic by seed.
 */
export function alterDatabase(
  scratch: ScratchDatabase,
  targets: readonly Target[],
  {
    catalog,
    growth,
    seed,
    queries,
  }: {
    readonly catalog: Catalog;
    /** By table. */
    readonly growth: ReadonlyMap<string, Way>;
    readonly seed: string;
    /** The gold queries, for their joins. */
    readonly queries: readonly Query[];
  },
): void {
  const random = new Random(`${seed}/${catalog.db}`);
  const found = targets.map(({ parts }) => parts.map((part) => combinationsOf(scratch, part)));
  const bonds = new Bonds(scratch, catalog, queries);
  const mender = new Mender(scratch, targets, found, random, growth, bonds);
  const guard = guardFor(targets, found);
  const fresh = new FreshRows(scratch, random, (table, column) => bonds.isSingle(table, column));
  const samples = new Map<string, readonly StoredRow[]>();
  for (const table of scratch.shapes.values()) {
    const rows = sampleRows(scratch.db, table, random);
    samples.set(table.name, rows);
    const isReferred = bonds.isReferred(table);
    const changes = baseChanges(rows, table, { fresh, guard, random, ties: bonds, isReferred });
    scratch.attempt(
      changes.filter(({ kind }) => kind === 'update'),
      () => true,
    );
    for (const change of changes.filter(({ kind }) => kind !== 'update'))
      scratch.attempt([change], bonds.watch([change]));
  }
  mender.mendAll({
    scratch,
    random,
    fresh,
    ties: bonds,
    sampleOf: ({ name }: TableShape) => samples.get(name) ?? [],
  });
}

/** Protects the cells of the found rows that conditions read. */
function guardFor(targets: readonly Target[], found: readonly (readonly (readonly FoundRows[])[])[]): Guard {
  const guard = new Guard();
  targets.forEach(({ parts }, t) => {
    parts.forEach((part, p) => {
      for (const { identities } of found[t]?.[p] ?? []) {
        for (const { source, column } of part.conditions) {
          const table = part.tables[source];
          const identity: readonly Stored[] | undefined = identities[source];
          if (table && identity) guard.add(table, identity, column);
        }
      }
    });
  });
  return guard;
}

/** Share of the rows that exchange values with another one. */
const EXCHANGE_ROW = 0.5;
const EXCHANGE_CELL = 0.4;
const EXCHANGE_REFERENCE = 0.15;
/** Share of the rows removed, and added. */
const TURNOVER = 0.02;

/**
 * Random changes that preserve each column's values: dependent columns move together, as many rows are added
 * as removed. Rows referred to stay, and so do guarded cells.
 */
function baseChanges(
  rows: readonly StoredRow[],
  table: TableShape,
  context: {
    readonly fresh: FreshRows;
    readonly guard: Guard;
    readonly random: Random;
    readonly ties: Ties;
    readonly isReferred: boolean;
  },
): Change[] {
  const { fresh, guard, random, ties, isReferred } = context;
  const now = rows.map((row) => ({ ...row }));
  const changed = new Map<StoredRow, Set<string>>();
  const set = (row: StoredRow, column: string, value: StoredRow[string]) => {
    row[column] = value;
    changed.set(row, (changed.get(row) ?? new Set()).add(column));
  };
  const units = ties.unitsOf(table);
  const foreign = new Set(table.columns.flatMap((each) => (each.foreign ? [each.name] : [])));
  for (const row of now) {
    if (!random.chance(EXCHANGE_ROW)) continue;
    const other = random.pick(now);
    for (const unit of units) {
      const refers = unit.some((name) => foreign.has(name));
      if (!random.chance(refers ? EXCHANGE_REFERENCE : EXCHANGE_CELL)) continue;
      if (!other || unit.every((name) => other[name] === row[name])) continue;
      if (unit.some((name) => guard.has(table, row, name) || guard.has(table, other, name))) continue;
      for (const name of unit) {
        const value = row[name] ?? null;
        set(row, name, other[name] ?? null);
        set(other, name, value);
      }
    }
  }
  const updates = [...changed].map(
    ([row, names]): Change => ({
      kind: 'update',
      table,
      row: identityOf(table, row),
      set: Object.fromEntries([...names].map((name) => [name, row[name] ?? null])),
    }),
  );
  if (isReferred) return updates;

  const share = rows.length * TURNOVER;
  const turnover = Math.floor(share) + (random.chance(share % 1) ? 1 : 0);
  const free = now.filter((row) => !guard.hasRow(table, row));
  const removed = random.sample(free, Math.min(turnover, free.length));
  return [
    ...updates,
    ...removed.map((row): Change => ({ kind: 'delete', table, row: identityOf(table, row) })),
    ...removed.flatMap((old): Change[] => {
      // Unique values of a removed row return with the added one.
      const single = table.columns.filter(({ name }) => ties.isSingle(table, name)).map(({ name }) => name);
      const first = single.length > 0 ? old : random.pick(now);
      const apart = units.filter((unit) => !unit.some((name) => single.includes(name)));
      const mixed = mix(first, random.pick(now), apart, random);
      if (!mixed) return [];
      const back = Object.fromEntries(single.map((name) => [name, old[name] ?? null]));
      return [{ kind: 'insert', table, values: { ...fresh.like(table, mixed), ...back } }];
    }),
  ];
}

function mix(
  row: StoredRow | undefined,
  other: StoredRow | undefined,
  units: readonly (readonly string[])[],
  random: Random,
): StoredRow | null {
  if (!row || !other) return null;
  const values = { ...row };
  for (const unit of units)
    if (random.chance(0.5)) for (const name of unit) values[name] = other[name] ?? null;
  return values;
}

/** For each literal and the column compared with it, the number of rows with that value. */
export function literalCounts(scratch: ScratchDatabase, targets: readonly Target[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tables, literals } of targets.flatMap(({ parts }) => parts)) {
    for (const { place, value } of literals) {
      const table = tables[place.source]?.name ?? '';
      const key = [table, place.column, typeof value, String(value)].join('\0');
      if (counts.has(key)) continue;
      const [t, c] = [quoteIdentifier(table), quoteIdentifier(place.column)];
      counts.set(key, Number(scratch.value(`SELECT count(*) FROM ${t} WHERE ${c} = ?`, value)));
    }
  }
  return counts;
}

/** Changes that restore removed rows, and the cells that the part's conditions depend on. */
function restoreRows({ tables, conditions }: Part, rows: Combination, ties: Ties): Change[] {
  return tables.flatMap((table, i): Change[] => {
    const row = rows[i];
    if (!row) return [];
    const values = (names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
    const columns = conditions
      .filter(({ source }) => source === i)
      .flatMap(({ column }) => [column, ...ties.unitOf(table, column)]);
    const identity = values(table.identity);
    const all = values(table.columns.map(({ name }) => name));
    return [
      { kind: 'insert', table, values: { ...all, ...identity } },
      ...(columns.length > 0
        ? [{ kind: 'update', table, row: identity, set: values(columns) } as const]
        : []),
    ];
  });
}

const GUESSES = 30;
/** Rows visited in a round for one question, including those for checking other questions. */
const VISITS_A_QUESTION = 400_000;
/** Mending one question may break another, so each round checks all again. */
const ROUNDS = 5;

/** Costs of losing an answer, and of keeping the farm's. */
const NOTHING = 6;
const SAME = 1;
/** Costs of each row more or fewer than a table had, by preferred direction. */
const ROW = 0.6;
const OTHER_ROW = 1.2;
/** Factor for row costs in the first round, which tries to keep row counts. */
const AT_FIRST = 4;

interface Watched {
  readonly target: Target;
  /** The farm's answer; null if it could not be compared. */
  readonly before: AnswerDigest | null;
  /** The farm's rows behind the answer, by part. */
  readonly found: readonly (readonly FoundRows[])[];
  fault: number;
}

/** Mends answers by guesses, keeping changes that bring answers and tables to about their old sizes. */
class Mender {
  readonly #scratch: ScratchDatabase;
  readonly #random: Random;
  readonly #watched: readonly Watched[];
  /** Row counts relative to the farm's. */
  readonly #grown = new Map<string, number>();
  readonly #rows = new Map<string, number>();
  /** In which direction table sizes may change. */
  readonly #ways: ReadonlyMap<string, Way>;
  readonly #bonds: Bonds;
  #round = 0;

  /** Takes the current answers as the farm's. */
  constructor(
    scratch: ScratchDatabase,
    targets: readonly Target[],
    found: readonly (readonly (readonly FoundRows[])[])[],
    random: Random,
    ways: ReadonlyMap<string, Way>,
    bonds: Bonds,
  ) {
    this.#bonds = bonds;
    this.#scratch = scratch;
    this.#random = random;
    this.#watched = targets.map((target, i) => ({
      target,
      before: scratch.answer(target.sql, MAX_VISITS),
      found: found[i] ?? [],
      fault: 0,
    }));
    this.#ways = ways;
    for (const name of scratch.shapes.keys()) this.#rows.set(name, this.#countOf(name));
  }

  mendAll(context: ProposalContext): void {
    for (const [name, before] of this.#rows) this.#grown.set(name, this.#countOf(name) - before);
    for (this.#round = 0; this.#round < ROUNDS; this.#round++) {
      for (const each of this.#watched) each.fault = this.#faultOf(each);
      // The worst first, since it needs the most changes.
      const faulty = this.#watched.filter(({ fault }) => fault > 0).sort((a, b) => b.fault - a.fault);
      if (faulty.length === 0) return;
      for (const each of faulty) this.#mend(each, context);
    }
  }

  #mend(watched: Watched, context: ProposalContext): void {
    const { parts } = watched.target;
    const budget = this.#scratch.spent + VISITS_A_QUESTION;
    for (let guess = 0; guess < GUESSES && watched.fault > 0 && this.#scratch.spent < budget; guess++) {
      const at = guess % 3 === 2 ? this.#random.below(Math.max(parts.length, 1)) : 0;
      const part = parts[at];
      if (!part) return;
      const now = combinationsOf(this.#scratch, part);
      const original = this.#random.pick(watched.found[at] ?? []);
      const isLacking = now.length === 0 || (watched.fault >= NOTHING && this.#random.chance(0.5));
      const chosen = isLacking && original ? original : this.#random.pick(now);
      if (!chosen) continue;
      const changes =
        chosen === original
          ? restoreRows(part, chosen.rows, this.#bonds)
          : propose(part, chosen.rows, context);
      this.#attempt(watched, changes, budget);
    }
  }

  /** Keeps the changes if they reduce the total cost. */
  #attempt(watched: Watched, changes: readonly Change[], budget: number): void {
    const faults = new Map<Watched, number>();
    let grown: ReadonlyMap<string, number> = this.#grown;
    const holds = this.#bonds.watch(changes);
    const kept = this.#scratch.attempt(changes, (made) => {
      if (!holds(made)) return false;
      const fault = this.#faultOf(watched);
      faults.set(watched, fault);
      grown = this.#grownBy(made);
      let gain = watched.fault - fault - this.#rowFaults(grown) + this.#rowFaults(this.#grown);
      if (gain <= 0) return false;
      for (const other of this.#watched) {
        if (other === watched || !isTouched(other.target, made)) continue;
        if (this.#scratch.spent >= budget) break;
        const now = this.#faultOf(other);
        faults.set(other, now);
        gain -= now - other.fault;
        if (gain <= -NOTHING) return false;
      }
      return gain > 0;
    });
    if (!kept) return;
    for (const [each, fault] of faults) each.fault = fault;
    for (const [name, by] of grown) this.#grown.set(name, by);
  }

  #faultOf({ target, before }: Watched): number {
    return before ? faultOf(before, this.#scratch.answer(target.sql, MAX_VISITS)) : 0;
  }

  #grownBy(made: readonly Change[]): Map<string, number> {
    const grown = new Map(this.#grown);
    for (const { kind, table } of made) {
      const by = kind === 'insert' ? 1 : kind === 'delete' ? -1 : 0;
      grown.set(table.name, (grown.get(table.name) ?? 0) + by);
    }
    return grown;
  }

  #rowFaults(grown: ReadonlyMap<string, number>): number {
    let sum = 0;
    for (const [name, by] of grown) {
      const each =
        (Math.sign(by) === this.#ways.get(name) ? ROW : OTHER_ROW) * (this.#round === 0 ? AT_FIRST : 1);
      // One row matters less in a table of a thousand than in one of ten.
      sum += (each * Math.abs(by)) / Math.max(1, (this.#rows.get(name) ?? 0) / 50);
    }
    return sum;
  }

  #countOf(table: string): number {
    return Number(this.#scratch.value(`SELECT count(*) FROM ${quoteIdentifier(table)}`));
  }
}

/** 0 for another answer of about the same size; of any size if the old one was trivial. */
function faultOf(before: AnswerDigest, now: AnswerDigest | null): number {
  if (!now || (before.isDistinctive && !now.isDistinctive)) return NOTHING;
  const off = Math.abs(now.size - before.size);
  const slack = before.size < 4 ? 0 : Math.max(1, before.size / 10);
  const size = off <= slack ? 0 : 0.5 + Math.min(off / Math.max(1, before.size), 2);
  return size + (before.isDistinctive && now.digest === before.digest ? SAME : 0);
}

function isTouched({ reads }: Target, made: readonly Change[]): boolean {
  return made.some((change) => {
    const columns = reads.get(change.table.name);
    if (!columns || change.kind !== 'update') return columns !== undefined;
    return Object.keys(change.set).some((name) => columns.has(name));
  });
}
