import type { Combination, Ties } from '../../search/proposals.ts';
import type { Part } from '../../search/target.ts';
import type { Change } from '../../variants/change.ts';

/**
 * Changes that put rows back to what they were, as far as the part's conditions look at them and with what depends on that,
 * and bring back any that are gone.
 */
export function restoreRows({ tables, conditions }: Part, rows: Combination, ties: Ties): Change[] {
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
