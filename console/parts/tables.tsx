import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Cell } from '../../client/index.ts';

interface ScrolledProps {
  readonly label: string;
  readonly onScroll?: (frame: HTMLElement) => void;
  readonly children: ComponentChildren;
}

/** A frame for wide or long content that scrolls on its own, also by keyboard. */
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

/** Preformatted text in a collapsed section. */
export function Folded({
  title,
  text,
  open = false,
}: {
  readonly title: string;
  readonly text: string;
  readonly open?: boolean;
}) {
  return (
    <details open={open}>
      <summary>{title}</summary>
      <Scrolled label={title}>
        <pre>{text}</pre>
      </Scrolled>
    </details>
  );
}

/** Longer texts are not squeezed into a narrow column, and short ones, such as dates, not broken. */
const [MOST_NARROW, MOST_UNBROKEN] = [40, 19];

/** A cell as text; null is styled differently. */
function RowsTableCell({ value, isOther = false }: { readonly value: unknown; readonly isOther?: boolean }) {
  const look = isOther ? 'other ' : '';
  if (value === null) return <td class={`${look}null`}>null</td>;
  if (typeof value === 'number') return <td class={`${look}number`}>{value}</td>;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const length = text.length > MOST_NARROW ? 'long' : text.length > MOST_UNBROKEN ? '' : 'unbroken';
  return <td class={`${look}${length}`}>{text}</td>;
}

/** The names of columns, with a longer text to show on hovering if there is one. */
type Names = readonly (string | { readonly text: string; readonly title: string })[];

function Head({ names }: { readonly names: Names }) {
  return (
    <thead>
      <tr>
        {names.map((name) => {
          const { text, title } = typeof name === 'string' ? { text: name, title: undefined } : name;
          return (
            <th scope="col" title={title}>
              {text}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface TableProps<T> {
  readonly label: string;
  readonly head: Names;
  readonly rows: readonly T[];
  readonly children: (row: T, i: number) => ComponentChildren;
}

/** A table in a frame that scrolls horizontally on its own. */
export function Table<T>({ label, head, rows, children }: TableProps<T>) {
  return (
    <Scrolled label={label}>
      <table>
        <Head names={head} />
        <tbody>
          {rows.map((row, i) => (
            <tr>{children(row, i)}</tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

interface RowsTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Cells to mark, as `<row> <column>` from 0. */
  readonly marked?: ReadonlySet<string>;
}

export function RowsTable({ label, columns, rows, marked }: RowsTableProps) {
  return (
    <Table label={label} head={columns} rows={rows}>
      {(row, i) =>
        columns.map((column, c) => (
          <RowsTableCell value={row[column] ?? null} isOther={marked?.has(`${i} ${c}`)} />
        ))
      }
    </Table>
  );
}

interface VirtualRowsProps<T> {
  readonly label: string;
  readonly head: Names;
  readonly items: readonly T[];
  /** Renders the cells of a row; every row is one line high. */
  readonly row: (item: T, i: number) => ComponentChildren;
}

/** Row height in pixels, as in the style sheet. */
const ROW = 32;
const BEYOND = 10;
const FIRST_SHOWN = 30;

/** A virtualized table: only visible rows are in the DOM. */
export function VirtualRows<T>({ label, head, items, row }: VirtualRowsProps<T>) {
  const [[top, shown], setView] = useState([0, FIRST_SHOWN]);
  const first = Math.max(0, Math.min(top, items.length - 1) - BEYOND);
  const last = Math.min(items.length, top + shown + BEYOND);
  const filler = (rows: number) =>
    rows > 0 && (
      <tr>
        <td colSpan={head.length} class="filler" style={{ height: `${rows * ROW}px` }} />
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
        <Head names={head} />
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
  /** Column names; numbers if absent. */
  readonly columns?: readonly string[];
  /** Total number of rows, if not all are here. */
  readonly total?: number | null;
  readonly marked?: ReadonlySet<string>;
}

const MOST_SHOWN = 100;

/** Positional rows, showing the first of them. */
export function PositionedRows({
  label,
  rows,
  columns = [],
  total = rows.length,
  marked,
}: PositionedRowsProps) {
  const width = Math.max(columns.length, ...rows.slice(0, MOST_SHOWN).map((row) => row.length), 0);
  const names = Array.from({ length: width }, (_, i) => `${i + 1} ${columns[i] ?? ''}`.trim());
  const shown = rows.slice(0, MOST_SHOWN);
  return (
    <>
      <RowsTable
        label={label}
        columns={names}
        marked={marked}
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
