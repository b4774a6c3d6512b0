import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OnProgress } from './progress/fetch-progress.ts';
import type { WalkedFile } from './walk-files.ts';

/** Copies files from one folder to another, which is made. */
export async function copyFiles(
  from: string,
  to: string,
  files: readonly WalkedFile[],
  signal?: AbortSignal,
  onProgress?: OnProgress,
): Promise<void> {
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  let done = 0;
  await mkdir(to, { recursive: true });
  for (const { path, bytes } of files) {
    signal?.throwIfAborted();
    onProgress?.({ stage: 'copy', done, total, label: path });
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
    done += bytes;
  }
  onProgress?.({ stage: 'copy', done, total, label: '' });
}
