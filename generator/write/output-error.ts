import { UserError } from '../../contracts/errors.ts';

/** Runs one step on the output; file system errors become OUTPUT_FAILED. */
export async function outputStep<T>(out: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof UserError || !/^E[A-Z]/.test(code)) throw error;
    throw failed(out, error, code);
  }
}

/** Turns a full disk into OUTPUT_FAILED; returns any other error unchanged. */
export function toOutputError(out: string, error: unknown): unknown {
  const code = errorCode(error);
  return code in NO_SPACE ? failed(out, error, code) : error;
}

const NO_SPACE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  SQLITE_FULL: 'the disk is full',
};

const REASONS: Readonly<Record<string, string>> = {
  ...NO_SPACE,
  EACCES: 'no permission to write there',
  EPERM: 'no permission to write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is a file',
  EBUSY: 'the folder is a mount point or in use; give a folder inside it',
};

function failed(out: string, error: unknown, code: string): UserError {
  const message = error instanceof Error ? error.message : String(error);
  const reason = REASONS[code] ?? message;
  const fix = code in NO_SPACE ? 'free some space or give another --out; ' : '';
  return new UserError(
    'OUTPUT_FAILED',
    out,
    `${reason} (${code}); ${fix}what was there before is unchanged`,
    {
      cause: error,
    },
  );
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
