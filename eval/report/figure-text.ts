/** `62.3 – 71.0`, or nothing without an interval. */
export function interval(ci: readonly [number, number] | null): string {
  return ci === null ? '' : `${percent(ci[0], 5, '')} – ${percent(ci[1], 5, '')}`;
}

/** `62.3 %`, or a dash without a figure. */
export function percent(value: number | null, width = 0, unit = ' %'): string {
  return (value === null ? '–' : `${(value * 100).toFixed(1)}${unit}`).padStart(width);
}

/** A count, to the right. */
export function number(value: number, width: number): string {
  return String(value).padStart(width);
}
