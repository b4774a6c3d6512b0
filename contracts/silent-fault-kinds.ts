/** What can be made wrong with an answer that still looks right. */
export const SILENT_FAULT_KINDS = [
  /** The rows of another state of the database. */
  'stale_rows',
  /** A column's values stand one row too low: the first is null, the last is gone. */
  'shifted_rows',
  /** Some rows are there twice. */
  'duplicated_rows',
  /** Some rows are missing. */
  'dropped_rows',
  /** A column's numbers are a thousandth of what they should be. */
  'wrong_unit',
  /** The first half of the rows, with `truncated: false`. */
  'hidden_truncation',
] as const;
