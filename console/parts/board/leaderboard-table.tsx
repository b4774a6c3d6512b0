import { usedColumns } from '../../../runner/table/columns.ts';
import type { LeaderboardRow } from '../../../runner/table/leaderboard.ts';
import { go, linkTo } from '../../route.ts';
import { Scrolled } from '../scrolled.tsx';

interface LeaderboardTableProps {
  readonly label: string;
  readonly rows: readonly LeaderboardRow[];
  /** A column's name, after a minus for the largest first. */
  readonly sort: string;
  /** The address without the order. */
  readonly query: Readonly<Record<string, string>>;
}

/** The leaderboard of one formulation, by any column. Rows of papers are marked. */
export function LeaderboardTable({ label, rows, sort, query }: LeaderboardTableProps) {
  const columns = usedColumns(rows);
  const [name, descending] = sort.startsWith('-') ? [sort.slice(1), true] : [sort, false];
  const by = columns.find((column) => column.name === name);
  const shown = by
    ? [...rows].sort((a, b) => (descending ? -1 : 1) * compare(by.value(a), by.value(b)))
    : rows;
  const order = (column: string) => {
    if (column !== name) return 'none' as const;
    return descending ? ('descending' as const) : ('ascending' as const);
  };
  return (
    <Scrolled label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" aria-sort={order(column.name)} class={column.isNumber ? 'number' : ''}>
                <button
                  type="button"
                  class="plain"
                  onClick={() => {
                    const next = column.name === name && descending ? column.name : `-${column.name}`;
                    go(linkTo(['board'], { ...query, sort: next }), { replace: true });
                  }}
                >
                  {column.name}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr class={row.source === null ? '' : 'published'}>
              {columns.map((column, i) => (
                <td class={column.isNumber ? 'number' : ''}>
                  {i === 0 && row.run !== null ? (
                    <a href={linkTo(['board', row.run])}>{column.show(row)}</a>
                  ) : (
                    column.show(row)
                  )}
                  {i === 0 && row.source !== null && <span class="note"> published: {row.source}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}
