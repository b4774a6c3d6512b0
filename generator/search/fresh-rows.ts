import { quoteIdentifier } from '../../sql/index.ts';
import type { Stored } from '../oracle/messages.ts';
import type { Row } from '../variants/perturb-table.ts';
import type { Random } from '../variants/random.ts';
import type { TableShape } from '../variants/table-shape.ts';
import type { Draft } from './draft.ts';

const TRIES = 20;

/** Makes rows under keys that a table neither has nor was given before, and with such values where `isSingle` says so. */
export class FreshRows {
  readonly #draft: Draft;
  readonly #random: Random;
  readonly #greatest = new Map<string, bigint>();
  readonly #given = new Set<string>();
  readonly #isSingle: (table: TableShape, column: string) => boolean;

  constructor(
    draft: Draft,
    random: Random,
    isSingle: (table: TableShape, column: string) => boolean = () => false,
  ) {
    this.#draft = draft;
    this.#random = random;
    this.#isSingle = isSingle;
  }

  /** A row's values under new keys, as an INSERT takes them. */
  like(table: TableShape, row: Row): Row {
    const values: Row = {};
    for (const { name, unique, foreign, primaryKey } of table.columns) {
      const value = row[name] ?? null;
      // A part of a key that refers to another table says what the row belongs to.
      const keeps = unique ? foreign && !isAlone(table, name, primaryKey) : !this.#isSingle(table, name);
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
      this.#draft.value(`SELECT count(*) FROM (SELECT 1 FROM ${t} WHERE ${c} = ? LIMIT 1)`, text) !== 0n;
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
      asInteger(this.#draft.value(`SELECT max(${c}) FROM ${t} WHERE typeof(${c}) IN ('integer', 'real')`));
    if (greatest === null || greatest >= 2n ** 53n) return like;
    this.#greatest.set(key, greatest + 1n);
    return typeof like === 'bigint' ? greatest + 1n : Number(greatest + 1n);
  }
}

function asInteger(value: Stored): bigint | null {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.floor(value)) : null;
}

/** Whether a column is the whole of its table's primary key. */
function isAlone({ columns }: TableShape, name: string, primaryKey: boolean): boolean {
  return primaryKey && columns.every((column) => !column.primaryKey || column.name === name);
}
