import type { ComponentChildren } from 'preact';

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
