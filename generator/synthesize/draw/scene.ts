import { quoteIdentifier } from '../../../sql/index.ts';
import type { Random } from '../../variants/random.ts';
import type { ColumnKind } from '../profile/column-kind.ts';
import type { Profile, ProfiledColumn } from '../profile/profile.ts';
import { conditionOn } from './conditions.ts';
import type { Place, Seat } from './place.ts';

/**
 * What one query is drawn from: a table whose rows are asked for, and up to two more that it refers to. Every method
 * that may find nothing returns null, and the query is given up.
 */
export class Scene {
  readonly random: Random;
  readonly profile: Profile;
  readonly seats: readonly Seat[];
  /** FROM with its joins. */
  readonly from: string;
  readonly #used = new Set<ProfiledColumn>();

  constructor(random: Random, profile: Profile, seats: readonly Seat[], from: string) {
    this.random = random;
    this.profile = profile;
    this.seats = seats;
    this.from = from;
  }

  /** The table whose rows are asked for. */
  get main(): Seat {
    return this.seats[0] as Seat;
  }

  /** The table furthest up the references; the main one where there is no other. */
  get last(): Seat {
    return this.seats.at(-1) as Seat;
  }

  columns(kinds: readonly ColumnKind[], seats: readonly Seat[] = this.seats): Place[] {
    return seats.flatMap((seat) =>
      seat.table.columns
        .filter((column) => kinds.includes(column.kind))
        .map((column) => ({ seat, column, sql: this.name(seat, column.column.name) })),
    );
  }

  /** A column that no part of the query uses yet. */
  column(kinds: readonly ColumnKind[], seats?: readonly Seat[]): Place | null {
    const place = this.random.pick(
      this.columns(kinds, seats).filter(({ column }) => !this.#used.has(column)),
    );
    if (place) this.#used.add(place.column);
    return place ?? null;
  }

  /** What people call the rows of a table. */
  label(seat: Seat): Place | null {
    const { label } = seat.table;
    if (label === null) return null;
    this.#used.add(label);
    return { seat, column: label, sql: this.name(seat, label.column.name) };
  }

  /** What people call the rows of a table, of persons both of their names. */
  people(seat: Seat): Place[] {
    const label = this.label(seat);
    if (label === null) return [];
    const first = /^(first|given|fore)/i.test(label.column.column.name);
    const last = first
      ? this.columns(['name'], [seat]).find(({ column }) => /^(last|sur|family)/i.test(column.column.name))
      : undefined;
    if (last) this.#used.add(last.column);
    return last ? [label, last] : [label];
  }

  key({ table, alias }: Seat): string | null {
    return table.key === null ? null : this.name({ alias }, table.key);
  }

  name({ alias }: Pick<Seat, 'alias'>, column: string): string {
    return alias === '' ? identifier(column) : `${alias}.${identifier(column)}`;
  }

  /** A condition on a column that is not used yet. */
  condition(kinds: readonly ColumnKind[] = CONDITION_KINDS, seats?: readonly Seat[]): string | null {
    const place = this.column(kinds, seats);
    return place && conditionOn(place, this.random);
  }

  /** One condition, sometimes two; of joined tables, the last has one, so that each join is needed. */
  where(): string | null {
    const first = this.seats.length > 1 ? this.condition(CONDITION_KINDS, [this.last]) : this.condition();
    if (first === null) return null;
    const second = this.random.chance(0.35) ? this.condition() : null;
    if (second === null) return `WHERE ${first}`;
    return this.random.chance(0.15) ? `WHERE (${first} OR ${second})` : `WHERE ${first} AND ${second}`;
  }

  maybeWhere(probability: number): string {
    return this.random.chance(probability) ? (this.where() ?? '') : '';
  }
}

const CONDITION_KINDS: readonly ColumnKind[] = ['category', 'category', 'number', 'year', 'date', 'name'];

const PLAIN = /^[a-z_][a-z0-9_]*$/i;

/** Words of SQL that people's columns are called by; they are quoted, as is whatever is no plain name. */
const RESERVED = new Set(
  (
    'abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case cast check collate ' +
    'column commit conflict constraint create cross current current_date current_time current_timestamp database default deferrable deferred ' +
    'delete desc detach distinct do drop each else end escape except exclude exclusive exists explain fail filter first following for foreign ' +
    'from full generated glob group groups having if ignore immediate in index indexed initially inner insert instead intersect into is isnull ' +
    'join key last left like limit match materialized natural no not nothing notnull null nulls of offset on or order others outer over ' +
    'partition plan pragma preceding primary query raise range recursive references regexp reindex release rename replace restrict returning ' +
    'right rollback row rows savepoint select set table temp temporary then ties to transaction trigger unbounded union unique update using ' +
    'vacuum values view virtual when where window with without'
  ).split(' '),
);

/** A name as people write it: quoted only where it must be. */
export function identifier(name: string): string {
  return PLAIN.test(name) && !RESERVED.has(name.toLowerCase()) ? name : quoteIdentifier(name);
}
