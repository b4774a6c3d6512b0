import type { FarmFiles } from './farm-file.ts';
import { outputStep, toOutputError } from './output-error.ts';
import { openPartialFolder } from './partial-folder.ts';
import { prepareTarget } from './prepare-target.ts';
import { swapIn } from './swap-in.ts';
import { throwIfAborted, untilAborted } from './until-aborted.ts';
import { syncFolders, writeFarmFile } from './write-farm-file.ts';

export interface WriteOptions {
  /** Whether a folder was made by us and may be replaced; asked only of folders that are not empty. */
  readonly isOurs: (folder: string) => boolean;
  /** What ours is called in messages. */
  readonly what?: string;
  readonly signal?: AbortSignal;
}

/**
 * Writes a folder whole or not at all, in place of an older one of ours. Everything is first written, and
 * synced, in a hidden folder beside it (`.<name>.partial-<pid>`), which is renamed when complete. On failure
 * or interruption `out` is as it was, and nothing is left beside it.
 *
 * `produce` gets a scratch folder on the same disk for files that are built aside and then moved; it is gone
 * afterwards. UserErrors: OUTPUT_NOT_A_FARM, OUTPUT_FAILED, INTERRUPTED; what `produce` throws comes through.
 */
export async function writeFolder(
  out: string,
  produce: (scratch: string) => FarmFiles,
  { isOurs, what = 'a farm', signal }: WriteOptions,
): Promise<void> {
  throwIfAborted(signal, out);
  const target = await outputStep(out, () => prepareTarget(out, isOurs, what));
  const partial = await outputStep(out, () => openPartialFolder(target));
  try {
    const written = new Set<string>();
    for await (const file of untilAborted(produce(partial.scratch), signal, out)) {
      if (written.has(file.path)) throw new Error(`${file.path} is written twice`);
      written.add(file.path);
      await outputStep(out, () => writeFarmFile(partial.files, file));
    }
    await outputStep(out, () => syncFolders(partial.files, written));
    throwIfAborted(signal, out);
    await outputStep(out, () => swapIn(partial.files, target));
  } catch (error) {
    throw toOutputError(out, error);
  } finally {
    partial.remove();
  }
}
