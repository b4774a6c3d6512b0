import { join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import type { Layout } from '../read/layouts/layout.ts';
import { copyFiles } from './copy-files.ts';
import { type FileDigest, fileDigest } from './file-digest.ts';
import { findSplitFolder } from './find-split-folder.ts';
import type { OnProgress } from './progress/fetch-progress.ts';
import { type Limits, openBudget } from './unpack/budget.ts';
import { unpackInner } from './unpack/unpack-inner.ts';
import { unpackZip } from './unpack/unpack-zip.ts';
import { walkFiles } from './walk-files.ts';

/** What a split is made from. */
export interface Material {
  readonly kind: 'archive' | 'folder';
  readonly path: string;
  /** What it is called in messages and in the record. */
  readonly source: string;
}

export interface UnpackMaterialOptions {
  readonly layout: Layout;
  readonly limits?: Limits | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Copies the files of a split into a scratch folder and unpacks every archive among them. Returns the split's folder
 * and the digest of its archive. UserError when there is no split in it.
 */
export async function unpackMaterial(
  material: Material,
  scratch: string,
  options: UnpackMaterialOptions,
): Promise<{ folder: string; digest: FileDigest | null }> {
  const { layout, signal, onProgress } = options;
  const unpacked = join(scratch, 'unpacked');
  const unpackOptions = (packedBytes: number) => ({
    name: material.source,
    budget: openBudget(packedBytes, scratch, options.limits),
    signal,
    onProgress,
  });
  let digest: FileDigest | null = null;
  if (material.kind === 'archive') {
    digest = await fileDigest(material.path, signal, onProgress);
    const toUnpack = unpackOptions(digest.bytes);
    await unpackInner(unpacked, await unpackZip(material.path, unpacked, toUnpack), toUnpack);
  } else {
    const inside = requireSplit(material.path, layout, material.source);
    const files = walkFiles(inside);
    await copyFiles(inside, unpacked, files, signal, onProgress);
    const toUnpack = unpackOptions(files.reduce((sum, file) => sum + file.bytes, 0));
    await unpackInner(
      unpacked,
      files.map((file) => file.path),
      toUnpack,
    );
  }
  return { folder: requireSplit(unpacked, layout, material.source), digest };
}

function requireSplit(folder: string, layout: Layout, source: string): string {
  const found = findSplitFolder(folder, layout);
  if (found !== null) return found;
  throw new UserError('SPLIT_FORMAT_UNKNOWN', source, `holds no split; looked for ${layout.looksFor}`);
}
