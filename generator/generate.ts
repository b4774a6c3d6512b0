import type { Farm } from '../contracts/farm.ts';
import type { HiddenShare } from '../contracts/hybrid.ts';
import { packageVersion } from '../contracts/package-root.ts';
import type { Split, SplitFormat } from '../contracts/split.ts';
import { emitFarm } from './emit/emit-farm.ts';
import type { OnBug } from './lower/candidate.ts';
import { flagGuessable } from './prove/prove-domain.ts';
import { proveSplit } from './prove/prove-split.ts';
import { applyCorrections } from './read/questions.ts';
import { type ReadOptions, readLabel, readSplit } from './read/read-split.ts';
import type { FarmFile } from './write/write-file.ts';
import { isFarm, openOutputFolder } from './write/write-folder.ts';

/** Seconds of processor time that one statement may take. */
export const DEFAULT_TIMEOUT = 60;
/** The default value of `now` in a farm: fixed, so that a farm is the same whenever it is generated. */
export const DEFAULT_REFERENCE_TIME = '2025-01-01 00:00:00';

export interface GenerateOptions {
  /** Folder of the farm; an existing farm is replaced. */
  readonly out: string;
  readonly format?: SplitFormat;
  readonly name?: string;
  /** The licence of the data; what the split's folder says about it unless given. */
  readonly dataLicence?: string;
  /** Whether links may point outside the split's folder. */
  readonly followLinks?: boolean;
  /** A `corrections.jsonl` for the split. */
  readonly corrections?: string;
  /** Only these domains. */
  readonly only?: readonly string[];
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
  /** Milliseconds of processor time that a gold query may take. */
  readonly timeoutMs: number;
  /** Parameters of endpoints stand in the path where they can, instead of in the query string. */
  readonly pathParameters?: boolean;
  /** The shares of the tables that are hidden from the tools of `hybrid`; without them there is no such formulation. */
  readonly hidden?: readonly HiddenShare[];
  /** Child processes; one a core unless given. */
  readonly jobs?: number | undefined;
  /** Verdicts for which another process is started that proves domains; 300 unless given. */
  readonly verdictsPerProcess?: number;
  /** Files beside those of the farm, such as those by which it runs in containers. */
  readonly extraFiles?: (farm: Farm) => readonly FarmFile[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: GenerateProgress) => void;
  /** Called for each bug of rookery that costs a question; without it, the first bug ends the run. */
  readonly onBug?: OnBug;
  /** Called for each bug of rookery that costs all questions of a domain; without it, such a bug ends the run. */
  readonly onLostDomain?: (db: string, error: unknown) => void;
}

export interface GenerateProgress {
  readonly stage: 'read' | 'prove';
  readonly done: number;
  readonly total: number;
  readonly label: string;
}

export interface GenerateSummary {
  readonly farm: Farm;
  /** Questions that were not kept in every formulation, and the formulations that lack some. */
  readonly rejected: { readonly questions: number; readonly formulations: number };
  /** Questions of which a statement came near its limit, so that a slower machine may decide otherwise. */
  readonly nearLimit: number;
  readonly split: Split;
}

/**
 * Reads a split, lowers and proves its questions, and writes the farm atomically. Throws UserErrors of reading and
 * writing, OPTION_INVALID, and INTERRUPTED when the signal aborts.
 */
export async function generate(path: string, options: GenerateOptions): Promise<GenerateSummary> {
  const given = await readSplit(path, readOptions(options));
  const split = options.corrections ? applyCorrections(given, options.corrections) : given;
  const output = await openOutputFolder(options.out, { isOurs: isFarm, ...signalOf(options) });
  try {
    const domains = flagGuessable(
      await output.during(proveSplit(split, { ...options, scratch: output.scratch })),
    );
    const { farm, files } = await output.during(
      emitFarm(domains, {
        split,
        referenceTime: options.referenceTime,
        generatorVersion: packageVersion,
        extraFiles: options.extraFiles,
      }),
    );
    await output.write(files);
    const lost = domains.flatMap(({ verdicts }) => verdicts).filter(({ kept }) => !kept);
    const rejected = {
      questions: new Set(lost.map(({ question_id }) => question_id)).size,
      formulations: new Set(lost.map(({ formulation }) => formulation)).size,
    };
    const nearLimit = domains.reduce((sum, domain) => sum + domain.nearLimit.length, 0);
    return { farm, rejected, nearLimit, split };
  } finally {
    output.close();
  }
}

function readOptions(options: GenerateOptions): ReadOptions {
  const { format, name, dataLicence, only, followLinks, timeoutMs, onProgress } = options;
  return {
    timeoutMs,
    ...(format ? { format } : {}),
    ...(name ? { name } : {}),
    ...(dataLicence ? { dataLicence } : {}),
    ...(only ? { only } : {}),
    ...(followLinks ? { followLinks } : {}),
    ...signalOf(options),
    onProgress: (progress) => onProgress?.({ ...progress, stage: 'read', label: readLabel(progress) }),
  };
}

function signalOf({ signal }: GenerateOptions): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
