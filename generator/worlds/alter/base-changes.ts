import type { FreshRows } from '../../search/fresh-rows.ts';
import type { Ties } from '../../search/proposals.ts';
import type { Change } from '../../variants/change.ts';
import { identityOf, type Row } from '../../variants/perturb-table.ts';
import type { Random } from '../../variants/random.ts';
import type { TableShape } from '../../variants/table-shape.ts';
import type { Guard } from './guard.ts';

/** Share of the rows that exchange values with another one. */
const EXCHANGE_ROW = 0.5;
const EXCHANGE_CELL = 0.4;
const EXCHANGE_REFERENCE = 0.15;
/** Share of the rows that go, and that come. */
const TURNOVER = 0.02;

/**
 * Random changes to a table that keep its columns as they are: values change places, those that depend on each other
 * together, and as many rows come as go.
 * `rows`: some or all of its rows. Rows that others refer to stay (`isReferred`), and so do guarded cells.
 */
export function baseChanges(
  rows: readonly Row[],
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
  const changed = new Map<Row, Set<string>>();
  const set = (row: Row, column: string, value: Row[string]) => {
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
  const going = random.sample(free, Math.min(turnover, free.length));
  return [
    ...updates,
    ...going.map((row): Change => ({ kind: 'delete', table, row: identityOf(table, row) })),
    ...going.flatMap((gone): Change[] => {
      // What no other row has comes back with the row that comes.
      const single = table.columns.filter(({ name }) => ties.isSingle(table, name)).map(({ name }) => name);
      const first = single.length > 0 ? gone : random.pick(now);
      const apart = units.filter((unit) => !unit.some((name) => single.includes(name)));
      const mixed = mix(first, random.pick(now), apart, random);
      if (!mixed) return [];
      const back = Object.fromEntries(single.map((name) => [name, gone[name] ?? null]));
      return [{ kind: 'insert', table, values: { ...fresh.like(table, mixed), ...back } }];
    }),
  ];
}

/** A row with some of another row's values. */
function mix(
  row: Row | undefined,
  other: Row | undefined,
  units: readonly (readonly string[])[],
  random: Random,
): Row | null {
  if (!row || !other) return null;
  const values = { ...row };
  for (const unit of units)
    if (random.chance(0.5)) for (const name of unit) values[name] = other[name] ?? null;
  return values;
}
