import type { Cell } from '../../client/index.ts';
import { RowsTable } from './rows-table.tsx';

interface PositionedRowsProps {
  readonly label: string;
  readonly rows: readonly (readonly Cell[])[];
  /** Names of the columns; numbers where there are none. */
  readonly columns?: readonly string[];
  /** How many there are in truth, where not all are here. */
  readonly total?: number | null;
}

const MOST_SHOWN = 100;

/** Rows whose cells stand by position, the first of them. */
export function PositionedRows({ label, rows, columns = [], total = rows.length }: PositionedRowsProps) {
  const width = Math.max(columns.length, ...rows.slice(0, MOST_SHOWN).map((row) => row.length), 0);
  const names = Array.from({ length: width }, (_, i) => `${i + 1} ${columns[i] ?? ''}`.trim());
  const shown = rows.slice(0, MOST_SHOWN);
  return (
    <>
      <RowsTable
        label={label}
        columns={names}
        rows={shown.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? null])))}
      />
      {(total ?? 0) > shown.length && (
        <p class="note">
          {shown.length} of {(total ?? 0).toLocaleString('en')} rows
        </p>
      )}
    </>
  );
}
