import type { FarmFiles } from './farm-file.ts';
import { outputStep, toOutputError } from './output-error.ts';
import { openPartialFolder } from './partial-folder.ts';
import { prepareTarget } from './prepare-target.ts';
import { swapIn } from './swap-in.ts';
import { throwIfAborted, unlessAborted, untilAborted } from './until-aborted.ts';
import { syncFolders, writeFarmFile } from './write-farm-file.ts';

export interface WriteOptions {
  /** Whether a folder was made by us and may be replaced; asked only of folders that are not empty. */
  readonly isOurs: (folder: string) => boolean;
  /** What such a folder is called in messages. */
  readonly what?: string;
  readonly signal?: AbortSignal;
}

/** An output folder being written: hidden beside its target (`.<name>.partial-<pid>`) until it is complete. */
export interface OutputFolder {
  /** A folder on the same disk for files that are built aside and then moved. */
  readonly scratch: string;
  /**
   * Awaits one step of producing the files. UserErrors: INTERRUPTED as soon as the signal aborts, OUTPUT_FAILED when
   * the disk is full; other errors of the step are rethrown.
   */
  during<T>(step: Promise<T>): Promise<T>;
  /** Writes and syncs the files, then replaces the old folder with them. Throws the same UserErrors. */
  write(files: FarmFiles): Promise<void>;
  /** Removes temporary folders; must be called at the end, on success and on failure. */
  close(): void;
}

/**
 * Prepares to write a folder atomically, in place of an older one of ours: until `write` is done, `out` is unchanged.
 * UserErrors: OUTPUT_NOT_A_FARM, OUTPUT_FAILED, INTERRUPTED.
 */
export async function openOutputFolder(
  out: string,
  { isOurs, what = 'a farm', signal }: WriteOptions,
): Promise<OutputFolder> {
  throwIfAborted(signal, out);
  const target = await outputStep(out, () => prepareTarget(out, isOurs, what));
  const partial = await outputStep(out, () => openPartialFolder(target));
  const guarded = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step;
    } catch (error) {
      throw toOutputError(out, error);
    }
  };
  const write = async (files: FarmFiles) => {
    const written = new Set<string>();
    for await (const file of untilAborted(files, signal, out)) {
      if (written.has(file.path)) throw new Error(`${file.path} is written twice`);
      written.add(file.path);
      await outputStep(out, () => writeFarmFile(partial.files, file));
    }
    await outputStep(out, () => syncFolders(partial.files, written));
    throwIfAborted(signal, out);
    await outputStep(out, () => swapIn(partial.files, target));
  };
  return {
    scratch: partial.scratch,
    during: (step) => guarded(unlessAborted(step, signal, out)),
    write: (files) => guarded(write(files)),
    close: () => partial.remove(),
  };
}

/**
 * Writes a folder atomically. `produce` gets a scratch folder on the same disk for files that are built aside and then
 * moved; it is removed afterwards. UserErrors: OUTPUT_NOT_A_FARM, OUTPUT_FAILED, INTERRUPTED; errors of `produce` are
 * rethrown.
 */
export async function writeFolder(
  out: string,
  produce: (scratch: string) => FarmFiles,
  options: WriteOptions,
): Promise<void> {
  const folder = await openOutputFolder(out, options);
  try {
    await folder.write(produce(folder.scratch));
  } finally {
    folder.close();
  }
}
