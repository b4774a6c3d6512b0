import { rmSync } from 'node:fs';
import { ChildCrashedError, ChildPool } from '../../services/base/sqlite/child-pool.ts';
import { PATIENCE, STATEMENT_MEGABYTES } from '../oracle/oracle.ts';
import type { Change } from './changes.ts';
import type { KillRequest } from './neighbours.ts';

/** The work is bounded by rows visited; this stops only a process that hangs. */
const LIMIT_MS = 1_800_000;

/** Starts up to `size` child processes, when first needed. */
export class MutantKiller {
  readonly #pool: ChildPool<KillRequest, KillReply>;

  constructor(size: number, memoryMegabytes = STATEMENT_MEGABYTES) {
    const module = new URL('./kill-mutants-child.ts', import.meta.url);
    this.#pool = new ChildPool({ module, size, memoryMegabytes, patience: PATIENCE });
  }

  /** No changes when a mutant's answer takes too much memory. */
  readonly killMutants: KillMutants = async (request) => {
    try {
      return await this.#pool.run(request, LIMIT_MS);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      rmSync(request.scratch, { force: true });
      return [];
    }
  };

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Whether SQLite or Node.js ran out of memory, or a text is longer than JavaScript allows. */
function isOutOfMemory(error: unknown): boolean {
  if (error instanceof ChildCrashedError) return error.outOfMemory;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'SQLITE_NOMEM' || code === 'ERR_STRING_TOO_LONG';
}

/** Changes to add to the last plan. */
export type KillReply = readonly Change[];

/** Finds changes by which the last of some neighbours kills more mutants. */
export type KillMutants = (request: KillRequest) => Promise<KillReply>;
