import { availableParallelism } from 'node:os';
import pMap from 'p-map';
import { formulationsOf } from '../../contracts/formulations/registry.ts';
import type { HiddenShare } from '../../contracts/share.ts';
import type { Split } from '../../contracts/split.ts';
import type { DomainResult } from '../emit/emit-farm.ts';
import type { OnBug } from '../lower/isolate-bugs.ts';
import { Oracle } from '../oracle/oracle.ts';
import { Sharpener } from '../search/sharpener.ts';
import { proveDomain } from './prove-domain.ts';

export interface ProveSplitOptions {
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
  /** How long one query may run. */
  readonly timeoutMs: number;
  /** Child processes; one a core unless given. */
  readonly jobs?: number;
  /** Whether parameters of endpoints stand in the path where they can. */
  readonly pathParameters?: boolean;
  /** The shares of the tables that are hidden from the tools of `hybrid`; without them there is no such formulation. */
  readonly hidden?: readonly HiddenShare[] | undefined;
  /** A folder for temporary files, on the disk of the output. */
  readonly scratch: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ProveProgress) => void;
  /** Called for each query that was stopped after `timeoutMs`. */
  readonly onTimeout?: () => void;
  /** Called for each bug of rookery that costs a question; without it, the first bug ends the run. */
  readonly onBug?: OnBug;
}

/** Progress in verdicts; there is one for each question and formulation that it is put in. */
export interface ProveProgress {
  readonly stage: 'prove';
  readonly done: number;
  readonly total: number;
  readonly label: string;
}

/** Lowers and proves all questions of a split, a few domains at a time; domains in the order of the split. */
export async function proveSplit(split: Split, options: ProveSplitOptions): Promise<DomainResult[]> {
  const { referenceTime, timeoutMs, scratch, signal, onProgress, onTimeout, onBug } = options;
  const jobs = options.jobs ?? availableParallelism();
  const total = split.questions.reduce((sum, question) => sum + formulationsOf(question).length, 0);
  let done = 0;
  const oracle = new Oracle({
    referenceTime,
    children: jobs,
    limitMs: timeoutMs,
    ...(onTimeout ? { onTimeout } : {}),
  });
  const sharpener = new Sharpener(jobs);
  // A running query would delay an interrupted run.
  const stop = () => void Promise.all([oracle.close(), sharpener.close()]);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await pMap(
      split.domains,
      (domain) =>
        proveDomain(
          domain,
          split.questions.filter((question) => question.db_id === domain.db),
          {
            split: split.name,
            dataLicence: split.data_licence,
            referenceTime,
            timeoutMs,
            pathParameters: options.pathParameters ?? false,
            hidden: options.hidden,
            jobs,
            oracle,
            sharpen: sharpener.sharpen,
            scratch,
            ...(signal ? { signal } : {}),
            ...(onBug ? { onBug } : {}),
            onVerdict: () => onProgress?.({ stage: 'prove', done: ++done, total, label: domain.db }),
          },
        ),
      { concurrency: jobs },
    );
  } finally {
    signal?.removeEventListener('abort', stop);
    await Promise.all([oracle.close(), sharpener.close()]);
  }
}
