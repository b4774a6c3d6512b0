import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { packageVersion } from '../../contracts/package-root.ts';
import type { Domain, Question } from '../../contracts/split.ts';
import { Oracle } from '../oracle/oracle.ts';
import { readLabel } from '../read/read-split.ts';
import { type FarmFile, writeFolder } from '../write/write-folder.ts';
import { synthesizeCombinations, type ToolSynthesis } from './combinations.ts';
import { databaseFiles, findDatabases, holdsReport, type SynthesisDomain } from './find-databases.ts';
import { type Mix, mixDatabase } from './mix-database.ts';
import { type Synthesis, type SynthesizeOptions, synthesizeQuestions } from './synthesize-questions.ts';
import { synthesizeWrites } from './synthesize-writes.ts';
import { COMBINATIONS } from './tool-calls.ts';

/** Reports how a split was synthesized, and marks its folder as ours. */
const REPORT_FILE = 'synthesis.json';

export interface SynthesizeSplitOptions extends Omit<SynthesizeOptions, 'questions' | 'onProgress'> {
  /** An older synthesized split is replaced. */
  readonly out: string;
  readonly questions: number;
  /** Instead: this many questions for the `query` tool for each combination of operators. */
  readonly perCombination?: number;
  /** For these: the numbers of tables and columns that databases have. */
  readonly mix?: Mix;
  /** Instead: this many tasks that change records. */
  readonly writes?: number;
  /** Instead: this many dialogues per database, and how they are made. */
  readonly dialogues?: { readonly count: number; readonly make: MakeDialogues };
  readonly only?: readonly string[];
  readonly timeoutMs: number;
  readonly onProgress?: (progress: SynthesisProgress) => void;
}

interface SynthesisProgress {
  readonly stage: 'read' | 'ask';
  readonly done: number;
  readonly total: number;
  readonly label: string;
}

/** `synthesizeDialogues`, which is built on this folder. */
type MakeDialogues = (
  domain: SynthesisDomain,
  oracle: Oracle,
  options: Pick<SynthesizeOptions, 'seed' | 'referenceTime' | 'signal' | 'onProgress'> & {
    readonly dialogues: number;
    readonly beside: readonly SynthesisDomain[];
  },
) => Promise<Made>;

interface Made extends Omit<Synthesis, 'questions'> {
  readonly questions: readonly Question[];
  /** For `query` questions: combinations with fewer questions than wanted. */
  readonly missing?: ToolSynthesis['missing'];
}

interface SynthesizedDomain extends Made {
  readonly db: string;
  readonly wanted: number;
  readonly unread_views: Domain['unread_views'];
}

const report = z.object({
  generator_version: z.string(),
  seed: z.string(),
  like: z.string().optional(),
  per_combination: z.int().optional(),
  writes: z.int().optional(),
  dialogues: z.int().optional(),
  weights: z.record(z.string(), z.number()).optional(),
  databases: z.array(
    z.object({
      db: z.string(),
      questions: z.int(),
      /** Rejected draws, by reason. */
      refused: z.record(z.string(), z.int()),
      left_out: z.array(z.object({ table: z.string(), column: z.string(), reason: z.string() })),
      /** Combinations with fewer questions than wanted. */
      missing: z
        .array(z.object({ combination: z.string(), questions: z.int(), reason: z.string() }))
        .optional(),
    }),
  ),
});

/** Writes a split for databases without questions, atomically and deterministically. Throws UserErrors. */
export async function synthesizeSplit(
  path: string,
  options: SynthesizeSplitOptions,
): Promise<readonly SynthesizedDomain[]> {
  const { only, timeoutMs, signal, onProgress } = options;
  const { mix } = options;
  const find = (some: readonly string[] | undefined) =>
    findDatabases(path, {
      only: some,
      timeoutMs,
      signal,
      onProgress: (read) => onProgress?.({ ...read, stage: 'read', label: readLabel(read) }),
    });
  const found = await find(only);
  // Those that are not asked about may lend their tables.
  const all = mix?.collections !== undefined && only ? await find(undefined) : found;
  const domains = mix
    ? found.map((domain) =>
        mixDatabase(
          domain,
          mix,
          options.seed,
          all.filter(({ db }) => db !== domain.db),
        ),
      )
    : found;
  const target = { isOurs: isSynthesized, what: 'synthesized split', signal: options.signal };
  const oracle = new Oracle({ referenceTime: options.referenceTime, limitMs: options.timeoutMs });
  try {
    const { made } = await writeFolder(options.out, target, async (scratch) => {
      const made: SynthesizedDomain[] = [];
      for (const domain of domains)
        made.push(await synthesizeDomain(domain, oracle, { ...options, beside: domains }));
      if (made.every(({ questions }) => questions.length === 0)) {
        const reasons = [...(made[0]?.refused ?? [])].sort(([, a], [, b]) => b - a).map(([reason]) => reason);
        const found = reasons.length > 0 ? ` (of most queries: ${reasons.slice(0, 2).join(', ')})` : '';
        const fix =
          'a table needs rows, and columns with names that say something or descriptions (--describe)';
        throw new UserError('NOTHING_TO_ASK', path, `no question could be asked${found}; ${fix}`);
      }
      return { made, files: filesOf(domains, made, scratch, options) };
    });
    return made;
  } finally {
    await oracle.close();
  }
}

async function synthesizeDomain(
  domain: SynthesisDomain,
  oracle: Oracle,
  { onProgress, ...options }: SynthesizeSplitOptions & { readonly beside: readonly SynthesisDomain[] },
): Promise<SynthesizedDomain> {
  const { db } = domain;
  const { perCombination, writes, dialogues } = options;
  const wanted =
    writes ??
    dialogues?.count ??
    (perCombination === undefined ? options.questions : perCombination * COMBINATIONS.length);
  const progress = (done: number) => onProgress?.({ stage: 'ask', done, total: wanted, label: db });
  progress(0);
  const more = { ...options, onProgress: progress };
  const make = (): Promise<Made> => {
    if (dialogues !== undefined)
      return dialogues.make(domain, oracle, { ...more, dialogues: dialogues.count });
    if (writes !== undefined)
      return synthesizeWrites(domain, oracle, { ...more, writes, asked: domain.asked ?? [] });
    if (perCombination !== undefined)
      return synthesizeCombinations(domain, oracle, { ...more, perCombination });
    return synthesizeQuestions(domain, oracle, more);
  };
  return { db, wanted, unread_views: domain.unread_views, ...(await make()) };
}

function* filesOf(
  domains: readonly Domain[],
  made: readonly SynthesizedDomain[],
  scratch: string,
  { seed, like, weights, perCombination, writes, dialogues }: SynthesizeSplitOptions,
): Generator<FarmFile> {
  yield* databaseFiles(domains, scratch);
  const questions = made.flatMap((domain) => domain.questions);
  // Turns are found by the id of their dialogue, which says so.
  const lines = questions.map((question, i) =>
    JSON.stringify({ ...question, question_id: question.dialogue ? `d${i + 1}` : i }),
  );
  yield { path: 'questions.jsonl', content: `${lines.join('\n')}\n` };
  const databases = made.map(({ db, questions: own, refused, leftOut, missing }) => ({
    db,
    questions: own.length,
    refused: Object.fromEntries([...refused].sort(([a], [b]) => (a < b ? -1 : 1))),
    left_out: [...leftOut],
    missing: missing && [...missing],
  }));
  const mix =
    writes !== undefined
      ? { writes }
      : dialogues !== undefined
        ? { dialogues: dialogues.count }
        : perCombination === undefined
          ? { like, weights }
          : { per_combination: perCombination };
  const content = report.parse({ generator_version: packageVersion, seed, ...mix, databases });
  yield { path: REPORT_FILE, content: `${JSON.stringify(content, null, 2)}\n` };
}

function isSynthesized(folder: string): boolean {
  return holdsReport(folder, REPORT_FILE, report);
}
