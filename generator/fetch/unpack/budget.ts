import { statfsSync } from 'node:fs';
import { UserError } from '../../../contracts/errors.ts';

export interface Limits {
  readonly entries: number;
  readonly bytes: number;
  /** Bytes unpacked for each byte of the archive… */
  readonly ratio: number;
  /** …beyond this many, which are always allowed. */
  readonly free: number;
}

const GiB = 2 ** 30;

/** Enough for the largest published splits (60 GB, 6 to 1), but not for archives made to fill a disk. */
export const DEFAULT_LIMITS: Limits = { entries: 200_000, bytes: 256 * GiB, ratio: 100, free: GiB };

/** How much an archive, with all nested archives, may still unpack. */
export interface Budget {
  /**
   * Deducts an archive's declared entries and bytes before anything is written. UserError if they exceed the budget.
   */
  spend(archive: string, entries: number, bytes: number): void;
}

/** The budget of an archive of a given size that is unpacked into a folder. */
export function openBudget(archiveBytes: number, folder: string, limits: Limits = DEFAULT_LIMITS): Budget {
  const most = Math.min(limits.bytes, Math.max(limits.free, limits.ratio * archiveBytes));
  let entriesLeft = limits.entries;
  let bytesLeft = most;
  return {
    spend(archive, entries, bytes) {
      entriesLeft -= entries;
      bytesLeft -= bytes;
      if (entriesLeft < 0) {
        throw new UserError('ARCHIVE_INVALID', archive, `holds more than ${limits.entries} files; refused`);
      }
      if (bytesLeft < 0) {
        const size = `${bytes} bytes from an archive of ${archiveBytes}`;
        throw new UserError(
          'ARCHIVE_INVALID',
          archive,
          `would unpack to ${size}; refused as a likely zip bomb`,
        );
      }
      const disk = statfsSync(folder);
      const room = disk.bavail * disk.bsize;
      if (bytes > room) {
        throw new UserError(
          'OUTPUT_FAILED',
          archive,
          `needs ${bytes} bytes but only ${room} are free on the disk`,
        );
      }
    },
  };
}
