import { HttpProblem } from '../../base/http/problem.ts';
import type { RunStores } from './run-stores.ts';

/** Throws NOT_READY where runs can be read no more, or nothing more recorded. */
export async function requireStore({ kept }: RunStores): Promise<void> {
  try {
    await kept.run('');
    kept.requireRoom();
  } catch (cause) {
    const detail =
      cause instanceof HttpProblem ? 'The disk on which runs are kept is full' : 'The runs cannot be read';
    throw new HttpProblem('NOT_READY', detail, { headers: { 'retry-after': '5' }, cause });
  }
}
