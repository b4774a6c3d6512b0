import type { SqlParameters, Statement } from './driver.ts';

/** How much of an answer is kept, and how long the caller can wait for it. */
export interface RowCaps {
  /** Rows before `offset + maxRows` are counted through, those before `offset` are dropped. */
  readonly offset?: number;
  readonly maxRows: number;
  /** Bytes of JSON text in UTF-8. */
  readonly maxBytes: number;
  /** Gives up between two rows once this many milliseconds have passed. */
  readonly budgetMs?: number;
}

/** Rows as the inside of a JSON array: `{…},{…}`. */
export interface JsonRows {
  readonly text: string;
  readonly count: number;
  /** True when a cap left rows out. */
  readonly truncated: boolean;
}

/** The statement was left between two rows because its time was up; nothing is known of its answer. */
export class BudgetSpentError extends Error {
  constructor(budgetMs: number) {
    super(`not done after ${budgetMs} ms`);
    this.name = 'BudgetSpentError';
  }
}

const ROWS_PER_LOOK_AT_THE_CLOCK = 16;

/**
 * Runs a statement made by `jsonSql`. Of one that can have few rows only (`isBounded`) they are taken all at once, in
 * half the time of one by one. Throws SqliteError, BudgetSpentError.
 */
export function rowsAsJson(
  statement: Statement,
  parameters: SqlParameters,
  caps: RowCaps,
  isBounded = false,
): JsonRows {
  const rows = new CappedRows(caps);
  if (isBounded) for (const row of statement.allFirst(parameters)) if (!rows.add(row as string)) break;
  if (!isBounded) statement.eachFirst(parameters, (row) => rows.add(row as string));
  const { text, count, truncated } = rows;
  return { text, count, truncated };
}

/** Rows as they are put together, up to the caps. */
class CappedRows {
  text = '';
  count = 0;
  truncated = false;
  readonly #caps: RowCaps;
  readonly #began = performance.now();
  #seen = 0;
  #bytes = 0;

  constructor(caps: RowCaps) {
    this.#caps = caps;
  }

  /** Whether there may be more. */
  add(row: string): boolean {
    const { offset = 0, maxRows, maxBytes, budgetMs } = this.#caps;
    if (this.#seen++ < offset) return true;
    this.#bytes += Buffer.byteLength(row) + 1;
    if (this.count === maxRows || this.#bytes > maxBytes) {
      this.truncated = true;
      return false;
    }
    this.text += this.count === 0 ? row : `,${row}`;
    this.count++;
    if (budgetMs !== undefined && this.#seen % ROWS_PER_LOOK_AT_THE_CLOCK === 0) {
      if (performance.now() - this.#began > budgetMs) throw new BudgetSpentError(budgetMs);
    }
    return true;
  }
}
