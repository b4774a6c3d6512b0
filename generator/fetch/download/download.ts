import pRetry from 'p-retry';
import { UserError } from '../../../contracts/errors.ts';
import type { OnProgress } from '../progress/fetch-progress.ts';
import { openPartFile, type PartFile } from './part-file.ts';
import { request } from './request.ts';
import { saveBody } from './save-body.ts';
import { TransientError } from './transient-error.ts';

export interface DownloadOptions {
  readonly url: string;
  /** Holds the bytes received so far, so that a later download can resume. The caller removes it at the end. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Milliseconds before the first new attempt; doubled each time. */
  readonly retryDelay?: number | undefined;
}

export interface Downloaded {
  readonly file: string;
  readonly bytes: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
}

const RETRIES = 5;

/**
 * Downloads a file, resuming an earlier attempt if the server still has the same file. Broken connections and
 * overloaded servers are tried again; UserError FETCH_FAILED when that does not help.
 */
export async function download(options: DownloadOptions): Promise<Downloaded> {
  const part = openPartFile(options.folder, options.url);
  try {
    if (!part.complete) await downloadRest(part, options);
    const { etag, last_modified } = part.state;
    return { file: part.file, bytes: part.size, etag, last_modified };
  } finally {
    part.close();
  }
}

async function downloadRest(part: PartFile, options: DownloadOptions): Promise<void> {
  const { url, signal, onProgress, retryDelay = 1_000 } = options;
  let before = part.size;
  const attempt = async () => {
    before = part.size;
    await saveBody(await request(url, part, signal), part, signal, onProgress);
  };
  try {
    await pRetry(attempt, {
      retries: RETRIES,
      minTimeout: retryDelay,
      shouldRetry: ({ error }) => error instanceof TransientError,
      // A slow download is not given up while it makes progress.
      shouldConsumeRetry: () => part.size <= before,
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw stopped(url, part);
    if (!(error instanceof TransientError)) throw error;
    const fix = 'run the same command again to go on, or give the file with --from';
    throw new UserError('FETCH_FAILED', url, `${error.message}; ${fix}`, { cause: error });
  }
}

function stopped(url: string, part: PartFile): UserError {
  return new UserError(
    'INTERRUPTED',
    url,
    `download stopped after ${part.size} bytes; run the same command again to go on`,
  );
}
