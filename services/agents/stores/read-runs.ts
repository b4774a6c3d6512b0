import type { RunReader } from '../runs/run-store.ts';
import { JoinedRuns, runsFilesOf } from '../siblings/joined-runs.ts';
import { isDatabaseAddress } from './runs-place.ts';

/** Opens the runs at a place for reading: those in a database, or in the files of all processes. Rejects with OPTION_INVALID. */
export async function readRuns(place: string): Promise<RunReader> {
  if (isDatabaseAddress(place)) {
    const { PostgresRuns } = await import('./postgres-runs.ts');
    return PostgresRuns.open(place, 'read');
  }
  const files = runsFilesOf(place);
  return new JoinedRuns(files.length > 0 ? files : [place]);
}
