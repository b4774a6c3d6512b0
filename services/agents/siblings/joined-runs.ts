import { existsSync } from 'node:fs';
import { MOST_PROCESSES } from '../runs/run-ids.ts';
import type { CallRecord, RunRecord } from '../runs/run-records.ts';
import type { RunFilter, RunReader, RunUsage } from '../runs/run-store.ts';
import { SqliteRuns } from '../runs/sqlite-runs.ts';
import { runsFileOfProcess } from './siblings.ts';

/** The files of runs that a server's processes have written, by that of the first. */
export function runsFilesOf(file: string): string[] {
  const all = Array.from({ length: MOST_PROCESSES }, (_, process) => runsFileOfProcess(file, process));
  return all.filter((each) => existsSync(each));
}

/** The runs in several files as those of one store, for reading. */
export class JoinedRuns implements RunReader {
  readonly #stores: readonly SqliteRuns[];

  /** Throws OPTION_INVALID. */
  constructor(files: readonly string[]) {
    this.#stores = files.map((file) => SqliteRuns.read(file));
  }

  /** In the order in which they were begun. */
  *runs(filter: RunFilter = {}): IterableIterator<RunRecord> {
    const waiting = this.#stores.map((store) => {
      const runs = store.runs(filter);
      return { runs, next: runs.next() };
    });
    for (;;) {
      const first = waiting
        .filter(({ next }) => !next.done)
        .reduce<(typeof waiting)[number] | undefined>(
          (least, each) =>
            !least || each.next.value.created_at < least.next.value.created_at ? each : least,
          undefined,
        );
      if (!first) return;
      yield first.next.value;
      first.next = first.runs.next();
    }
  }

  /** In the order in which they came. */
  calls(runId: string): CallRecord[] {
    return this.#storeOf(runId)?.calls(runId) ?? [];
  }

  run(runId: string): RunRecord | undefined {
    return this.#storeOf(runId)?.run(runId);
  }

  usage(runId: string): RunUsage {
    return this.#storeOf(runId)?.usage(runId) ?? { calls: 0, bytes: 0 };
  }

  close(): void {
    for (const store of this.#stores) store.close();
  }

  #storeOf(runId: string): SqliteRuns | undefined {
    return this.#stores.find((store) => store.has(runId));
  }
}
