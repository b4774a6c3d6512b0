import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** Mounts a 4 MB file system on a folder until the test is over; null where that is not permitted. */
export function mountSmallDisk(folder: string): string | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  onTestFinished(() => {
    execFileSync('umount', [folder]);
  });
  return folder;
}
