import type { RowChange, RowValues } from '../../services/base/sqlite/private-copy.ts';
import type { ProfiledTable, Reference } from './profile.ts';
import { identifier } from './query-builder.ts';
import { equals, type Rows } from './rows.ts';

/** Days from one date to another in nearly all rows. */
interface Span {
  readonly least: number;
  readonly most: number;
  readonly rows: number;
}

/** Fewer rows say nothing about the days between theirs and those of what they refer to. */
const LEAST_ROWS = 8;
const MOST_ROWS = 5_000;
/** The share of rows at either end that may be slips. */
const SLIPS = 0.02;
/** New rows lie up to two weeks after the latest. */
const DAYS_AFTER = 15;

/**
 * The days between the dates of a row, and between those of a row and of what it refers to: nothing ends before it began,
 * and no visit belongs to the booking of another year.
 */
export class DateOrder {
  readonly #rows: Rows;
  readonly #spans = new Map<string, Span | null>();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Whether the dates of new and changed rows lie as far apart as those of other rows. */
  isKept(changes: readonly RowChange[]): boolean {
    return changes.every(({ table: name, before, after }) => {
      const table = this.#rows.profile.tables.find((each) => each.table.name === name);
      return (
        !table ||
        !after ||
        (this.#isOrdered(table, before, after) && this.#fits(table, before, after, changes))
      );
    });
  }

  #isOrdered(table: ProfiledTable, before: RowValues | null, after: RowValues): boolean {
    const dates = datesOf(table);
    return dates.every((one, at) =>
      dates.slice(at + 1).every((other) => {
        if (before && before[one] === after[one] && before[other] === after[other]) return true;
        const span = this.#span(
          `${table.table.name}\n${one}\n${other}`,
          `${days(identifier(other))} - ${days(identifier(one))}`,
          identifier(table.table.name),
        );
        const apart = between(after[one], after[other]);
        if (!span || apart === null) return true;
        return !((span.least >= 0 && apart < 0) || (span.most <= 0 && apart > 0));
      }),
    );
  }

  #fits(
    table: ProfiledTable,
    before: RowValues | null,
    after: RowValues,
    changes: readonly RowChange[],
  ): boolean {
    const references = this.#rows.profile.references.filter(({ from }) => from.table === table.table.name);
    return references.every((reference) => {
      const { from, to } = reference;
      const other = this.#rows.profile.tables.find((each) => each.table.name === to.table);
      const parent = other && this.#parent(reference, after, changes);
      if (!other || !parent) return true;
      return datesOf(table).every((own) => {
        if (before && before[own] === after[own] && before[from.column] === after[from.column]) return true;
        return datesOf(other).every((date) => {
          const span = this.#span(
            `${from.table}\n${from.column}\n${own}\n${date}`,
            `${days(`a.${identifier(own)}`)} - ${days(`b.${identifier(date)}`)}`,
            `${identifier(from.table)} AS a JOIN ${identifier(to.table)} AS b ON b.${identifier(to.column)} = a.${identifier(from.column)}`,
          );
          const apart = between(parent[date], after[own]);
          if (!span || span.rows < LEAST_ROWS || apart === null) return true;
          const slack = (span.most - span.least) / 10;
          return apart >= span.least - slack && apart <= span.most + slack + DAYS_AFTER;
        });
      });
    });
  }

  /** The row that a reference leads to, which may be new itself. */
  #parent({ from, to }: Reference, row: RowValues, changes: readonly RowChange[]): RowValues | null {
    const value = row[from.column] ?? null;
    if (value === null || ArrayBuffer.isView(value)) return null;
    const made = changes.find(({ table, after }) => table === to.table && after?.[to.column] === value);
    if (made) return made.after;
    const [found] = this.#rows.query(
      `SELECT * FROM ${identifier(to.table)} WHERE ${equals(to.column, value)} LIMIT 1`,
    );
    return found ?? null;
  }

  #span(key: string, apart: string, from: string): Span | null {
    const known = this.#spans.get(key);
    if (known !== undefined) return known;
    const found = this.#rows
      .query(
        `SELECT d FROM (SELECT ${apart} AS d FROM ${from} LIMIT ${MOST_ROWS}) WHERE d IS NOT NULL ORDER BY d`,
      )
      .map(({ d }) => Number(d));
    const slips = Math.floor(SLIPS * found.length);
    const [least, most] = [found[slips], found[found.length - 1 - slips]];
    const span = least === undefined || most === undefined ? null : { least, most, rows: found.length };
    this.#spans.set(key, span);
    return span;
  }
}

function datesOf({ columns }: ProfiledTable): readonly string[] {
  return columns.filter(({ kind }) => kind === 'date').map(({ column }) => column.name);
}

function days(column: string): string {
  return `julianday(substr(${column}, 1, 10))`;
}

/** Days from one date to another; null if either is none. */
function between(one: unknown, other: unknown): number | null {
  const [a, b] = [one, other].map((date) =>
    typeof date === 'string' ? Date.parse(`${date.slice(0, 10)}T00:00:00Z`) : Number.NaN,
  );
  const apart = (Number(b) - Number(a)) / 86_400_000;
  return Number.isNaN(apart) ? null : apart;
}
