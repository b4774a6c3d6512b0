import type { RunPlace } from '../../../contracts/run.ts';
import type { CallRecord, RunRecord } from './run-records.ts';
import { type RunEnd, type RunFilter, type RunStart, RunStore } from './run-store.ts';

/**
 * The two stores of a server, as one: a file for runs that are to last, and memory for those that end with the process.
 * Which of them has a run is known from its id.
 */
export class RunStores {
  readonly file: RunStore;
  readonly memory = RunStore.inMemory();

  constructor(file: RunStore) {
    this.file = file;
  }

  /** All of them or none. Throws STORAGE_FULL. */
  addRuns(runs: readonly RunRecord[], place: RunPlace): void {
    this[place].addRuns(runs);
  }

  run(runId: string): RunRecord | undefined {
    return this.#storeOf(runId).run(runId);
  }

  /** In the order in which they were begun; those of the file first. */
  *runs(filter: RunFilter = {}): IterableIterator<RunRecord> {
    yield* this.file.runs(filter);
    yield* this.memory.runs(filter);
  }

  /** Throws STORAGE_FULL. */
  start(runId: string, start: RunStart): void {
    this.#storeOf(runId).start(runId, start);
  }

  /** Answers whether the run was open until now. Throws STORAGE_FULL. */
  end(runId: string, end: RunEnd): boolean {
    return this.#storeOf(runId).end(runId, end);
  }

  /** Resolves when the call is written. Rejects with STORAGE_FULL. */
  addCall(call: CallRecord): Promise<void> {
    return this.#storeOf(call.run_id).addCall(call);
  }

  /** In the order in which they came. */
  calls(runId: string): CallRecord[] {
    return this.#storeOf(runId).calls(runId);
  }

  /** The handles that a run's calls were answered with. */
  handles(runId: string): string[] {
    return this.#storeOf(runId).handles(runId);
  }

  /** What a run has used so far: the number of its last call, and the bytes of all answers. */
  usage(runId: string): { calls: number; bytes: number } {
    return this.#storeOf(runId).usage(runId);
  }

  close(): void {
    this.file.close();
    this.memory.close();
  }

  #storeOf(runId: string): RunStore {
    return this.memory.has(runId) ? this.memory : this.file;
  }
}
