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

/** Runs a statement made by `jsonSql`. Throws SqliteError, BudgetSpentError. */
export function rowsAsJson(statement: Statement, parameters: SqlParameters, caps: RowCaps): JsonRows {
  const offset = caps.offset ?? 0;
  const deadline = caps.budgetMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + caps.budgetMs;
  let text = '';
  let seen = 0;
  let count = 0;
  let bytes = 0;
  let truncated = false;
  statement.eachFirst(parameters, (value) => {
    if (seen++ < offset) return true;
    const row = value as string;
    bytes += Buffer.byteLength(row) + 1;
    if (count === caps.maxRows || bytes > caps.maxBytes) {
      truncated = true;
      return false;
    }
    text += count === 0 ? row : `,${row}`;
    count++;
    if (seen % ROWS_PER_LOOK_AT_THE_CLOCK === 0 && performance.now() > deadline) {
      throw new BudgetSpentError(caps.budgetMs as number);
    }
    return true;
  });
  return { text, count, truncated };
}
