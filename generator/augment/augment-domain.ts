import { join } from 'node:path';
import pMap from 'p-map';
import type { Service } from '../../contracts/service.ts';
import type { Domain, Question } from '../../contracts/split.ts';
import { placeSources } from '../../services/base/scalars/place-sources.ts';
import { Gazetteer } from '../../services/base/scalars/places.ts';
import { readPlaces } from '../../services/base/scalars/read-places.ts';
import { betterSqlite3 } from '../../services/base/sqlite/better-sqlite3.ts';
import { Lexicon } from '../english/words/lexicon.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { callsScalarApi } from '../oracle/scalar-calls.ts';
import { readGold } from '../prove/read-gold.ts';
import { titleOf } from '../prove/title.ts';
import { makeServedCopy } from '../served-copy/make-served-copy.ts';
import { makeVariants, removeVariants } from '../variants/make-variants.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';
import { buildVariantApps } from '../verify/play/variant-apps.ts';
import { augmentQuestion } from './augment-question.ts';
import type { AugmentedDomain, AugmentedQuestion, Eliminated } from './augmented.ts';
import { readColumns } from './read-columns.ts';

export interface AugmentContext {
  readonly split: string;
  readonly seed: string;
  /** Questions made of one at most. */
  readonly perQuestion: number;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
  readonly timeoutMs: number;
  readonly jobs: number;
  readonly oracle: Oracle;
  /** A folder for temporary files. */
  readonly scratch: string;
  readonly signal?: AbortSignal;
  /** After each question of the split. */
  readonly onQuestion?: () => void;
}

/** How many neighbours each augmented question is proven on besides the original. */
const NEIGHBOURS = 2;

/** Makes augmented questions of a domain's questions: drawn, worded, and proven in three ways. */
export async function augmentDomain(
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
    count: NEIGHBOURS,
    oracle,
  });
  const service: Service = {
    format_version: 1,
    split,
    db,
    title: titleOf(db),
    data_licence: 'unknown',
    reference_time: referenceTime,
    endpoints: [],
    start_tables: [],
    catalog,
  };
  const connection = betterSqlite3.open(file);
  const places = new Gazetteer(readPlaces(connection, placeSources(catalog)));
  const columns = readColumns(catalog, connection, places);
  connection.close();
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
      // The words of all questions are those of the domain.
      wording: { catalog, lexicon: new Lexicon(catalog, questions) },
      served: { service, variants, apps, ...(signal ? { signal } : {}) },
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
      ({ question, rejection }): Eliminated => ({
        question_id: question.question_id,
        tried: null,
        rejection,
      }),
    );
    return {
      db,
      unread_views,
      questions: unlike(made.flatMap((each) => each.questions)),
      eliminated: [...rejected, ...made.flatMap((each) => each.eliminated)],
    };
  } finally {
    await apps.close();
    removeVariants(folder);
  }
}

/** Two questions that ask the same in the same words are one. */
function unlike(questions: readonly AugmentedQuestion[]): AugmentedQuestion[] {
  const seen = new Set<string>();
  return questions.filter(({ question }) => {
    const isNew = !seen.has(question);
    seen.add(question);
    return isNew;
  });
}
