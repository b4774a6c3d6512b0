import type { FastifyInstance } from 'fastify';
import { HttpProblem } from '../../base/http/problem.ts';
import type { RunStore } from './run-store.ts';
import type { RunStores } from './run-stores.ts';
import type { SqliteRuns } from './sqlite-runs.ts';

export interface PruneLimits {
  /** Runs that were last heard of longer ago are dropped. */
  readonly maxAgeDays: number;
  /** When more is kept, the oldest go first; those of the last hour stay. */
  readonly maxBytes: number;
}

export const DEFAULT_PRUNE_LIMITS: PruneLimits = { maxAgeDays: 90, maxBytes: 4 * 1024 ** 3 };

/** From there on, runs in memory that were last heard of ten minutes ago make room, the oldest first. */
const MUCH_MEMORY = { before: 0, maxBytes: 512 * 1024 ** 2 };
const MEMORY_IDLE_MS = 10 * 60_000;
const MEMORY_EVERY_MS = 10_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVERY_MS = 10 * 60_000;
/** A process that was killed has callers who wait for it. */
const FIRST_MS = 5000;

/** Drops old runs. Answers how many. */
export async function pruneRuns(
  store: Pick<RunStore, 'prune'>,
  limits: Partial<PruneLimits>,
  now: number,
): Promise<number> {
  const { maxAgeDays, maxBytes } = { ...DEFAULT_PRUNE_LIMITS, ...limits };
  return store.prune({ before: now - maxAgeDays * DAY_MS, maxBytes, idleSince: now - HOUR_MS });
}

/** Drops runs in memory when there are too many. Answers how many. */
export async function pruneMemory(store: SqliteRuns, now: number, limits = MUCH_MEMORY): Promise<number> {
  if (store.bytes() <= limits.maxBytes) return 0;
  return store.prune({ ...limits, idleSince: now - MEMORY_IDLE_MS });
}

/** Drops old runs soon after the app is ready, and from time to time as long as it is open. */
export function pruneNowAndThen(
  app: FastifyInstance,
  { kept, memory }: RunStores,
  limits: Partial<PruneLimits>,
): void {
  // What could not be dropped now is dropped another time. That a database is away has been told.
  const prune = () =>
    pruneRuns(kept, limits, Date.now()).catch((error) => {
      if (!(error instanceof HttpProblem)) app.log.error(error);
    });
  const timers = [
    setTimeout(prune, FIRST_MS).unref(),
    setInterval(prune, EVERY_MS).unref(),
    setInterval(() => pruneMemory(memory, Date.now()), MEMORY_EVERY_MS).unref(),
  ];
  // Before the stores are closed.
  app.addHook('preClose', async () => timers.forEach(clearInterval));
}
