import { setTimeout } from 'node:timers/promises';
import { HttpProblem } from '../../base/http/problem.ts';
import type { RunStores } from './run-stores.ts';

/** A database that says nothing for so long is as good as away. */
const ANSWER_MS = 3000;

/** Throws NOT_READY where runs can be read no more, or nothing more recorded. */
export async function requireStore({ kept }: RunStores): Promise<void> {
  const late = new AbortController();
  try {
    await Promise.race([
      kept.run(''),
      setTimeout(ANSWER_MS, undefined, { signal: late.signal, ref: false }).then(() => {
        throw new HttpProblem('NOT_READY', 'It says nothing');
      }),
    ]);
    kept.requireRoom();
  } catch (cause) {
    throw new HttpProblem('NOT_READY', reasonOf(cause), { headers: { 'retry-after': '5' }, cause });
  } finally {
    late.abort();
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof HttpProblem)) return 'The runs cannot be read';
  return cause.code === 'STORAGE_FULL'
    ? 'The disk on which runs are kept is full'
    : 'The database of runs cannot be reached';
}
