import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a test run a folder for the farms that its files share, and removes it at the end. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-farms-'));
  process.env.ROOKERY_TEST_FARMS = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
