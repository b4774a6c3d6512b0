import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type UnpackOptions, unpackZip } from './unpack-zip.ts';

/** BIRD's archives contain one archive; no split has more than two levels. */
const DEEPEST = 2;

/**
 * Unpacks the archives among the files of a folder, each in its own place, and removes them:
 * `dev_databases.zip` becomes the folder `dev_databases`, whether or not its files begin with that. One that
 * lies beside the folder it would become is only removed.
 */
export async function unpackInner(
  folder: string,
  paths: readonly string[],
  options: UnpackOptions,
  depth = 1,
): Promise<void> {
  if (depth > DEEPEST) return;
  for (const path of paths.filter((one) => one.toLowerCase().endsWith('.zip'))) {
    const archive = join(folder, path);
    const stem = basename(path).slice(0, -'.zip'.length);
    const target = join(dirname(archive), stem);
    if (!existsSync(target)) {
      const inner = { ...options, name: `${options.name} › ${path}` };
      const place = `${archive}.unpacked`;
      const unpacked = await unpackZip(archive, place, inner);
      await unpackInner(place, unpacked, inner, depth + 1);
      const named = unpacked.length > 0 && unpacked.every((one) => one.startsWith(`${stem}/`));
      await rename(named ? join(place, stem) : place, target);
      await rm(place, { recursive: true, force: true });
    }
    await rm(archive);
  }
}
