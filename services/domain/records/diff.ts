import type { Cell } from '../../../contracts/catalog.ts';
import type { RecordChange } from '../../../contracts/records.ts';
import type { SqlValue } from '../../base/sqlite/driver.ts';
import {
  type Journal,
  type RowChange,
  type RowValues,
  rowKey,
  sameRow,
} from '../../base/sqlite/private-copy.ts';

/** What a journal changes on the whole: a row that is again as it was is no change. By table, then key. */
export function netChanges(journal: Journal): RowChange[] {
  const rows = new Map<string, RowChange>();
  for (const { changes } of journal)
    for (const change of changes) {
      const key = rowKey(change.table, change.id);
      rows.set(key, { ...change, before: (rows.get(key) ?? change).before });
    }
  return [...rows.values()].filter(({ before, after }) => !sameRow(before, after));
}

/** The rules that a journal's calls broke, sorted. */
export function brokenRules(journal: Journal): string[] {
  return [...new Set(journal.flatMap(({ changes }) => changes.flatMap(({ broke = [] }) => broke)))].sort();
}

/** The net changes as records: by key, with values as answers show them. A record whose key changed is another one. */
export function netDiff(journal: Journal): RecordChange[] {
  const sides = netChanges(journal).flatMap((change) => {
    const { before, after } = change;
    const keys = [before, after].map((row) =>
      row === null ? null : keyValues({ ...change, before: row, after: row }),
    );
    const isSame = keys[0] && keys[1] ? sameRow(keys[0], keys[1]) : true;
    return isSame
      ? [change]
      : [
          { ...change, after: null },
          { ...change, before: null },
        ];
  });
  const found = new Map<string, RecordChange>();
  for (const change of sides) {
    const { table, before, after } = change;
    const key = keyValues(change);
    const name = rowKey(table, Object.values(key));
    const other = found.get(name);
    // A row deleted and one created with its key are one record.
    found.set(name, {
      table,
      key: cellsOf(key),
      before: before === null ? (other?.before ?? null) : cellsOf(before),
      after: after === null ? (other?.after ?? null) : cellsOf(after),
    });
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change)
    .filter(({ before, after }) => JSON.stringify(before, big) !== JSON.stringify(after, big));
}

function keyValues({ id, key, before, after }: RowChange): RowValues {
  const row = after ?? before ?? {};
  if (key.length === 0) return { rowid: id[0] ?? null };
  return Object.fromEntries(key.map((name) => [name, row[name] ?? null]));
}

function big(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

function cellsOf(row: RowValues): Record<string, Cell> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)]));
}

/** As answers show it: a blob in hexadecimal, an infinite real as null. */
function cellOf(value: SqlValue): Cell {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex').toUpperCase();
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}
