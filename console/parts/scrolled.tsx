import type { ComponentChildren } from 'preact';

interface ScrolledProps {
  /** What it holds, for whoever does not see the page. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A frame for what may be too wide or too long; it is scrolled by itself, by keyboard too. */
export function Scrolled({ label, children }: ScrolledProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari scrolls by keyboard only what has the focus.
    <section class="scrolled" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
