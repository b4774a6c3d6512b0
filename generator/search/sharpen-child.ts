import { chmodSync, constants, copyFileSync, rmSync } from 'node:fs';
import { serveChild } from '../../services/base/sqlite/child-pool.ts';
import type { SharpenRequest } from '../variants/neighbours.ts';
import { Draft } from './scratch-database.ts';
import { sharpen } from './sharpen.ts';
import type { SharpenReply } from './sharpener.ts';

// SQLite's 'localtime' uses the process's time zone; UTC gives the same answer on every machine.
process.env.TZ = 'UTC';

serveChild<SharpenRequest, SharpenReply>(({ file, scratch, catalog, seed, queries, plans }) => {
  copyFileSync(file, scratch, constants.COPYFILE_FICLONE);
  chmodSync(scratch, 0o600);
  const draft = new Draft(scratch, catalog);
  try {
    return sharpen(draft, queries, plans, { catalog, seed });
  } finally {
    draft.close();
    rmSync(scratch, { force: true });
  }
});
