import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import { z } from 'zod';
import type { Catalog, CatalogColumn } from '../../contracts/catalog.ts';
import { UserError } from '../../contracts/errors.ts';
import { rejection } from '../../contracts/farm.ts';
import { countEach } from '../../contracts/grouping.ts';
import { UNKNOWN_LICENCE } from '../../contracts/openapi.ts';
import { packageVersion } from '../../contracts/package-root.ts';
import { augmentation, type Domain, type Question, type Split } from '../../contracts/split.ts';
import { Gazetteer, placeSources, readPlaces } from '../../services/base/scalars/gazetteer.ts';
import { betterSqlite3 } from '../../services/base/sqlite/better-sqlite3.ts';
import { Lexicon } from '../english/lexicon.ts';
import { callsScalarApi } from '../oracle/gold-sql.ts';
import { Oracle } from '../oracle/oracle.ts';
import { makeServedCopy } from '../oracle/served-copy.ts';
import { bareService, readGold } from '../prove/prove-domain.ts';
import { withReadonly } from '../read/open-database.ts';
import { type ReadOptions, readSplit } from '../read/read-split.ts';
import { profileOfAsked } from '../synthesize/asked-columns.ts';
import { databaseFiles, holdsReport } from '../synthesize/find-databases.ts';
import { profileDatabase } from '../synthesize/profile.ts';
import { makeVariants, removeVariants } from '../variants/neighbours.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';
import { buildVariantApps } from '../verify/verify-candidate.ts';
import { type FarmFile, type FarmOptions, writeFolder } from '../write/write-folder.ts';
import { augmentQuestion } from './augment-question.ts';
import { readColumns } from './columns.ts';
import type { AugmentedDomain, AugmentedQuestion, Eliminated } from './ideas.ts';

interface AugmentContext
  extends Pick<AugmentSplitOptions, 'seed' | 'perQuestion' | 'referenceTime' | 'timeoutMs' | 'signal'> {
  readonly split: string;
  readonly jobs: number;
  readonly oracle: Oracle;
  readonly scratch: string;
  readonly onQuestion?: () => void;
}

/** Augments a domain's questions: ideas are drawn, worded, and proven in three ways. */
async function augmentDomain(
  { db, catalog, file, unread_views }: Domain,
  questions: readonly Question[],
  context: AugmentContext,
): Promise<AugmentedDomain> {
  const { split, seed, referenceTime, jobs, timeoutMs, scratch, signal } = context;
  const oracle = context.oracle.over(catalog);
  const sql = { catalog, referenceTime };
  const { golds, unreadable } = await readGold(questions, sql, { oracle, file, jobs });
  const plain = golds.filter(({ question, query }) => !question.query_arguments && !callsScalarApi(query));

  const served = join(scratch, `${db}.sqlite`);
  makeServedCopy(file, served, []);
  const folder = join(scratch, `${db}-variants`);
  const variants = await makeVariants({
    catalog,
    queries: plain.map(({ query }) => query),
    original: { label: 'original', plain: file, served },
    folder,
    seed: `${split} ${seed}`,
    oracle,
  });
  const service = bareService({ db, catalog }, { split, dataLicence: UNKNOWN_LICENCE, referenceTime });
  const { places, columns } = readAsked(file, catalog);
  const apps = await buildVariantApps(service, variants, { timeoutMs, children: jobs });
  try {
    const common = {
      seed,
      perQuestion: context.perQuestion,
      sql,
      oracle,
      file,
      places,
      columns,
      // The lexicon covers all questions of the domain.
      wording: { catalog, lexicon: new Lexicon(catalog, questions) },
      served: { service, variants, apps, signal },
    };
    const made = await pMap(
      plain,
      async (gold: GoldQuery) => {
        signal?.throwIfAborted();
        const done = await augmentQuestion(gold, common);
        context.onQuestion?.();
        return done;
      },
      { concurrency: jobs },
    );
    const rejected = unreadable.map(
      ({ question: { question_id }, rejection }): Eliminated => ({ question_id, tried: null, rejection }),
    );
    return {
      db,
      unread_views,
      questions: withoutRepeats(made.flatMap((each) => each.questions)),
      eliminated: [...rejected, ...made.flatMap((each) => each.eliminated)],
    };
  } finally {
    await apps.close();
    removeVariants(folder);
  }
}

/** The columns that people ask about, with their classes, and the places among their values. */
function readAsked(file: string, catalog: Catalog) {
  const profile = withReadonly(file, (database) => profileOfAsked(profileDatabase(catalog, database)));
  const asked = profile.tables.flatMap((each) => each.columns);
  const isAsked = (column: CatalogColumn) =>
    asked.some((each) => each.column === column && each.kind !== 'key');
  const connection = betterSqlite3.open(file);
  try {
    const places = new Gazetteer(readPlaces(connection, placeSources(catalog)));
    return { places, columns: readColumns(catalog, connection, places, isAsked) };
  } finally {
    connection.close();
  }
}

/** Drops questions with the same words. */
function withoutRepeats(questions: readonly AugmentedQuestion[]): AugmentedQuestion[] {
  const seen = new Set<string>();
  return questions.filter(({ question }) => {
    const isNew = !seen.has(question);
    seen.add(question);
    return isNew;
  });
}

const REPORT_FILE = 'augmentation.json';

export interface AugmentSplitOptions
  extends Omit<FarmOptions<'read' | 'augment'>, 'extraFiles'>,
    Pick<ReadOptions, 'format' | 'name' | 'only' | 'followLinks'> {
  /** Another seed makes other questions. */
  readonly seed: string;
  readonly perQuestion: number;
  /** Take every n-th question of each database. */
  readonly every: number;
  readonly referenceTime: string;
  readonly timeoutMs: number;
  readonly jobs?: number;
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
      questions: z.int(),
      augmented: z.int(),
      eliminated: z.array(
        z.object({
          question_id: z.union([z.int(), z.string()]),
          /** Absent where nothing could be tried. */
          tried: tried.optional(),
          rejection,
        }),
      ),
    }),
  ),
});

/** Writes a split whose questions are another's with scalar APIs added, atomically. Deterministic by seed. */
export async function augmentSplit(
  path: string,
  options: AugmentSplitOptions,
): Promise<readonly AugmentedDomain[]> {
  const { signal, onProgress } = options;
  const split = await readSplit(path, {
    ...options,
    onProgress: ({ done, total, db }) => onProgress?.({ stage: 'read', done, total, label: db ?? '' }),
  });
  const jobs = options.jobs ?? availableParallelism();
  const { referenceTime, timeoutMs } = options;
  const oracle = new Oracle({ referenceTime, children: jobs, limitMs: timeoutMs });
  const stop = () => void oracle.close();
  signal?.addEventListener('abort', stop, { once: true });
  const target = { isOurs: isAugmented, what: 'augmented split', signal };
  try {
    const { made } = await writeFolder(options.out, target, async (scratch) => {
      const made: AugmentedDomain[] = [];
      const chosen = split.domains.map(({ db }) =>
        split.questions.filter(({ db_id }) => db_id === db).filter((_, i) => i % options.every === 0),
      );
      const total = chosen.reduce((sum, { length }) => sum + length, 0);
      let done = 0;
      for (const [i, domain] of split.domains.entries()) {
        const onQuestion = () => onProgress?.({ stage: 'augment', done: ++done, total, label: domain.db });
        const context = { ...options, split: split.name, jobs, oracle, scratch, onQuestion };
        made.push(await augmentDomain(domain, chosen[i] ?? [], context));
      }
      if (made.every(({ questions }) => questions.length === 0)) {
        const fault = `no API could be added to any question (of most: ${mostOften(made)})`;
        throw new UserError('NOTHING_TO_ASK', path, fault);
      }
      const counts = chosen.map(({ length }) => length);
      return { made, files: filesOf(split, made, counts, scratch, options) };
    });
    return made;
  } finally {
    signal?.removeEventListener('abort', stop);
    await oracle.close();
  }
}

function mostOften(made: readonly AugmentedDomain[]): string {
  const counts = countEach(
    made.flatMap(({ eliminated }) => eliminated.map(({ rejection }) => rejection.code)),
  );
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
  yield* databaseFiles(domains, scratch);
  const lines = made.flatMap(({ questions }) => questions).map((question) => `${JSON.stringify(question)}\n`);
  yield { path: 'questions.jsonl', content: lines.join('') };
  const licence = data_licence === UNKNOWN_LICENCE ? '' : `\n\nLicence: ${data_licence}`;
  yield {
    path: 'README.md',
    content: `Questions of ${name} with scalar APIs added to them, by rookery augment. The databases are those of ${name}.${licence}\n`,
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
function isAugmented(folder: string): boolean {
  return holdsReport(folder, REPORT_FILE, report);
}
