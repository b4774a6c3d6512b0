import type { Connection, SqlParameters, SqlValue } from './driver.ts';

/** So few rows that they can be held at once before anything is capped. */
const FEW_ROWS = 100;

/**
 * Whether a statement can have a few rows at most, whatever its parameters and the data. It is told by its last words,
 * `LIMIT 5`, or by SQLite's program for it: a program that never jumps back over the place where it gives a row gives
 * one row at most. What cannot be told counts as unbounded. `parameters` are any that the statement takes. Throws SqliteError.
 */
export function isBounded(connection: Connection, sql: string, parameters: SqlParameters): boolean {
  const limit = /\sLIMIT (\d{1,9})$/.exec(sql)?.[1];
  if (limit !== undefined && Number(limit) <= FEW_ROWS) return true;
  return givesOneRow(connection.prepareAdHoc(`EXPLAIN ${sql}`).all(parameters));
}

/** Columns of EXPLAIN: the place of a step, what it does, and, of those that jump, where to. */
const [ADDRESS, OPCODE, TARGET] = [0, 1, 3];
/** Steps that jump to wherever a register says. */
const INDIRECT = new Set(['Return', 'Yield', 'EndCoroutine', 'InitCoroutine', 'Gosub', 'Jump', 'Program']);
/** Steps that only make values, and the end. Of any other one it is assumed that it jumps. */
const STRAIGHT = new Set([
  'Halt',
  'Transaction',
  'Integer',
  'Int64',
  'Real',
  'String8',
  'Null',
  'Blob',
  'Variable',
  'Copy',
  'SCopy',
  'Function',
  'PureFunc',
  'Cast',
  'Close',
  'Noop',
]);

function givesOneRow(program: readonly (readonly SqlValue[])[]): boolean {
  const steps = program.map((step) => ({
    at: Number(step[ADDRESS]),
    does: String(step[OPCODE]),
    to: Number(step[TARGET]),
  }));
  const rows = steps.filter(({ does }) => does === 'ResultRow');
  const [row] = rows;
  if (row === undefined || rows.length > 1) return false;
  return steps.every(({ at, does, to }) => {
    if (INDIRECT.has(does)) return false;
    if (at <= row.at || STRAIGHT.has(does)) return true;
    // After the constants have been made, at the end, the program begins at its second step; once.
    return does === 'Goto' && to === 1 && at === steps.at(-1)?.at;
  });
}
