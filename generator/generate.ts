import type { Farm } from '../contracts/farm.ts';
import { packageVersion } from '../contracts/package-root.ts';
import type { Split } from '../contracts/split.ts';
import { flagGuessable } from './prove/prove-domain.ts';
import { type ProveSplitOptions, proveSplit } from './prove/prove-split.ts';
import { applyCorrections } from './read/questions.ts';
import { type ReadOptions, readLabel, readSplit } from './read/read-split.ts';
import { type RenameOptions, renameSplit } from './renames/rename-split.ts';
import { emitFarm } from './write/emit-farm.ts';
import { GrowingFarm } from './write/growing-farm.ts';
import { type FarmOptions, isFarm, writeFolder } from './write/write-folder.ts';

export interface GenerateOptions
  extends FarmOptions<'read' | 'rename' | 'prove'>,
    Omit<ReadOptions, 'onProgress' | 'timeoutMs' | 'signal'>,
    Omit<ProveSplitOptions, 'onProgress' | 'scratch' | 'growing' | 'signal'> {
  /** Path of a `corrections.jsonl`. */
  readonly corrections?: string;
  /** New names for tables and columns, or the seed that draws them. */
  readonly renames?: RenameOptions['names'];
  /**
   * Keeps each domain in a farm beside `out` once it is proven, so that it can be served meanwhile and an interrupted
   * generation continues. Called with that farm's folder and the domains to come at the beginning and after each domain.
   * The folder stays there: `removeGrowth` removes it.
   */
  readonly onGrown?: ((folder: string, coming: readonly string[]) => void) | undefined;
}

export interface GenerateSummary {
  readonly farm: Farm;
  /** Questions rejected in some formulation, and how many rejections. */
  readonly rejected: { readonly questions: number; readonly formulations: number };
  /** Questions with a statement near its time limit, whose verdict may differ on a slower machine. */
  readonly nearLimit: number;
  readonly split: Split;
}

/** Writes the farm of a split atomically. Throws UserErrors; INTERRUPTED when the signal aborts. */
export async function generate(path: string, options: GenerateOptions): Promise<GenerateSummary> {
  const { signal, onProgress, referenceTime, onGrown } = options;
  const given = await readSplit(path, {
    ...options,
    onProgress: (progress) => onProgress?.({ ...progress, stage: 'read', label: readLabel(progress) }),
  });
  const corrected = options.corrections ? applyCorrections(given, options.corrections) : given;
  const split = options.renames
    ? await renameSplit(corrected, {
        ...options,
        names: options.renames,
      })
    : corrected;
  const context = { split, referenceTime, generatorVersion: packageVersion };
  const { timeoutMs, pathParameters = false, hidden = [], reads = false } = options;
  const { farm, domains } = await writeFolder(options.out, { isOurs: isFarm, signal }, async (scratch) => {
    const growing = onGrown && {
      farm: new GrowingFarm(options.out, {
        ...context,
        options: { timeoutMs, pathParameters, hidden, reads },
      }),
      onGrown,
    };
    const domains = flagGuessable(await proveSplit(split, { ...options, growing, scratch }));
    return { domains, ...(await emitFarm(domains, { ...context, extraFiles: options.extraFiles })) };
  });
  const lost = domains.flatMap(({ verdicts }) => verdicts).filter(({ kept }) => !kept);
  const rejected = {
    questions: new Set(lost.map(({ question_id }) => question_id)).size,
    formulations: new Set(lost.map(({ formulation }) => formulation)).size,
  };
  const nearLimit = domains.reduce((sum, domain) => sum + domain.nearLimit.length, 0);
  return { farm, rejected, nearLimit, split };
}
