import { existsSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { RunPlace } from '../../../contracts/api.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import {
  type CallRecord,
  isDatabaseAddress,
  MOST_PROCESSES,
  type OpenRuns,
  openDatabase,
  type RunDatabase,
  type RunFilter,
  type RunReader,
  type RunRecord,
  type RunStore,
  type RunsUse,
  type RunUsage,
  type StoreLog,
} from './run-store.ts';
import { SqliteRuns } from './sqlite-runs.ts';
import { runsFileOfProcess } from './workers.ts';

/**
 * A server's two stores as one: a file or a database for lasting runs, and memory for those that end with the process.
 * A run's id shows which store has it.
 */
export class RunStores implements RunReader {
  readonly kept: RunStore;
  readonly memory = SqliteRuns.inMemory();
  /** Whether memory has ever held a run; on most servers it never does. */
  #usesMemory = false;

  constructor(kept: RunStore) {
    this.kept = kept;
  }

  of(runId: string): RunStore {
    return this.#usesMemory && this.memory.has(runId) ? this.memory : this.kept;
  }

  addRuns(runs: readonly RunRecord[], place: RunPlace): Promise<void> {
    if (place === 'file') return this.kept.addRuns(runs);
    this.#usesMemory = true;
    return this.memory.addRuns(runs);
  }

  run(runId: string) {
    return this.of(runId).run(runId);
  }

  async *runs(filter: RunFilter = {}): AsyncIterableIterator<RunRecord> {
    yield* this.kept.runs(filter);
    yield* this.memory.runs(filter);
  }

  calls(runId: string) {
    return this.of(runId).calls(runId);
  }

  usage(runId: string) {
    return this.of(runId).usage(runId);
  }

  async open(now: number): Promise<OpenRuns> {
    const [kept, memory] = [await this.kept.open(now), this.memory.open(now)];
    return { open: kept.open + memory.open, stuck: kept.stuck + memory.stuck };
  }

  async close(): Promise<void> {
    this.memory.close();
    await this.kept.close();
  }
}

export interface OpenRunsOptions {
  readonly databases?: readonly RunDatabase[] | undefined;
  /** The number of this process among those that share the farm's runs. */
  readonly process?: number;
  /** Default: `serve`. */
  readonly use?: Exclude<RunsUse, 'read'>;
  readonly log?: StoreLog;
}

/**
 * Opens a process's store for writing: in the database at an address, which other processes may share, or else in a
 * SQLite file of its own. Rejects with OPTION_INVALID.
 */
export async function openRuns(
  place: string,
  { databases = [], process = 0, use = 'serve', log }: OpenRunsOptions = {},
): Promise<RunStore> {
  return isDatabaseAddress(place)
    ? openDatabase(place, databases, use, log)
    : SqliteRuns.open(runsFileOfProcess(place, process));
}

/** Opens runs for reading: a database, or the files of all processes. Rejects with OPTION_INVALID. */
export async function readRuns(place: string, databases: readonly RunDatabase[] = []): Promise<RunReader> {
  if (isDatabaseAddress(place)) return openDatabase(place, databases, 'read');
  const files = runsFilesOf(place);
  return new JoinedRuns(files.length > 0 ? files : [place]);
}

/** The run files of all processes of a server, given the first one's. */
export function runsFilesOf(file: string): string[] {
  const all = Array.from({ length: MOST_PROCESSES }, (_, process) => runsFileOfProcess(file, process));
  return all.filter((each) => existsSync(each));
}

/** The runs of several files as one store, for reading. */
export class JoinedRuns implements RunReader {
  readonly #stores: readonly SqliteRuns[];

  /** Throws OPTION_INVALID. */
  constructor(files: readonly string[]) {
    this.#stores = files.map((file) => SqliteRuns.read(file));
  }

  /** In the order in which they began. */
  *runs(filter: RunFilter = {}): IterableIterator<RunRecord> {
    const waiting = this.#stores.map((store) => {
      const runs = store.runs(filter);
      return { runs, next: runs.next() };
    });
    for (;;) {
      const [first] = waiting
        .filter(({ next }) => !next.done)
        .sort((a, b) => a.next.value.created_at - b.next.value.created_at);
      if (!first) return;
      yield first.next.value;
      first.next = first.runs.next();
    }
  }

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

export const DEFAULT_PRUNE_LIMITS = {
  /** Runs idle for longer are dropped. */
  maxAgeDays: 90,
  /** Beyond this, the oldest are dropped; those of the last hour stay. */
  maxBytes: 4 * 1024 ** 3,
};
export type PruneLimits = Readonly<typeof DEFAULT_PRUNE_LIMITS>;

/** Beyond this, runs in memory that were idle for ten minutes are dropped, the oldest first. */
const MUCH_MEMORY = { before: 0, maxBytes: 512 * 1024 ** 2 };
const MEMORY_IDLE_MS = 10 * 60_000;
const MEMORY_EVERY_MS = 10_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVERY_MS = 10 * 60_000;
/** After a crash, callers are waiting, so pruning does not run at once. */
const FIRST_MS = 5000;

export async function pruneRuns(store: Pick<RunStore, 'prune'>, limits: Partial<PruneLimits>, now: number) {
  const { maxAgeDays, maxBytes } = { ...DEFAULT_PRUNE_LIMITS, ...limits };
  return store.prune({ before: now - maxAgeDays * DAY_MS, maxBytes, idleSince: now - HOUR_MS });
}

/** Drops runs in memory when there are too many. Resolves to the number dropped. */
export async function pruneMemory(store: SqliteRuns, now: number, limits = MUCH_MEMORY): Promise<number> {
  if (store.bytes() <= limits.maxBytes) return 0;
  return store.prune({ ...limits, idleSince: now - MEMORY_IDLE_MS });
}

/** Drops old runs soon after the app is ready, and periodically while it is open. */
export function pruneNowAndThen(
  app: FastifyInstance,
  { kept, memory }: RunStores,
  limits: Partial<PruneLimits>,
): void {
  // The next turn retries a failed one. The store itself logs that a database is unavailable.
  const prune = () =>
    pruneRuns(kept, limits, Date.now()).catch((error) => {
      if (!(error instanceof HttpProblem)) app.log.error(error);
    });
  const timers = [
    setTimeout(prune, FIRST_MS).unref(),
    setInterval(prune, EVERY_MS).unref(),
    setInterval(() => pruneMemory(memory, Date.now()), MEMORY_EVERY_MS).unref(),
  ];
  // Must run before the stores are closed.
  app.addHook('preClose', async () => timers.forEach(clearInterval));
}
