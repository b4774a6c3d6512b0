import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tidyCache } from './cache.ts';

const EXTENTS: Record<string, string> = {
  test: 'Two minutes on two quiet cores; `npm run test:landing` has the slow ones too, `npm run test:all` the rest.\n',
  landing: 'Six minutes on two quiet cores; `npm run test:all` has the rest.\n',
  all: 'All tests, with containers and published splits: more than an hour on two cores.\n',
};

/**
 * Says how long the run takes, and removes what older runs left. Temporary files of all tests and of the programs that
 * they start lie in one folder, which the returned function removes.
 */
export default function setup(): () => void {
  process.stdout.write(EXTENTS[process.env.ROOKERY_TESTS ?? 'test'] ?? '');
  tidyCache();
  const scratch = mkdtempSync(join(tmpdir(), 'rookery-tests-'));
  process.env.TMPDIR = scratch;
  return () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
