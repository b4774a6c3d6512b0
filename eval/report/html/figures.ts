/** `62.3 %`, or a dash without a figure. */
export function percent(value: number | null, unit = ' %'): string {
  return value === null ? '–' : `${(value * 100).toFixed(1)}${unit}`;
}

/** A ratio as a CSS length. */
export function width(value: number | null): string {
  return `${((value ?? 0) * 100).toFixed(2)}%`;
}
