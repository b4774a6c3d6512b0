import type { RunPlace } from '../../../contracts/run.ts';
import type { CallRecord, RunRecord } from './run-records.ts';
import type { OpenRuns, RunEnd, RunFilter, RunReader, RunStart, RunStore, RunUsage } from './run-store.ts';
import { SqliteRuns } from './sqlite-runs.ts';

/**
 * The two stores of a server, as one: one for runs that are to last, a file or a database, and memory for those that end
 * with the process. Which of them has a run is known from its id.
 */
export class RunStores implements RunReader {
  readonly kept: RunStore;
  readonly memory = SqliteRuns.inMemory();
  /** Whether the memory has ever had a run: most servers' never has. */
  #usesMemory = false;

  constructor(kept: RunStore) {
    this.kept = kept;
  }

  /** Whether other processes may write the same run. */
  isShared(runId: string): boolean {
    return this.#storeOf(runId).isShared;
  }

  /** All of them or none. Rejects with STORAGE_FULL. */
  addRuns(runs: readonly RunRecord[], place: RunPlace): Promise<void> {
    if (place === 'file') return this.kept.addRuns(runs);
    this.#usesMemory = true;
    return this.memory.addRuns(runs);
  }

  run(runId: string): RunRecord | undefined | Promise<RunRecord | undefined> {
    return this.#storeOf(runId).run(runId);
  }

  /** In the order in which they were begun; those that last first. */
  async *runs(filter: RunFilter = {}): AsyncIterableIterator<RunRecord> {
    yield* this.kept.runs(filter);
    yield* this.memory.runs(filter);
  }

  start(runId: string, start: RunStart): Promise<boolean> {
    return this.#storeOf(runId).start(runId, start);
  }

  end(runId: string, end: RunEnd): Promise<boolean> {
    return this.#storeOf(runId).end(runId, end);
  }

  addCall(call: CallRecord): Promise<boolean> {
    return this.#storeOf(call.run_id).addCall(call);
  }

  calls(runId: string): readonly CallRecord[] | Promise<readonly CallRecord[]> {
    return this.#storeOf(runId).calls(runId);
  }

  handles(runId: string): readonly string[] | Promise<readonly string[]> {
    return this.#storeOf(runId).handles(runId);
  }

  usage(runId: string): RunUsage | Promise<RunUsage> {
    return this.#storeOf(runId).usage(runId);
  }

  async open(now: number): Promise<OpenRuns> {
    const [kept, memory] = [await this.kept.open(now), this.memory.open(now)];
    return { open: kept.open + memory.open, stuck: kept.stuck + memory.stuck };
  }

  async close(): Promise<void> {
    this.memory.close();
    await this.kept.close();
  }

  #storeOf(runId: string): RunStore {
    return this.#usesMemory && this.memory.has(runId) ? this.memory : this.kept;
  }
}
