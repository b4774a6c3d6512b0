import type { Catalog } from '../../contracts/catalog.ts';
import { onceFor } from '../../contracts/grouping.ts';
import { exprsWithin, Origins, type Query, queriesOf, queryExprs, quoteIdentifier } from '../../sql/index.ts';
import { storedRows } from '../oracle/engines.ts';
import type { Stored } from '../oracle/oracle.ts';
import { type Change, identityOf, type StoredRow, type TableShape } from '../variants/changes.ts';
import type { Ties } from '../variants/proposals.ts';
import type { ScratchDatabase } from '../variants/scratch-database.ts';
import { readUnits, type Units } from './units.ts';

/** Columns whose values, side by side, are all found in those of another table. */
export interface Reference {
  readonly table: string;
  readonly columns: readonly string[];
  readonly to: string;
  readonly keys: readonly string[];
}

/** Whether the checks that passed before the changes still pass after them. */
type Holds = (made: readonly Change[]) => boolean;

/** References and dependent columns of a database, which its worlds preserve. */
export class Bonds implements Ties {
  readonly #scratch: ScratchDatabase;
  readonly #references: readonly Reference[];
  readonly #units: ReadonlyMap<string, Units>;

  constructor(scratch: ScratchDatabase, catalog: Catalog, queries: readonly Query[]) {
    this.#scratch = scratch;
    const simple = [...declaredReferences(catalog, scratch), ...joinedReferences(catalog, queries, scratch)];
    const copies = simple.flatMap((reference) => copiedColumns(reference, scratch));
    this.#references = [...simple, ...copies];
    // Columns that other tables have copies of stay fixed.
    const fixed = new Set(copies.map(({ to, keys }) => `${to}\0${keys.at(-1)}`));
    this.#units = new Map(
      [...scratch.shapes.values()].map((shape) => {
        const together = this.#references.flatMap(({ table, columns, to, keys }) => [
          ...(table === shape.name ? [columns] : []),
          ...(to === shape.name ? [keys] : []),
        ]);
        const isFixed = (column: string) => fixed.has(`${shape.name}\0${column}`);
        return [shape.name, readUnits(scratch.db, shape, together, isFixed)];
      }),
    );
  }

  unitsOf({ name }: TableShape): readonly (readonly string[])[] {
    return this.#units.get(name)?.all ?? [];
  }

  unitOf({ name }: TableShape, column: string): readonly string[] {
    return this.#units.get(name)?.of.get(column) ?? [];
  }

  isBound({ name }: TableShape, column: string): boolean {
    return this.#units.get(name)?.bound.has(column) ?? false;
  }

  isSingle({ name }: TableShape, column: string): boolean {
    return this.#units.get(name)?.single.has(column) ?? false;
  }

  /** Whether rows of other tables refer to a table's. */
  isReferred({ name }: TableShape): boolean {
    return this.#references.some(({ to }) => to === name);
  }

  /** Call before changes; returns a check that references and dependencies still hold. */
  watch(changes: readonly Change[]): Holds {
    const leaving = changes.flatMap((change) => {
      if (change.kind === 'insert') return [];
      const touched = this.#references.filter(
        ({ to, keys }) => to === change.table.name && affects(change, keys),
      );
      const row = touched.length > 0 ? this.#rowOf(change) : undefined;
      return row ? touched.map((reference) => ({ reference, key: tupleOf(row, reference.keys) })) : [];
    });
    return (made) =>
      made.every(
        (change) => this.#refersToRows(change) && this.#determines(change) && this.#isSingle(change),
      ) && leaving.every(({ reference, key }) => key.includes(null) || this.#isFree(reference, key));
  }

  /** Whether an added or changed row refers to existing rows. */
  #refersToRows(change: Change): boolean {
    if (change.kind === 'delete') return true;
    const touched = this.#references.filter(
      ({ table, columns }) => table === change.table.name && affects(change, columns),
    );
    const row = touched.length > 0 ? this.#rowOf(change) : undefined;
    return touched.every(({ columns, to, keys }) => {
      const tuple = row ? tupleOf(row, columns) : [null];
      return tuple.includes(null) || this.#has(to, keys, tuple);
    });
  }

  /** Whether a key still exists, or nothing refers to it. */
  #isFree({ table, columns, to, keys }: Reference, key: readonly Stored[]): boolean {
    return this.#has(to, keys, key) || !this.#has(table, columns, key);
  }

  /** Whether dependencies still hold for an added row, or for one of which half a dependency has changed. */
  #determines(change: Change): boolean {
    if (change.kind === 'delete') return true;
    const { table } = change;
    const { dependencies = [] } = this.#units.get(table.name) ?? {};
    const touched =
      change.kind === 'insert'
        ? dependencies
        : dependencies.filter(({ from, to }) => from in change.set !== to in change.set);
    const values = touched.length > 0 ? this.#rowOf(change) : undefined;
    if (values === undefined) return true;
    const name = quoteIdentifier(table.name);
    return touched.every(({ from, to }) => {
      const test = `${quoteIdentifier(from)} = ? AND ${quoteIdentifier(to)} IS NOT ?`;
      const sql = `SELECT EXISTS (SELECT 1 FROM ${name} WHERE ${test})`;
      return this.#scratch.value(sql, values[from] ?? null, values[to] ?? null) === 0n;
    });
  }

  /** Whether unique values are still unique. */
  #isSingle(change: Change): boolean {
    if (change.kind === 'delete') return true;
    const given = change.kind === 'insert' ? change.values : change.set;
    const name = quoteIdentifier(change.table.name);
    return [...(this.#units.get(change.table.name)?.single ?? [])].every((column) => {
      const value = given[column] ?? null;
      const sql = `SELECT count(*) FROM (SELECT 1 FROM ${name} WHERE ${quoteIdentifier(column)} = ? LIMIT 2)`;
      return value === null || this.#scratch.value(sql, value) !== 2n;
    });
  }

  #rowOf(change: Change): StoredRow | undefined {
    if (change.kind === 'insert') return { ...change.values };
    return this.#scratch.row(change.table, Object.values(change.row));
  }

  #has(table: string, columns: readonly string[], tuple: readonly Stored[]): boolean {
    const tests = columns.map((column) => `${quoteIdentifier(column)} = ?`).join(' AND ');
    const sql = `SELECT EXISTS (SELECT 1 FROM ${quoteIdentifier(table)} WHERE ${tests})`;
    return this.#scratch.value(sql, ...tuple) === 1n;
  }
}

function affects(change: Change, columns: readonly string[]): boolean {
  return change.kind !== 'update' || columns.some((column) => column in change.set);
}

function tupleOf(row: StoredRow, columns: readonly string[]): Stored[] {
  return columns.map((column) => row[column] ?? null);
}

function declaredReferences({ tables }: Catalog, { shapes }: ScratchDatabase): Reference[] {
  return tables.flatMap(({ name, foreign_keys }) =>
    foreign_keys.flatMap(({ columns, references_table, references_columns }): Reference[] => {
      const reference = { table: name, columns, to: references_table, keys: references_columns };
      return isStored(reference, shapes) ? [reference] : [];
    }),
  );
}

/** References that queries join by, if the data satisfy them. */
function joinedReferences(
  catalog: Catalog,
  queries: readonly Query[],
  scratch: ScratchDatabase,
): Reference[] {
  const found = new Map<string, Reference>();
  for (const query of queries) {
    const origins = new Origins(query, catalog);
    for (const part of queriesOf(query).flatMap(queryExprs).flatMap(exprsWithin)) {
      if (part.kind !== 'compare' || part.op !== '=') continue;
      const [left, right] = [origins.baseColumn(part.left), origins.baseColumn(part.right)];
      if (!left || !right) continue;
      for (const [from, to] of [
        [left, right],
        [right, left],
      ] as const) {
        const reference = {
          table: from.table.name,
          columns: [from.column.name],
          to: to.table.name,
          keys: [to.column.name],
        };
        found.set(JSON.stringify(reference), reference);
      }
    }
  }
  const declared = new Set(declaredReferences(catalog, scratch).map((each) => JSON.stringify(each)));
  return [...found].flatMap(([key, reference]) => {
    const isSame = reference.table === reference.to && String(reference.columns) === String(reference.keys);
    if (declared.has(key) || isSame || !isStored(reference, scratch.shapes)) return [];
    return holds(reference, scratch) ? [reference] : [];
  });
}

function isStored({ table, columns, to, keys }: Reference, shapes: ScratchDatabase['shapes']): boolean {
  const has = (name: string, all: readonly string[]) =>
    all.length > 0 && all.every((column) => shapes.get(name)?.columns.some((each) => each.name === column));
  return has(table, columns) && has(to, keys);
}

/** Whether the columns have a value, and each exists. */
function holds({ table, columns, to, keys }: Reference, scratch: ScratchDatabase): boolean {
  const [t, c, p, k] = [table, columns[0] ?? '', to, keys[0] ?? ''].map(quoteIdentifier);
  const values = scratch.value(`SELECT count(${c}) FROM ${t}`);
  const lost = `SELECT EXISTS (SELECT 1 FROM ${t} WHERE ${c} IS NOT NULL AND ${c} NOT IN (SELECT ${k} FROM ${p} WHERE ${k} IS NOT NULL))`;
  return values !== 0n && scratch.value(lost) === 0n;
}

/** Distinct values needed to believe that a column is a copy of another table's. */
const DIFFERENT = 3;

/** A reference with a column copied from the row referred to: its name, its price. */
function copiedColumns(reference: Reference, scratch: ScratchDatabase): Reference[] {
  const { table, columns, to, keys } = reference;
  if (columns.length > 1 || table === to) return [];
  const [own, other] = [scratch.shapes.get(table), scratch.shapes.get(to)];
  const on = `a.${quoteIdentifier(columns[0] ?? '')} = b.${quoteIdentifier(keys[0] ?? '')}`;
  const from = `FROM ${quoteIdentifier(table)} AS a JOIN ${quoteIdentifier(to)} AS b ON ${on}`;
  const namesOf = (shape: TableShape | undefined) => shape?.columns.map(({ name }) => name) ?? [];
  const [names, others] = [namesOf(own), namesOf(other)];
  const list = [
    ...names.map((name) => `a.${quoteIdentifier(name)}`),
    ...others.map((name) => `b.${quoteIdentifier(name)}`),
  ];
  // Most pairs differ in the first rows.
  const first = storedRows(scratch.db, `SELECT ${list.join(', ')} ${from} LIMIT 200`);
  return names.flatMap((name, i) =>
    others.flatMap((copied, j): Reference[] => {
      if (columns.includes(name) || keys.includes(copied)) return [];
      if (first.some((row) => row[i] !== row[names.length + j])) return [];
      const [a, b] = [`a.${quoteIdentifier(name)}`, `b.${quoteIdentifier(copied)}`];
      const found = `SELECT count(DISTINCT ${a}) >= ${DIFFERENT} AND max(${a} IS NOT ${b}) = 0 ${from}`;
      if (scratch.value(found) !== 1n) return [];
      return [{ table, columns: [...columns, name], to, keys: [...keys, copied] }];
    }),
  );
}

/** Cells without which questions would find nothing; random changes leave them alone. */
export class Guard {
  readonly #rows = new Map<string, Set<string>>();

  add(table: TableShape, identity: readonly Stored[], column: string): void {
    const key = keyOf(table, identity);
    onceFor(this.#rows, key, () => new Set()).add(column);
  }

  has(table: TableShape, row: StoredRow, column: string): boolean {
    return this.#columnsOf(table, row)?.has(column) ?? false;
  }

  hasRow(table: TableShape, row: StoredRow): boolean {
    return this.#columnsOf(table, row) !== undefined;
  }

  #columnsOf(table: TableShape, row: StoredRow): Set<string> | undefined {
    return this.#rows.get(keyOf(table, Object.values(identityOf(table, row))));
  }
}

function keyOf({ name }: TableShape, identity: readonly Stored[]): string {
  return [name, ...identity.map(String)].join('\0');
}
