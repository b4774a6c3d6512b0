import type { RunStore } from '../runs/run-store.ts';
import { SqliteRuns } from '../runs/sqlite-runs.ts';
import { runsFileOfProcess } from '../siblings/siblings.ts';
import type { RunsUse, StoreLog } from './postgres-presence.ts';
import { isDatabaseAddress } from './runs-place.ts';

export interface OpenRunsOptions {
  /** The number of this process among those that share the farm's runs. */
  readonly process?: number;
  /** Default: those of a server. */
  readonly use?: Exclude<RunsUse, 'read'>;
  /** Told when a database goes, and when it is back. */
  readonly log?: StoreLog;
}

/**
 * Opens the store of a process for writing: one in the database at an address, which others may share, or else a SQLite
 * file of its own. Rejects with OPTION_INVALID.
 */
export async function openRuns(
  place: string,
  { process = 0, use = 'serve', log }: OpenRunsOptions = {},
): Promise<RunStore> {
  if (!isDatabaseAddress(place)) return SqliteRuns.open(runsFileOfProcess(place, process));
  // Loaded where it is used: most servers keep their runs in a file.
  const { PostgresRuns } = await import('./postgres-runs.ts');
  return PostgresRuns.open(place, use, log);
}
