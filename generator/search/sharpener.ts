import { ChildPool } from '../../services/base/sandbox/index.ts';
import { PATIENCE } from '../oracle/oracle.ts';
import type { SharpenRequest } from '../variants/make-variants.ts';
import type { Sharpen, SharpenReply } from './messages.ts';

/** The work is bounded by rows visited, not by time; even a busy machine is done long before. */
const LIMIT_MS = 1_800_000;

/** Child processes that sharpen neighbours, `size` at once; started when first needed. */
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
