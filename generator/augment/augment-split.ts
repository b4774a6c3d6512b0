import { constants, copyFileSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { augmentation } from '../../contracts/augmentation.ts';
import { rejection } from '../../contracts/coverage.ts';
import { UNKNOWN_LICENCE } from '../../contracts/data-licence.ts';
import { UserError } from '../../contracts/errors.ts';
import { packageVersion } from '../../contracts/package-root.ts';
import type { Split } from '../../contracts/split.ts';
import { Oracle } from '../oracle/oracle.ts';
import { type ReadOptions, readSplit } from '../read/read-split.ts';
import { describeTables, isDescribed } from '../synthesize/describe-tables.ts';
import type { FarmFile } from '../write/farm-file.ts';
import { openOutputFolder } from '../write/write-folder.ts';
import { augmentDomain } from './augment-domain.ts';
import type { AugmentedDomain } from './augmented.ts';

/** What was made, and what became of the rest. */
const REPORT_FILE = 'augmentation.json';

export interface AugmentSplitOptions extends Pick<ReadOptions, 'format' | 'name' | 'only' | 'followLinks'> {
  /** Folder of the new split; an older augmented one is replaced. */
  readonly out: string;
  /** Another seed makes other questions. */
  readonly seed: string;
  /** Questions made of one at most. */
  readonly perQuestion: number;
  /** Only every so many-th question of each database is taken. */
  readonly every: number;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
  /** Milliseconds that one query may take. */
  readonly timeoutMs: number;
  /** Child processes; one a core unless given. */
  readonly jobs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: {
    readonly stage: 'read' | 'augment';
    readonly done: number;
    readonly total: number;
    readonly label: string;
  }) => void;
}

const tried = augmentation.pick({ augmenter: true, class: true, depth: true, apis: true });

const report = z.object({
  generator_version: z.string(),
  split: z.object({ name: z.string(), content_hash: z.string() }),
  seed: z.string(),
  per_question: z.int(),
  every: z.int(),
  databases: z.array(
    z.object({
      db: z.string(),
      /** Of the split that was augmented. */
      questions: z.int(),
      augmented: z.int(),
      eliminated: z.array(
        z.object({
          question_id: z.union([z.int(), z.string()]),
          /** Left out where nothing could be tried. */
          tried: tried.optional(),
          rejection,
        }),
      ),
    }),
  ),
});

/**
 * Writes a split in rookery's layout whose questions are those of another with scalar APIs added, atomically, over the
 * same databases. The same split, seed and options give the same questions. UserErrors: those of reading and writing,
 * NOTHING_TO_ASK, INTERRUPTED.
 */
export async function augmentSplit(
  path: string,
  options: AugmentSplitOptions,
): Promise<readonly AugmentedDomain[]> {
  const { signal, onProgress } = options;
  const split = await readSplit(path, {
    ...(options.format ? { format: options.format } : {}),
    ...(options.name ? { name: options.name } : {}),
    ...(options.only ? { only: options.only } : {}),
    ...(options.followLinks ? { followLinks: true } : {}),
    ...(signal ? { signal } : {}),
    timeoutMs: options.timeoutMs,
    onProgress: ({ done, total, db }) => onProgress?.({ stage: 'read', done, total, label: db ?? '' }),
  });
  const output = await openOutputFolder(options.out, {
    isOurs: isAugmented,
    what: 'augmented split',
    ...(signal ? { signal } : {}),
  });
  const jobs = options.jobs ?? availableParallelism();
  const oracle = new Oracle({
    referenceTime: options.referenceTime,
    children: jobs,
    limitMs: options.timeoutMs,
  });
  const stop = () => void oracle.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const made: AugmentedDomain[] = [];
    const asked = split.domains.map(({ db }) =>
      split.questions.filter(({ db_id }) => db_id === db).filter((_, i) => i % options.every === 0),
    );
    const total = asked.reduce((sum, { length }) => sum + length, 0);
    let done = 0;
    for (const [i, domain] of split.domains.entries()) {
      const { db } = domain;
      const step = augmentDomain(domain, asked[i] ?? [], {
        split: split.name,
        seed: options.seed,
        perQuestion: options.perQuestion,
        referenceTime: options.referenceTime,
        timeoutMs: options.timeoutMs,
        jobs,
        oracle,
        scratch: output.scratch,
        ...(signal ? { signal } : {}),
        onQuestion: () => onProgress?.({ stage: 'augment', done: ++done, total, label: db }),
      });
      made.push(await output.during(step));
    }
    if (made.every(({ questions }) => questions.length === 0))
      throw new UserError(
        'NOTHING_TO_ASK',
        path,
        `no API could be added to any question (of most: ${mostOften(made)})`,
      );
    await output.write(
      filesOf(
        split,
        made,
        asked.map(({ length }) => length),
        output.scratch,
        options,
      ),
    );
    return made;
  } finally {
    signal?.removeEventListener('abort', stop);
    output.close();
    await oracle.close();
  }
}

function mostOften(made: readonly AugmentedDomain[]): string {
  const counts = new Map<string, number>();
  for (const { rejection } of made.flatMap(({ eliminated }) => eliminated))
    counts.set(rejection.code, (counts.get(rejection.code) ?? 0) + 1);
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return first?.[0] ?? 'there are none';
}

function* filesOf(
  { name, content_hash, domains, data_licence }: Split,
  made: readonly AugmentedDomain[],
  counts: readonly number[],
  scratch: string,
  { seed, perQuestion, every }: AugmentSplitOptions,
): Generator<FarmFile> {
  for (const { db, file, catalog } of domains) {
    const copy = join(scratch, `copy-${db}.sqlite`);
    // Costs no space where the file system can share blocks.
    copyFileSync(file, copy, constants.COPYFILE_FICLONE);
    yield { path: `${db}.sqlite`, moveFrom: copy };
    if (isDescribed(catalog)) yield { path: `descriptions/${db}.csv`, content: describeTables(catalog) };
  }
  const lines = made.flatMap(({ questions }) => questions).map((question) => `${JSON.stringify(question)}\n`);
  yield { path: 'questions.jsonl', content: lines.join('') };
  const told = data_licence === UNKNOWN_LICENCE ? '' : `\n\nLicence: ${data_licence}`;
  yield {
    path: 'README.md',
    content: `Questions of ${name} with scalar APIs added to them, by rookery augment. The databases are those of ${name}.${told}\n`,
  };
  const databases = made.map(({ db, questions, eliminated }, i) => ({
    db,
    questions: counts[i] ?? 0,
    augmented: questions.length,
    eliminated: eliminated.map(({ question_id, tried: idea, rejection: reason }) => ({
      question_id,
      ...(idea ? { tried: idea } : {}),
      rejection: reason,
    })),
  }));
  const content = report.parse({
    generator_version: packageVersion,
    split: { name, content_hash },
    seed,
    per_question: perQuestion,
    every,
    databases,
  });
  yield { path: REPORT_FILE, content: `${JSON.stringify(content, null, 1)}\n` };
}

/** Whether a folder holds a split that was augmented. */
export function isAugmented(folder: string): boolean {
  try {
    return report.safeParse(JSON.parse(readFileSync(join(folder, REPORT_FILE), 'utf8'))).success;
  } catch {
    return false;
  }
}
