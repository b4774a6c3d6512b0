import { join } from 'node:path';
import type { Verdict } from '../../contracts/coverage.ts';
import { formulation } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { Domain, Question } from '../../contracts/split.ts';
import type { StartTable } from '../../contracts/start-table.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations/registry.ts';
import type { DomainResult } from '../emit/emit-farm.ts';
import type { RestCandidate } from '../lower/candidate.ts';
import { lowerRest } from '../lower/rest/lower-rest.ts';
import { makeServedCopy } from '../served-copy/make-served-copy.ts';
import { planIndexes } from '../served-copy/plan-indexes.ts';
import { parseQuery, type Query } from '../sql/index.ts';
import { makeVariants, removeVariants } from '../variants/make-variants.ts';
import { GoldAnswers, type GoldQuery } from '../verify/gold-answers.ts';
import { buildVariantApps } from '../verify/play/variant-apps.ts';
import { breakGoldTies } from './break-gold-ties.ts';
import type { DomainContext } from './domain-context.ts';
import { makeVerdict } from './make-sample.ts';
import { markSpeed } from './mark-speed.ts';
import { otherOrders } from './other-orders.ts';
import type { ProveContext } from './prove-context.ts';
import { proveRest } from './prove-rest.ts';
import { type LoweredSequences, lowerSequences, proveSequences } from './prove-sequences.ts';
import { readGold, type Unreadable } from './read-gold.ts';
import { titleOf } from './title.ts';

/** How many neighbour databases each sample is proven on besides the original. */
const NEIGHBOURS = 2;

/** Makes one domain: reads its gold, lowers it, proves what was lowered, and keeps what holds. */
export async function proveDomain(
  domain: Domain,
  questions: readonly Question[],
  context: DomainContext,
): Promise<DomainResult> {
  const { db, catalog, file } = domain;
  const { split, oracle, jobs, scratch, onBug } = context;
  const sql = { catalog, referenceTime: context.referenceTime };
  const { golds, unreadable } = await readGold(questions, sql, { oracle, file, jobs, onBug });

  const queries = golds.map(({ query }) => query);
  const database = join(scratch, `${db}.sqlite`);
  makeServedCopy(file, database, planIndexes(queries, catalog));
  const variantsFolder = join(scratch, `${db}-variants`);
  const variants = await makeVariants({
    catalog,
    queries,
    original: { label: 'original', plain: file, served: database },
    folder: variantsFolder,
    seed: split,
    count: NEIGHBOURS,
    oracle,
  });

  const goldAnswers = new GoldAnswers(oracle, catalog);
  const tieBroken = await breakGoldTies(golds, { goldAnswers, variants, oracle, catalog, jobs });
  const title = titleOf(db);
  const rest = lowerRest(tieBroken, { split, db, catalog, title, onBug });
  const sequences = lowerSequences(golds, otherOrders(golds, tieBroken, { file, goldAnswers }), {
    catalog,
    onBug,
  });
  const service: Service = {
    format_version: 1,
    split,
    db,
    title,
    reference_time: context.referenceTime,
    endpoints: markSpeed(rest.endpoints, queriesOf(rest.candidates, tieBroken), { database, catalog }),
    start_tables: byHandle(sequences.flatMap(startTablesOf)),
    catalog,
  };

  const apps = await buildVariantApps(service, variants, { timeoutMs: context.timeoutMs, children: jobs });
  try {
    const prove: ProveContext = {
      split,
      db,
      catalog,
      service,
      goldAnswers,
      variants,
      apps,
      jobs,
      ...(context.signal ? { signal: context.signal } : {}),
      ...(context.onVerdict ? { onVerdict: context.onVerdict } : {}),
    };
    const byId = new Map(golds.map((gold) => [gold.question.question_id, gold]));
    const parse = (text: string) => parseQuery(text, sql);
    const provenRest = await proveRest(rest.candidates, byId, { ...prove, seed: split, parse });
    const provenSequences = await proveSequences(sequences, prove);
    const kept: Service = {
      ...service,
      endpoints: [...provenRest.endpoints],
      start_tables: byHandle(provenSequences.startTables),
    };
    return {
      service: kept,
      database,
      samples: inOrder([...provenRest.samples, ...provenSequences.samples], questions),
      verdicts: inOrder(
        [
          ...unreadable.flatMap(rejectEverywhere),
          ...rest.rejections.map(({ question, rejection }) => reject(question, rejection)),
          ...provenRest.verdicts,
          ...provenSequences.verdicts,
        ],
        questions,
      ),
      openapi: formulation.options.map((kind) => ({
        formulation: kind,
        document: SERVED_FORMULATIONS[kind].openapi(kept),
      })),
    };
  } finally {
    await apps.close();
    removeVariants(variantsFolder);
  }
}

/** A query of each endpoint, by the endpoint's name. */
function queriesOf(candidates: readonly RestCandidate[], golds: readonly GoldQuery[]): Map<string, Query> {
  const byQuestion = new Map(golds.map(({ question, query }) => [question.question_id, query]));
  return new Map(
    candidates.flatMap(({ endpoint, question }) => {
      const query = byQuestion.get(question.question_id);
      return query ? [[endpoint, query] as const] : [];
    }),
  );
}

const NOTHING = { constructs: [], calls: 0, tools: 0 };

function reject(question: Question, rejection: Unreadable['rejection']): Verdict {
  return makeVerdict(question, 'rest', { kept: false, rejection, flags: [] }, NOTHING);
}

function rejectEverywhere({ question, rejection }: Unreadable): Verdict[] {
  return formulation.options.map((kind) =>
    makeVerdict(question, kind, { kept: false, rejection, flags: [] }, NOTHING),
  );
}

function startTablesOf(item: LoweredSequences): readonly StartTable[] {
  return 'attempts' in item ? item.attempts.flatMap(({ startTables }) => startTables) : [];
}

/** Start tables in the order of their handles, each once. */
function byHandle(tables: readonly StartTable[]): StartTable[] {
  const unique = new Map(tables.map((table) => [table.handle, table]));
  return [...unique.values()].sort((a, b) => (a.handle < b.handle ? -1 : 1));
}

/** By question in the order of the split, then by formulation. */
function inOrder<
  T extends {
    readonly question_id: string | number;
    readonly formulation: (typeof formulation.options)[number];
  },
>(items: readonly T[], questions: readonly Question[]): T[] {
  const place = new Map(questions.map(({ question_id }, i) => [question_id, i]));
  const rank = (item: T) =>
    (place.get(item.question_id) ?? 0) * formulation.options.length +
    formulation.options.indexOf(item.formulation);
  return [...items].sort((a, b) => rank(a) - rank(b));
}
