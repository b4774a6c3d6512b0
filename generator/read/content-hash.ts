import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';

/** A file that is hashed, under a name that does not depend on where the split is. */
export interface HashedFile {
  readonly label: string;
  readonly file: string;
}

/** sha256 over labels and bytes of files, in the order of their labels. */
export function contentHash(files: readonly HashedFile[]): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (const { label, file } of [...files].sort((a, b) => (a.label < b.label ? -1 : 1))) {
    // Each file has its own hash first, so that bytes cannot move from one file to the next unnoticed.
    hash.update(`${label}\n${fileHash(file, chunk)}\n`);
  }
  return hash.digest('hex');
}

/** The files of a database: itself and, from a crashed writer, the journal that completes it. */
export function databaseParts(db: string, file: string): HashedFile[] {
  return ['', '-journal', '-wal']
    .map((suffix) => ({ label: `database/${db}${suffix}`, file: file + suffix }))
    .filter((part) => existsSync(part.file));
}

/** A file that describes databases; `db` is null if it describes all of them. */
export function describingFile(db: string, file: string): HashedFile {
  return { label: `description/${db}/${basename(file)}`, file };
}

function fileHash(file: string, chunk: Buffer): string {
  const hash = createHash('sha256');
  const handle = openSync(file, 'r');
  try {
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk)) {
      hash.update(chunk.subarray(0, read));
    }
  } finally {
    closeSync(handle);
  }
  return hash.digest('hex');
}
