import { randomBytes } from 'node:crypto';

/** `r`: a run; `b`: a batch of runs. */
export type IdKind = 'r' | 'b';

const ID = /^([rb])([0-9a-f]{2})[0-9a-f]{24}$/;

/** How many processes can share the runs of a farm: their numbers are two hexadecimal digits of an id. */
export const MOST_PROCESSES = 256;

/**
 * An id that nobody can guess, since whoever has it may make calls. It names the process that has the run, by its
 * number among those that share the farm's runs.
 */
export function newId(kind: IdKind, process = 0): string {
  return kind + process.toString(16).padStart(2, '0') + randomBytes(12).toString('hex');
}

/** The number of the process that has a run or batch; null for what is no id. */
export function processOf(id: string): number | null {
  const digits = ID.exec(id)?.[2];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

/** Whether a text has the form of a run's id. */
export function isRunId(text: string): boolean {
  return ID.exec(text)?.[1] === 'r';
}
