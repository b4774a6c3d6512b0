import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'undici';
import type { OnProgress } from '../progress/fetch-progress.ts';
import type { PartFile } from './part-file.ts';
import { TransientError } from './transient-error.ts';

/** Appends the body of a 206, or replaces the file with that of a 200. TransientError when the body ends too early. */
export async function saveBody(
  response: Response,
  part: PartFile,
  signal: AbortSignal | undefined,
  onProgress: OnProgress | undefined,
): Promise<void> {
  if (response.status === 200) {
    part.restart({
      etag: response.headers.get('etag'),
      last_modified: response.headers.get('last-modified'),
      total: numberOrNull(response.headers.get('content-length')),
    });
  }
  if (response.body === null) throw new TransientError('the server sent nothing');

  const { total } = part.state;
  const label = part.state.url;
  let done = part.size;
  onProgress?.({ stage: 'download', done, total, label });
  const file = createWriteStream(part.file, { flags: 'a' });
  const closing = new Promise<void>((resolve) => file.once('close', () => resolve()));
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      done += chunk.length;
      onProgress?.({ stage: 'download', done, total, label });
      callback(null, chunk);
    },
  });
  try {
    await pipeline(Readable.fromWeb(response.body), counted, file, signal ? { signal } : {});
  } catch (error) {
    await closing; // the last write must be finished before the next attempt starts
    if (isOfDisk(error)) throw error;
    throw new TransientError('the connection broke', { cause: error });
  }
  if (total !== null && part.size !== total) {
    throw new TransientError(`the server sent ${part.size} of ${total} bytes`);
  }
  part.finish();
}

/** Disk errors are final; network errors may not happen again. */
function isOfDisk(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(ENOSPC|EDQUOT|EIO|EFBIG|EACCES|EROFS|ENOENT)$/.test(String(error.code))
  );
}

function numberOrNull(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
