import { availableParallelism } from 'node:os';
import pMap from 'p-map';
import { UserError } from '../../contracts/errors.ts';
import type { Sample } from '../../contracts/sample.ts';
import { ChildPool, TimeoutError } from '../../services/base/sandbox/index.ts';
import { Oracle, PATIENCE } from '../oracle/oracle.ts';
import { Sharpener } from '../search/sharpener.ts';
import type { AlterReply, AlterRequest } from './alter/messages.ts';
import { proveWorldDomain, type WorldDomain } from './prove-world-domain.ts';
import type { Origin } from './read-origin.ts';
import { makeTellingData } from './telling-data.ts';

export interface ProveWorldOptions {
  readonly seed: string;
  /** How long one query may run. */
  readonly timeoutMs: number;
  /** Child processes; one a core unless given. */
  readonly jobs?: number;
  /** A folder for the world's databases, on the disk of the output. */
  readonly scratch: string;
  /** Whether silent faults are proven anew; without, samples have none. Default true. */
  readonly silentFaults?: boolean;
  /**
   * `plausible` data, the default, are as hard as the farm's. The others tell wrong calls from right ones: `near` by rows
   * that nearly meet the questions' conditions, `sharpened` by changes at which wrong versions of the gold SQL showed.
   */
  readonly data?: 'plausible' | 'near' | 'sharpened';
  /** The samples to prove; all of them by default. The data are the same in any case. */
  readonly choose?: (sample: Sample) => boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: WorldProgress) => void;
}

/** Progress in samples. */
export interface WorldProgress {
  readonly stage: 'world';
  readonly done: number;
  readonly total: number;
  readonly label: string;
}

/** The work is bounded by rows visited, not by time; even a busy machine is done long before. */
const ALTER_LIMIT_MS = 1_800_000;

/** Makes a world's databases and proves the farm's samples there; domains in the order of the farm. */
export async function proveWorld(origin: Origin, options: ProveWorldOptions): Promise<WorldDomain[]> {
  const { seed, timeoutMs, scratch, silentFaults = true, choose = () => true, signal, onProgress } = options;
  const jobs = options.jobs ?? availableParallelism();
  const referenceTime = origin.farm.reference_time;
  const total = origin.domains.reduce((sum, { samples }) => sum + samples.filter(choose).length, 0);
  let done = 0;
  const oracle = new Oracle({ referenceTime, children: jobs, limitMs: timeoutMs });
  const pool = new ChildPool<AlterRequest, AlterReply>({
    module: new URL('./alter/alter-child.ts', import.meta.url),
    size: jobs,
    patience: PATIENCE,
  });
  const sharpener = new Sharpener(jobs);
  const sharpen = options.data === 'sharpened' ? sharpener.sharpen : null;
  const close = () => Promise.all([oracle.close(), pool.close(), sharpener.close()]);
  const stop = () => void close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await pMap(
      origin.domains,
      (domain) =>
        proveWorldDomain(domain, {
          seed,
          growth: origin.growth.get(domain.db) ?? new Map(),
          referenceTime,
          timeoutMs,
          jobs,
          oracle,
          scratch,
          silentFaults,
          choose,
          alter: (request, queries) =>
            options.data === undefined || options.data === 'plausible'
              ? alter(pool, request)
              : makeTellingData(request, queries, { oracle, sharpen }),
          ...(signal ? { signal } : {}),
          onSample: () => onProgress?.({ stage: 'world', done: ++done, total, label: domain.db }),
        }),
      { concurrency: jobs },
    );
  } finally {
    signal?.removeEventListener('abort', stop);
    await close();
  }
}

async function alter(pool: ChildPool<AlterRequest, AlterReply>, request: AlterRequest): Promise<AlterReply> {
  try {
    return await pool.run(request, ALTER_LIMIT_MS);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    throw new UserError(
      'GENERATION_TOO_SLOW',
      request.served,
      `altering it took longer than ${ALTER_LIMIT_MS / 60_000} minutes; run again on a less busy machine`,
    );
  }
}
