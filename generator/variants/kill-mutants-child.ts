import { serveChild } from '../../services/base/sqlite/child-pool.ts';
import { killMutants } from './kill-mutants.ts';
import type { KillReply, KillRequest } from './neighbours.ts';
import { ScratchDatabase } from './scratch-database.ts';

// SQLite's 'localtime' uses the process's time zone; UTC gives the same answer on every machine.
process.env.TZ = 'UTC';

serveChild<KillRequest, KillReply>(({ file, scratch, catalog, seed, queries, plans }) =>
  ScratchDatabase.on(file, scratch, catalog, (copy) => killMutants(copy, queries, plans, { catalog, seed })),
);
