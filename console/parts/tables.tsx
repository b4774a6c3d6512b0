import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Cell } from '../../client/index.ts';

interface ScrolledProps {
  /** What it holds, for whoever does not see the page. */
  readonly label: string;
  /** Told where the frame is scrolled to. */
  readonly onScroll?: (frame: HTMLElement) => void;
  readonly children: ComponentChildren;
}

/** A frame for what may be too wide or too long; it is scrolled by itself, by keyboard too. */
export function Scrolled({ label, onScroll, children }: ScrolledProps) {
  return (
    <section
      class="scrolled"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari scrolls by keyboard only what has the focus.
      tabIndex={0}
      aria-label={label}
      onScroll={({ currentTarget }) => onScroll?.(currentTarget)}
    >
      {children}
    </section>
  );
}

/** A cell as text; null has a look of its own. */
function RowsTableCell({ value }: { readonly value: unknown }) {
  if (value === null) return <td class="null">null</td>;
  if (typeof value === 'number') return <td class="number">{value}</td>;
  return <td>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</td>;
}

interface TableProps<T> {
  /** What the rows are, for whoever does not see the page. */
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly T[];
  /** The cells of a row. */
  readonly children: (row: T) => ComponentChildren;
}

/** A table in a frame that is scrolled by itself where it is too wide. */
export function Table<T>({ label, head, rows, children }: TableProps<T>) {
  return (
    <Scrolled label={label}>
      <table>
        <thead>
          <tr>
            {head.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>{children(row)}</tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
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
    <Table label={label} head={columns} rows={rows}>
      {(row) => columns.map((column) => <RowsTableCell value={row[column] ?? null} />)}
    </Table>
  );
}

interface VirtualRowsProps<T> {
  /** What the rows are, for whoever does not see the page. */
  readonly label: string;
  readonly head: ComponentChildren;
  /** How many columns there are. */
  readonly width: number;
  readonly items: readonly T[];
  /** The cells of a row; every row is one line high. */
  readonly row: (item: T, i: number) => ComponentChildren;
}

/** As the style sheet has it, in pixels: every row is as high as any other. */
const ROW = 36;
const BEYOND = 10;
const FIRST_SHOWN = 30;

/** A table of any number of rows, of which only those in sight are in the page. */
export function VirtualRows<T>({ label, head, width, items, row }: VirtualRowsProps<T>) {
  const [[top, shown], setView] = useState([0, FIRST_SHOWN]);
  const first = Math.max(0, Math.min(top, items.length - 1) - BEYOND);
  const last = Math.min(items.length, top + shown + BEYOND);
  const filler = (rows: number) =>
    rows > 0 && (
      <tr>
        <td colSpan={width} class="filler" style={{ height: `${rows * ROW}px` }} />
      </tr>
    );
  return (
    <Scrolled
      label={label}
      onScroll={({ scrollTop, clientHeight }) =>
        setView([Math.floor(scrollTop / ROW), Math.ceil(clientHeight / ROW)])
      }
    >
      <table class="virtual" aria-rowcount={items.length + 1}>
        <thead>{head}</thead>
        <tbody>
          {filler(first)}
          {items.slice(first, last).map((item, i) => (
            <tr key={first + i} aria-rowindex={first + i + 2}>
              {row(item, first + i)}
            </tr>
          ))}
          {filler(items.length - last)}
        </tbody>
      </table>
    </Scrolled>
  );
}

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
