import { Scrolled } from './scrolled.tsx';

/** A cell as text; null has a look of its own. */
function Cell({ value }: { readonly value: unknown }) {
  if (value === null) return <td class="null">null</td>;
  if (typeof value === 'number') return <td class="number">{value}</td>;
  return <td>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</td>;
}

interface RowsTableProps {
  /** What the rows are, for whoever does not see the page. */
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Rows, in a frame that is scrolled by itself where they are too wide. */
export function RowsTable({ label, columns, rows }: RowsTableProps) {
  return (
    <Scrolled label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map((column) => (
                <Cell value={row[column] ?? null} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}
