import { join } from 'node:path';
import pMap from 'p-map';
import type { Verdict } from '../../contracts/coverage.ts';
import { QueryError } from '../../contracts/errors.ts';
import { formulation } from '../../contracts/sample.ts';
import type { Endpoint, Service } from '../../contracts/service.ts';
import type { Domain, Question } from '../../contracts/split.ts';
import type { StartTable } from '../../contracts/start-table.ts';
import { constructsOf } from '../../sql/index.ts';
import { auditGolds, type NamedFinding } from '../audit/audit-golds.ts';
import { RULES } from '../audit/rules/index.ts';
import type { DomainResult } from '../emit/emit-farm.ts';
import { NOTHING_MADE } from '../formulations/contract/make-sample.ts';
import type { ProveContext } from '../formulations/contract/prove-context.ts';
import type { Offers, ProvenDomain } from '../formulations/contract/sample-maker.ts';
import { SAMPLE_MAKERS } from '../formulations/registry.ts';
import { callsScalarApi, scalarCalls } from '../oracle/scalar-calls.ts';
import { planIndexes } from '../served-copy/plan-indexes.ts';
import { planSearchIndexes } from '../served-copy/plan-search-indexes.ts';
import { makeVariants, removeVariants } from '../variants/make-variants.ts';
import { proveSilentFaults } from '../verify/faults/prove-silent-faults.ts';
import { GoldAnswers, type GoldQuery } from '../verify/gold-answers.ts';
import { NearLimit } from '../verify/near-limit.ts';
import { buildVariantApps } from '../verify/play/variant-apps.ts';
import { breakGoldTies } from './break-gold-ties.ts';
import { documentsOf } from './documents-of.ts';
import type { DomainContext } from './domain-context.ts';
import { listValues } from './list-values.ts';
import { makeFastCopy } from './make-fast-copy.ts';
import { readGold } from './read-gold.ts';
import { rejectEverywhere } from './reject-everywhere.ts';
import { titleOf } from './title.ts';

/** How many neighbour databases each sample is proven on besides the original. */
const NEIGHBOURS = 2;

/** Generates one domain: reads its gold SQL, lowers it, proves the candidates and keeps those that hold. */
export async function proveDomain(
  domain: Domain,
  questions: readonly Question[],
  context: DomainContext,
): Promise<DomainResult> {
  const { db, catalog, file } = domain;
  const { split, jobs, scratch, onBug, onStep } = context;
  const nearLimit = new NearLimit();
  const oracle = context.oracle.over(catalog, nearLimit.note);
  const sql = { catalog, referenceTime: context.referenceTime };
  onStep?.('runs gold SQL');
  const { golds, unreadable } = await readGold(questions, sql, { oracle, file, jobs, onBug });

  const asked = golds.filter(({ question }) => !question.query_arguments);
  const called = golds.filter(({ question }) => question.query_arguments);
  const queries = shaping(asked, called).map(({ query }) => query);
  const database = join(scratch, `${db}.sqlite`);
  const searched = planSearchIndexes(catalog, file);
  onStep?.('makes the served copy');
  await makeFastCopy(file, database, planIndexes(queries, catalog), searched, { queries, catalog, oracle });
  const variantsFolder = join(scratch, `${db}-variants`);
  onStep?.('makes neighbours');
  const variants = await makeVariants({
    catalog,
    queries,
    original: { label: 'original', plain: file, served: database },
    folder: variantsFolder,
    seed: split,
    count: NEIGHBOURS,
    oracle,
    sharpen: context.sharpen,
  });

  const goldAnswers = new GoldAnswers(oracle, catalog);
  const [original, ...neighbours] = variants;
  onStep?.('audits gold SQL');
  const findings = await auditGolds(golds, {
    catalog,
    oracle,
    file,
    neighbours: [],
    rules: RULES.filter(({ byDefault }) => byDefault),
    jobs,
    rowsOf: (gold) => goldAnswers.expect(gold, original).then(({ rows }) => rows),
    ...(context.signal ? { signal: context.signal } : {}),
  });
  const written = [original, ...neighbours.filter(({ ready }) => !ready)] as const;
  const plain = asked.filter(({ query }) => !callsScalarApi(query));
  const scalar = asked.filter(({ query }) => callsScalarApi(query));
  const ties = { goldAnswers, variants: written, oracle, catalog, jobs };
  onStep?.('breaks ties');
  const tieBroken = await breakGoldTies(plain, ties);
  const withScalars = { golds: scalar, tieBroken: await breakGoldTies(scalar, ties) };
  const title = titleOf(db);
  const { referenceTime, pathParameters, hidden } = context;
  const lowered = MAKERS.map((maker) =>
    maker.lower(
      { golds: plain, tieBroken, called, withScalars },
      {
        split,
        db,
        title,
        catalog,
        referenceTime,
        file,
        database,
        goldAnswers,
        pathParameters,
        hidden,
        onBug,
      },
    ),
  );
  const service: Service = {
    format_version: 1,
    split,
    db,
    title,
    data_licence: context.dataLicence,
    reference_time: referenceTime,
    ...together(lowered.map(({ offers }) => offers)),
    catalog,
    ...(hidden ? { hidden: [...hidden] } : {}),
    ...(hidden && questions.some(({ augmentation }) => augmentation) ? { scalars: true } : {}),
    ...(searched.length > 0 ? { search_indexes: searched.map(({ collection }) => collection) } : {}),
  };

  const apps = await buildVariantApps(service, variants, {
    timeoutMs: context.timeoutMs,
    children: jobs,
    onCost: nearLimit.note,
  });
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
    const proven: ProvenDomain[] = [];
    for (const each of lowered) proven.push(await each.prove(prove));
    const kept: Service = {
      ...service,
      ...together(proven.map(({ offers }) => offers)),
      catalog: listValues(catalog, file),
    };
    const goldOf = new Map(golds.map((gold) => [gold.question.question_id, gold]));
    const faultContext = {
      service: kept,
      app: apps.app(original),
      neighbours: neighbours.slice(0, NEIGHBOURS).map((variant) => apps.app(variant)),
    };
    const samples = await pMap(
      proven.flatMap((each) => each.samples),
      async (sample) => {
        context.signal?.throwIfAborted();
        const silent_faults = await proveSilentFaults(sample, {
          ...faultContext,
          gold: goldOf.get(sample.question_id),
        });
        return silent_faults ? { ...sample, silent_faults } : sample;
      },
      { concurrency: jobs },
    );
    const verdicts = [
      ...unreadable.flatMap((each) => rejectEverywhere(each)),
      ...scalar.flatMap(needsScalars),
      ...proven.flatMap((each) => each.verdicts),
    ].map(withFindings(findings, questions));
    return {
      service: kept,
      database,
      samples: inOrder(samples, questions),
      verdicts: inOrder(verdicts, questions),
      openapi: documentsOf(kept),
      nearLimit: nearLimit.of(questions),
    };
  } finally {
    await apps.close();
    removeVariants(variantsFolder);
  }
}

/**
 * The gold queries that indexes and neighbours are made for. Questions that name their call are proven beside others,
 * and change nothing about them. Where there are no others, those without a search: what tells its words apart is not
 * found by changing rows until a pattern just fails, which took most of the time, and proved no more.
 */
function shaping(plain: readonly GoldQuery[], called: readonly GoldQuery[]): readonly GoldQuery[] {
  if (plain.length > 0) return plain;
  return called.filter(({ question }) => question.query_arguments?.search_query === undefined);
}

/** Each maker once, though several formulations may be its own. */
const MAKERS = [...new Set(Object.values(SAMPLE_MAKERS))];

function together(offers: readonly Offers[]): Offers {
  return {
    endpoints: byName(offers.flatMap(({ endpoints }) => endpoints)),
    start_tables: byHandle(offers.flatMap(({ start_tables }) => start_tables)),
  };
}

/** No formulation that takes every question has tools for what such a question asks. */
function needsScalars({ question, query }: GoldQuery): Verdict[] {
  const names = [...new Set(scalarCalls(query).map(({ name }) => name))];
  const reason = `calls ${names.join(', ')}; a farm made with --hidden has such questions in hybrid`;
  const rejection = new QueryError('NEEDS_SCALAR_APIS', reason, names[0]).toRejection();
  return rejectEverywhere({ question, rejection }, { ...NOTHING_MADE, constructs: constructsOf(query) });
}

/** They are made in the order of the questions, which is not for everybody to read. */
function byName(endpoints: readonly Endpoint[]): Endpoint[] {
  return [...endpoints].sort((a, b) => (a.name < b.name ? -1 : 1));
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

/** Puts the names of the rules that found something in a question's gold SQL into its verdicts. */
function withFindings(
  findings: ReadonlyMap<Question, readonly NamedFinding[]>,
  questions: readonly Question[],
) {
  const names = new Map(
    questions.map((question) => [
      String(question.question_id),
      [...new Set(findings.get(question)?.map(({ rule }) => rule))].sort(),
    ]),
  );
  return (verdict: Verdict): Verdict => {
    const own = names.get(String(verdict.question_id)) ?? [];
    return own.length === 0 ? verdict : { ...verdict, findings: own };
  };
}
