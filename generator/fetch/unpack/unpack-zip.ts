import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { openPromise, type ZipFile } from 'yauzl';
import { UserError } from '../../../contracts/errors.ts';
import type { OnProgress } from '../progress/fetch-progress.ts';
import type { Budget } from './budget.ts';
import { type ListedEntry, listEntries } from './list-entries.ts';

export interface UnpackOptions {
  /** What the archive is called in messages. */
  readonly name: string;
  readonly budget: Budget;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Unpacks a zip into a new folder and answers the paths of its files. All names and declared sizes are checked
 * first; then no file may be longer than declared, and its checksum must be right. UserError ARCHIVE_INVALID.
 */
export async function unpackZip(file: string, folder: string, options: UnpackOptions): Promise<string[]> {
  const { name, budget, onProgress } = options;
  const zip = await openPromise(file, { autoClose: false, validateEntrySizes: true }).catch(damaged(name));
  try {
    const entries = await listEntries(name, zip).catch(damaged(name));
    const total = entries.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
    await mkdir(folder, { recursive: true });
    budget.spend(name, entries.length, total);
    let done = 0;
    for (const listed of entries) {
      onProgress?.({ stage: 'unpack', done, total, label: listed.path });
      await unpackEntry(zip, listed, folder, options);
      done += listed.entry.uncompressedSize;
    }
    onProgress?.({ stage: 'unpack', done, total, label: name });
    return entries.map((entry) => entry.path);
  } finally {
    zip.close();
  }
}

async function unpackEntry(
  zip: ZipFile,
  { path, entry }: ListedEntry,
  folder: string,
  { name, signal }: UnpackOptions,
): Promise<void> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  let sum = 0;
  const summed = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      sum = crc32(chunk, sum);
      callback(null, chunk);
    },
  });
  const content = await zip.openReadStreamPromise(entry).catch(damaged(name));
  await pipeline(content, summed, createWriteStream(target, { flags: 'wx', mode: 0o644 }), {
    ...(signal ? { signal } : {}),
  }).catch(damaged(name, path));
  if (sum !== entry.crc32) {
    throw new UserError('ARCHIVE_INVALID', name, `${path} has the wrong checksum; get the archive again`);
  }
}

/** The library's errors about an archive become UserErrors; disk errors and Ctrl-C are passed on unchanged. */
function damaged(name: string, path?: string): (error: unknown) => never {
  return (error) => {
    const isOurs = error instanceof UserError || (error instanceof Error && error.name === 'AbortError');
    if (isOurs || !(error instanceof Error) || 'syscall' in error) throw error;
    const where = path === undefined ? '' : `${path}: `;
    throw new UserError('ARCHIVE_INVALID', name, `${where}${error.message}; get the archive again`, {
      cause: error,
    });
  };
}
