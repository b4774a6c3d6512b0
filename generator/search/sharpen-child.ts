import { chmodSync, constants, copyFileSync, rmSync } from 'node:fs';
import { serveChild } from '../../services/base/sandbox/index.ts';
import type { SharpenRequest } from '../variants/make-variants.ts';
import { Draft } from './draft.ts';
import type { SharpenReply } from './messages.ts';
import { sharpen } from './sharpen.ts';

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
