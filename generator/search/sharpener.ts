import { ChildPool } from '../../services/base/sqlite/child-pool.ts';
import { PATIENCE } from '../oracle/oracle.ts';
import type { Change } from '../variants/changes.ts';
import type { SharpenRequest } from '../variants/neighbours.ts';

/** The work is bounded by rows visited; this only stops what hangs. */
const LIMIT_MS = 1_800_000;

/** Starts up to `size` child processes, when first needed. */
export class Sharpener {
  readonly #pool: ChildPool<SharpenRequest, SharpenReply>;

  constructor(size: number) {
    const module = new URL('./sharpen-child.ts', import.meta.url);
    this.#pool = new ChildPool({ module, size, patience: PATIENCE });
  }

  readonly sharpen: Sharpen = (request) => this.#pool.run(request, LIMIT_MS);

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Changes to add to the last plan. */
export type SharpenReply = readonly Change[];

/** Finds changes by which the last of some neighbours kills more mutants. */
export type Sharpen = (request: SharpenRequest) => Promise<SharpenReply>;
