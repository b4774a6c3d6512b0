import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Scrolled } from './scrolled.tsx';

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
