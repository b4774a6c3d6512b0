import type { RunRecord } from './run-records.ts';

/** What is kept in memory of a run in use; all of it can be read from the store again. */
export interface LiveRun {
  run: RunRecord;
  calls: number;
  bytes: number;
  inFlight: number;
  /** Numbers of calls that could not be recorded, to be given again. */
  unused: number[];
  /** The last call of a run whose answers have a limit of bytes: the next one waits for it. */
  last: Promise<unknown>;
  /** While its start is being written. */
  beginning: Promise<void> | null;
  readonly listeners: Set<() => void>;
  /** In an exam: bare handles of its start tables, and those that its calls were answered with. */
  handles: Set<string> | null;
}
