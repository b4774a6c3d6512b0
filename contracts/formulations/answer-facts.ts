/** Facts about an answer, read from its text. */
export interface AnswerFacts {
  /** Of an endpoint's answer, a table or a column; 1 for a single value; null for answers without rows. */
  readonly rows: number | null;
  /** The handle of the result, for later calls; null where there is none. */
  readonly handle: string | null;
}

const ROW_COUNT = '"row_count":';

/**
 * The number after the first or the last `"row_count":`. Inside a JSON text no quote stands alone, so a name with its
 * quotes and colon is a name.
 */
export function rowCount(body: string, which: 'first' | 'last'): number | null {
  const at = which === 'first' ? body.indexOf(ROW_COUNT) : body.lastIndexOf(ROW_COUNT);
  if (at < 0) return null;
  const start = at + ROW_COUNT.length;
  const digits = /^\d+/.exec(body.slice(start, start + 20))?.[0];
  return digits === undefined ? null : Number(digits);
}
