import { setTimeout } from 'node:timers/promises';
import { UserError } from '../../contracts/errors.ts';
import type { FarmFile, FarmFiles } from './write-file.ts';

/** Time for an interrupted producer to stop before its folders are removed. */
const PATIENCE_MS = 2_000;

/** Yields files until the signal aborts, even while waiting for the next one; then throws INTERRUPTED. */
export async function* untilAborted(
  files: FarmFiles,
  signal: AbortSignal | undefined,
  out: string,
): AsyncGenerator<FarmFile> {
  const source = Symbol.asyncIterator in files ? files[Symbol.asyncIterator]() : files[Symbol.iterator]();
  const abort = abortOf(signal, out);
  let waiting = false;
  try {
    for (;;) {
      throwIfAborted(signal, out);
      waiting = true;
      const next = Promise.resolve(source.next());
      next.catch(() => {}); // after an abort its failure no longer matters
      const { done, value } = await Promise.race([next, abort.promise]);
      waiting = false;
      if (done) return;
      yield value;
    }
  } finally {
    abort.forget();
    const stopped = Promise.resolve(source.return?.()).catch(() => {});
    // A producer suspended at a yield cleans up now; a running one gets a moment to notice.
    await (waiting ? Promise.race([stopped, setTimeout(PATIENCE_MS, undefined, { ref: false })]) : stopped);
  }
}

/** The result of a step, or INTERRUPTED after a moment for the step to stop by itself. */
export async function unlessAborted<T>(
  step: Promise<T>,
  signal: AbortSignal | undefined,
  out: string,
): Promise<T> {
  const abort = abortOf(signal, out);
  const stopped = step.then(
    () => {},
    () => {},
  );
  try {
    throwIfAborted(signal, out);
    return await Promise.race([step, abort.promise]);
  } catch (error) {
    throwIfAborted(signal, out); // the step may have noticed first
    throw error;
  } finally {
    abort.forget();
    await Promise.race([stopped, setTimeout(PATIENCE_MS, undefined, { ref: false })]);
  }
}

/** Throws UserError INTERRUPTED if the signal has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined, out: string): void {
  if (signal?.aborted) throw interrupted(out);
}

function interrupted(out: string): UserError {
  return new UserError('INTERRUPTED', out, 'writing was stopped; what was there before is unchanged');
}

function abortOf(signal: AbortSignal | undefined, out: string) {
  let onAbort = () => {};
  const promise = new Promise<never>((_, reject) => {
    onAbort = () => reject(interrupted(out));
  });
  promise.catch(() => {}); // nothing may be awaiting it
  signal?.addEventListener('abort', onAbort, { once: true });
  return { promise, forget: () => signal?.removeEventListener('abort', onAbort) };
}
