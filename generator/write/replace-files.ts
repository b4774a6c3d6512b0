import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FarmFile } from './farm-file.ts';
import { toOutputError } from './output-error.ts';
import { writeFarmFile } from './write-farm-file.ts';

/** Writes files into a folder, each atomically in place of an older one; other files stay. Throws OUTPUT_FAILED. */
export async function replaceFiles(folder: string, files: Iterable<FarmFile>): Promise<void> {
  for (const file of files) {
    const aside = `${file.path}.${randomUUID()}`;
    try {
      await writeFarmFile(folder, { ...file, path: aside });
      await rename(join(folder, aside), join(folder, file.path));
    } catch (error) {
      await rm(join(folder, aside), { force: true });
      throw toOutputError(join(folder, file.path), error);
    }
  }
}
