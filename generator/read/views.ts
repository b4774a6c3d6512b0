import { ChildPool, TimeoutError } from '../../services/base/sqlite/child-pool.ts';
import { PATIENCE, STATEMENT_MEGABYTES } from '../oracle/oracle.ts';
import type { ListedTable, TableStatistics } from './catalog.ts';

export interface ViewRequest {
  readonly file: string;
  readonly view: ListedTable;
}

/** Statistics by view, without views that fail or exceed the limit. Runs in a child process, which can be stopped. */
export async function readViews(
  file: string,
  views: readonly ListedTable[],
  limitMs: number,
): Promise<ReadonlyMap<string, TableStatistics>> {
  const read = new Map<string, TableStatistics>();
  if (views.length === 0) return read;
  const module = new URL('./views-child.ts', import.meta.url);
  const pool = new ChildPool<ViewRequest, TableStatistics | null>({
    module,
    size: 1,
    memoryMegabytes: STATEMENT_MEGABYTES,
    patience: PATIENCE,
  });
  try {
    for (const view of views) {
      const statistics = await pool.run({ file, view }, limitMs).catch((error) => {
        if (error instanceof TimeoutError) return null;
        throw error;
      });
      if (statistics) read.set(view.name, statistics);
    }
    return read;
  } finally {
    await pool.close();
  }
}
