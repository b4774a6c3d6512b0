import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../../contracts/errors.ts';
import { isAlive } from '../../write/is-alive.ts';

const partState = z.object({
  url: z.string(),
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  /** Bytes of the whole file, if the server said so. */
  total: z.number().int().nullable(),
  complete: z.boolean(),
});
export type PartState = z.infer<typeof partState>;

/** A partly downloaded file, and what is needed to resume it. */
export interface PartFile {
  readonly file: string;
  /** Bytes that are here. */
  readonly size: number;
  readonly complete: boolean;
  readonly state: PartState;
  /** The value of `If-Range`: a strong ETag, else the date; null when the download cannot be resumed. */
  readonly validator: string | null;
  /** Discards the bytes received and starts again with the server's current file. */
  restart(state: Omit<PartState, 'url' | 'complete'>): void;
  finish(): void;
  /** Releases the file for other processes. */
  close(): void;
}

/** Opens the partial file of an earlier download of the same address; UserError while another download runs. */
export function openPartFile(folder: string, url: string): PartFile {
  mkdirSync(folder, { recursive: true });
  const [file, stateFile, lock] = [join(folder, 'archive'), join(folder, 'state.json'), join(folder, 'lock')];
  takeLock(lock, url);
  let state = readState(stateFile, url);
  const save = (next: PartState) => {
    state = next;
    writeFileSync(stateFile, JSON.stringify(next));
  };
  if (state === null || !existsSync(file)) {
    writeFileSync(file, '');
    save({ url, etag: null, last_modified: null, total: null, complete: false });
  }
  const current = () => state as PartState;
  return {
    file,
    get size() {
      return statSync(file).size;
    },
    get complete() {
      return current().complete;
    },
    get state() {
      return current();
    },
    get validator() {
      const { etag, last_modified } = current();
      return etag !== null && !etag.startsWith('W/') ? etag : last_modified;
    },
    restart: (next) => {
      truncateSync(file, 0);
      save({ url, ...next, complete: false });
    },
    finish: () => save({ ...current(), complete: true }),
    close: () => rmSync(lock, { force: true }),
  };
}

function readState(file: string, url: string): PartState | null {
  try {
    const state = partState.parse(JSON.parse(readFileSync(file, 'utf8')));
    return state.url === url ? state : null;
  } catch {
    return null; // missing, or cut short by a crash
  }
}

function takeLock(lock: string, url: string): void {
  for (;;) {
    try {
      const handle = openSync(lock, 'wx');
      writeFileSync(handle, String(process.pid));
      closeSync(handle);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const pid = Number(readFileSync(lock, 'utf8'));
    if (pid > 0 && pid !== process.pid && isAlive(pid)) {
      throw new UserError(
        'FETCH_FAILED',
        url,
        `is being downloaded by process ${pid}; wait for it, or stop it`,
      );
    }
    rmSync(lock, { force: true });
  }
}
