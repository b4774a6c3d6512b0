import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { asidePath } from './leftovers.ts';

export interface PartialFolder {
  /** Becomes the output folder when complete. */
  readonly files: string;
  /** For files that are built aside and then moved. */
  readonly scratch: string;
  /** Removes what is left of it. */
  remove(): void;
}

/** A new hidden folder beside the target, on the same disk so that it can be renamed. */
export function openPartialFolder(target: string): PartialFolder {
  const folder = asidePath(target, 'partial');
  const [files, scratch] = [join(folder, 'files'), join(folder, 'scratch')];
  mkdirSync(folder); // fails when this process already writes to the same place
  mkdirSync(files);
  mkdirSync(scratch);
  return {
    files,
    scratch,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
