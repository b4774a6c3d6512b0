import type { RunAnswer, RunStatus } from '../../../contracts/run.ts';
import type { CallRecord, RunRecord } from './run-records.ts';

/** Which runs are meant; all of them when nothing is given. */
export interface RunFilter {
  readonly run?: string;
  readonly batch?: string;
  readonly agent?: string;
}

/** When a run started, and with which tools. */
export interface RunStart extends Pick<RunRecord, 'tools'> {
  readonly at: number;
  readonly checksum: string;
}

/** How a run ended. */
export interface RunEnd {
  readonly at: number;
  readonly status: Exclude<RunStatus, 'open'>;
  readonly reason: string | null;
  readonly answer: RunAnswer | null;
}

/** What a run has used so far: the number of its last call, and the bytes of all answers. */
export interface RunUsage {
  readonly calls: number;
  readonly bytes: number;
}

/** How many runs are open. */
export interface OpenRuns {
  readonly open: number;
  /** Of them those that began and were last heard of between `STUCK_AFTER_MS` and `STUCK_UNTIL_MS` ago. */
  readonly stuck: number;
}

/** Nothing is heard of an agent that goes on for so long. */
export const STUCK_AFTER_MS = 15 * 60_000;
/** From then on a run has been given up. */
export const STUCK_UNTIL_MS = 24 * 3_600_000;

/** Which runs may go. */
export interface PruneBounds {
  /** Runs that were last heard of before. */
  readonly before: number;
  /** When more is kept, the oldest go first, and at most some hundreds more than need be. */
  readonly maxBytes: number;
  /** For want of room, only such as were last heard of before. */
  readonly idleSince: number;
}

/** At once where the store is in this process, later where it is elsewhere. */
type Awaitable<T> = T | Promise<T>;

/** Runs and their calls, for reading. A run whose seconds are over is read as over, whether or not anybody has noticed since. */
export interface RunReader {
  run(runId: string): Awaitable<RunRecord | undefined>;
  /** In the order in which they were begun. */
  runs(filter?: RunFilter): Iterable<RunRecord> | AsyncIterable<RunRecord>;
  /** In the order in which they came. */
  calls(runId: string): Awaitable<readonly CallRecord[]>;
  usage(runId: string): Awaitable<RunUsage>;
  close(): Awaitable<void>;
}

/**
 * Where a server keeps its runs. What is written resolves when it is written for good, together with all that waits at that
 * moment; it rejects with STORAGE_FULL where there is no room.
 */
export interface RunStore extends RunReader {
  /**
   * Whether other processes may write the same runs at the same time. Then what is known of a run may be out of date, and a
   * write that comes too late is refused, not carried out.
   */
  readonly isShared: boolean;
  /** All of them or none. */
  addRuns(runs: readonly RunRecord[]): Promise<void>;
  /** Answers whether the run had not started until now. */
  start(runId: string, start: RunStart): Promise<boolean>;
  /** Answers whether the run was open until now. */
  end(runId: string, end: RunEnd): Promise<boolean>;
  /**
   * Answers whether the call is recorded. It is not where another process has given its number to a call, or has ended the
   * run.
   */
  addCall(call: CallRecord): Promise<boolean>;
  /** The handles that a run's calls were answered with. */
  handles(runId: string): Awaitable<readonly string[]>;
  /** How many are open at a time, in milliseconds since 1970. */
  open(now: number): Awaitable<OpenRuns>;
  /** How much is kept, without space that is free again. */
  bytes(): Awaitable<number>;
  /** Drops runs that are too old, then as many of the oldest as there are too many bytes. Answers how many runs. */
  prune(bounds: PruneBounds): Awaitable<number>;
  /** Throws STORAGE_FULL from when something was refused for want of room until there is some. */
  requireRoom(): void;
}
