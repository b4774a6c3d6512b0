import { ChildPool } from '../../services/base/sqlite/child-pool.ts';
import { PATIENCE } from '../oracle/oracle.ts';
import type { Change } from './changes.ts';
import type { KillRequest } from './neighbours.ts';

/** The work is bounded by rows visited; this stops only a process that hangs. */
const LIMIT_MS = 1_800_000;

/** Starts up to `size` child processes, when first needed. */
export class MutantKiller {
  readonly #pool: ChildPool<KillRequest, KillReply>;

  constructor(size: number) {
    const module = new URL('./kill-mutants-child.ts', import.meta.url);
    this.#pool = new ChildPool({ module, size, patience: PATIENCE });
  }

  readonly killMutants: KillMutants = (request) => this.#pool.run(request, LIMIT_MS);

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Changes to add to the last plan. */
export type KillReply = readonly Change[];

/** Finds changes by which the last of some neighbours kills more mutants. */
export type KillMutants = (request: KillRequest) => Promise<KillReply>;
