import { availableParallelism } from 'node:os';
import pMap from 'p-map';
import type { Farm } from '../contracts/farm.ts';
import { packageVersion } from '../contracts/package-root.ts';
import { formulation } from '../contracts/sample.ts';
import type { Split, SplitFormat } from '../contracts/split.ts';
import { emitCompose } from './emit/compose/emit-compose.ts';
import { type DomainResult, emitFarm } from './emit/emit-farm.ts';
import { emitKubernetes } from './emit/kubernetes/emit-kubernetes.ts';
import type { OnBug } from './lower/isolate-bugs.ts';
import { Oracle } from './oracle/oracle.ts';
import { generateDomain } from './prove/prove-domain.ts';
import { readSplit } from './read/read-split.ts';
import { isFarm } from './write/is-farm.ts';
import { writeFolder } from './write/write-folder.ts';

/** What `now` means in a farm unless told otherwise: fixed, so that a farm is the same whenever it is made. */
export const DEFAULT_REFERENCE_TIME = '2025-01-01 00:00:00';

export interface GenerateOptions {
  /** Folder of the farm; a farm that is there is replaced whole. */
  readonly out: string;
  readonly format?: SplitFormat;
  readonly name?: string;
  /** Whether links may lead out of the split's folder. */
  readonly followLinks?: boolean;
  /** Only these domains. */
  readonly only?: readonly string[];
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
  /** How long one query may run. */
  readonly timeoutMs: number;
  /** Child processes; one a core unless given. */
  readonly jobs?: number;
  /** Also write manifests for Kubernetes. */
  readonly kubernetes?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: GenerateProgress) => void;
  /** Hears of faults of rookery's own, each of which costs a question; without it the first ends everything. */
  readonly onBug?: OnBug;
}

export interface GenerateProgress {
  readonly stage: 'read' | 'prove';
  readonly done: number;
  readonly total: number;
  readonly label: string;
}

export interface GenerateSummary {
  readonly farm: Farm;
  /** Questions × formulations that were not kept. */
  readonly rejected: number;
  readonly split: Split;
}

/**
 * Reads a split, lowers and proves its questions, and writes the farm, whole or not at all.
 * Throws UserErrors of reading and writing, OPTION_INVALID, and INTERRUPTED when the signal fires.
 */
export async function generate(path: string, options: GenerateOptions): Promise<GenerateSummary> {
  const { signal, onProgress } = options;
  const split = await readSplit(path, {
    ...(options.format ? { format: options.format } : {}),
    ...(options.name ? { name: options.name } : {}),
    ...(options.followLinks ? { followLinks: true } : {}),
    ...(options.only ? { only: options.only } : {}),
    ...(signal ? { signal } : {}),
    onProgress: ({ done, total, db }) => onProgress?.({ stage: 'read', done, total, label: db ?? '' }),
  });
  const jobs = options.jobs ?? availableParallelism();
  const oracle = new Oracle({
    referenceTime: options.referenceTime,
    children: jobs,
    limitMs: options.timeoutMs,
  });
  let summary: GenerateSummary | null = null;
  try {
    await writeFolder(
      options.out,
      async function* (scratch) {
        const domains = await proveDomains(split, { ...options, oracle, scratch, jobs });
        const rejected = domains.flatMap(({ verdicts }) => verdicts).filter(({ kept }) => !kept).length;
        yield* emitFarm(domains, {
          split,
          referenceTime: options.referenceTime,
          generatorVersion: packageVersion,
          extraFiles: (farm) => [...emitCompose(farm), ...(options.kubernetes ? emitKubernetes(farm) : [])],
          onFarm: (farm) => {
            summary = { farm, rejected, split };
          },
        });
      },
      { isOurs: isFarm, ...(signal ? { signal } : {}) },
    );
  } finally {
    await oracle.close();
  }
  if (summary === null) throw new Error('a farm was written without its farm.json');
  return summary;
}

interface ProveContext extends GenerateOptions {
  readonly oracle: Oracle;
  readonly scratch: string;
  readonly jobs: number;
}

/** Proves all domains, a few at a time; in the order of the split. */
async function proveDomains(split: Split, context: ProveContext): Promise<DomainResult[]> {
  const { signal, onProgress } = context;
  let done = 0;
  const total = split.questions.length * formulation.options.length;
  return pMap(
    split.domains,
    (domain) =>
      generateDomain(
        domain,
        split.questions.filter((question) => question.db_id === domain.db),
        {
          split: split.name,
          referenceTime: context.referenceTime,
          timeoutMs: context.timeoutMs,
          jobs: context.jobs,
          oracle: context.oracle,
          scratch: context.scratch,
          ...(signal ? { signal } : {}),
          ...(context.onBug ? { onBug: context.onBug } : {}),
          onVerdict: () => onProgress?.({ stage: 'prove', done: ++done, total, label: domain.db }),
        },
      ),
    { concurrency: context.jobs },
  );
}
