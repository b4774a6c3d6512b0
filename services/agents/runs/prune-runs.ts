import type { FastifyInstance } from 'fastify';
import type { RunStore } from './run-store.ts';

export interface PruneLimits {
  /** Runs that were last heard of longer ago are dropped. */
  readonly maxAgeDays: number;
  /** When more is kept, the oldest go first; those of the last hour stay. */
  readonly maxBytes: number;
}

export const DEFAULT_PRUNE_LIMITS: PruneLimits = { maxAgeDays: 90, maxBytes: 4 * 1024 ** 3 };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVERY_MS = 10 * 60_000;

/** Drops old runs. Answers how many. */
export function pruneRuns(store: RunStore, limits: Partial<PruneLimits>, now: number): number {
  const { maxAgeDays, maxBytes } = { ...DEFAULT_PRUNE_LIMITS, ...limits };
  return store.prune({ before: now - maxAgeDays * DAY_MS, maxBytes, idleSince: now - HOUR_MS });
}

/** Drops old runs now, and from time to time as long as the app is open. */
export function pruneNowAndThen(app: FastifyInstance, store: RunStore, limits: Partial<PruneLimits>): void {
  pruneRuns(store, limits, Date.now());
  const timer = setInterval(() => pruneRuns(store, limits, Date.now()), EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
