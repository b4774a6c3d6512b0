import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { OnProgress } from './progress/fetch-progress.ts';

export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** The size and sha256 of a file of any size. */
export async function fileDigest(
  file: string,
  signal?: AbortSignal,
  onProgress?: OnProgress,
): Promise<FileDigest> {
  const total = statSync(file).size;
  const hash = createHash('sha256');
  let done = 0;
  for await (const chunk of createReadStream(file, {
    highWaterMark: 1 << 20,
    ...(signal ? { signal } : {}),
  })) {
    hash.update(chunk as Buffer);
    done += (chunk as Buffer).length;
    onProgress?.({ stage: 'checksum', done, total, label: basename(file) });
  }
  return { bytes: total, sha256: hash.digest('hex') };
}
