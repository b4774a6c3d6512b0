import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pMap from 'p-map';
import type { Catalog, CatalogColumn } from '../../contracts/catalog.ts';
import { type Dialogue, type DialogueTurn, nameSeenFrom, turnSampleId } from '../../contracts/dialogue.ts';
import { isolateBugs, type OnBug, QueryError } from '../../contracts/errors.ts';
import type { Rejection, Verdict } from '../../contracts/farm.ts';
import { formulationsOf, isOfRecords } from '../../contracts/formulations.ts';
import { type Formulation, formulation, type Sample } from '../../contracts/sample.ts';
import type { Endpoint, Service } from '../../contracts/service.ts';
import type { Domain, Question } from '../../contracts/split.ts';
import type { StartTable } from '../../contracts/tools.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations.ts';
import { constructsOf, printQuery, type Query, quoteIdentifier, type SqlContext } from '../../sql/index.ts';
import { markGuessable } from '../audit/baselines.ts';
import { auditGolds, type NamedFinding, RULES } from '../audit/rules.ts';
import { SAMPLE_MAKERS } from '../formulations/registry.ts';
import {
  type DomainOptions,
  makeVerdict,
  NOTHING_MADE,
  type Offers,
  type ProveContext,
  type ProvenDomain,
} from '../formulations/sample-maker.ts';
import { withDatabase } from '../oracle/engines.ts';
import { callsScalarApi, parseGold, scalarApisIn } from '../oracle/gold-sql.ts';
import { togetherOf } from '../oracle/oracle.ts';
import { makeServedCopy, planIndexes, planSearchIndexes } from '../oracle/served-copy.ts';
import { type KillMutants, makeVariants, NEIGHBOURS, removeVariants } from '../variants/neighbours.ts';
import { statementsFor } from '../verify/expectation.ts';
import { GoldAnswers, type GoldQuery, NearLimit, onBehalfOf } from '../verify/gold-answers.ts';
import { proveSilentFaults } from '../verify/silent-faults.ts';
import { buildVariantApps } from '../verify/verify-candidate.ts';
import type { DomainResult } from '../write/emit-farm.ts';
import { breakGoldTies, makeFastCopy } from './fast-copy.ts';

/** Reads a domain's gold SQL, lowers it, and keeps the candidates that it proves. */
export async function proveDomain(
  domain: Domain,
  questions: readonly Question[],
  context: DomainContext,
): Promise<DomainResult> {
  const { db, catalog, file } = domain;
  const { split, jobs, scratch, onBug, onStep } = context;
  const nearLimit = new NearLimit();
  const oracle = context.oracle.over(catalog, { onCost: nearLimit.note, remembers: true });
  const sql = { catalog, referenceTime: context.referenceTime };
  onStep?.('runs gold SQL');
  const writes = questions.filter(isOfRecords);
  const reads = questions.filter((question) => !isOfRecords(question));
  const { golds, unreadable } = await readGold(reads, sql, { oracle, file, jobs, onBug });

  const fromSql = golds.filter(({ question }) => !question.query_arguments);
  const called = golds.filter(({ question }) => question.query_arguments);
  const queries = shaping(fromSql, called).map(({ query }) => query);
  const database = join(scratch, `${db}.sqlite`);
  const searched = planSearchIndexes(catalog, file);
  onStep?.('makes the served copy');
  await makeFastCopy(file, database, planIndexes(queries, catalog), searched, {
    queries,
    catalog,
    oracle,
    referenceTime: context.referenceTime,
  });
  const variantsFolder = join(scratch, `${db}-variants`);
  onStep?.('makes neighbours');
  const variants = await makeVariants({
    catalog,
    queries,
    original: { label: 'original', plain: file, served: database },
    folder: variantsFolder,
    seed: split,
    oracle,
    isSearched: called.length > 0,
    killMutants: context.killMutants,
  });

  const goldAnswers = new GoldAnswers(oracle, catalog);
  const [original, ...neighbours] = variants;
  const written = [original, ...neighbours.filter(({ ready }) => !ready)] as const;
  const ambiguous = golds.filter(({ query }) => goldAnswers.ambiguitiesOf(query).length > 0);
  for (const [i, variant] of written.slice(1).entries())
    await goldAnswers.expectAllAhead(i < NEIGHBOURS ? golds : ambiguous, variant);
  onStep?.('audits gold SQL');
  const findings = await auditGolds(golds, {
    catalog,
    oracle,
    file,
    neighbours: [],
    rules: RULES.filter(({ byDefault }) => byDefault),
    jobs,
    rowsOf: (gold) => goldAnswers.expect(gold, original).then(({ rows }) => rows),
    signal: context.signal,
  });
  const plain = fromSql.filter(({ query }) => !callsScalarApi(query));
  const scalar = fromSql.filter(({ query }) => callsScalarApi(query));
  const ties = { goldAnswers, variants: written, oracle, catalog, jobs };
  onStep?.('breaks ties');
  const tieBroken = await breakGoldTies(plain, ties);
  const withScalars = { golds: scalar, tieBroken: await breakGoldTies(scalar, ties) };
  const domainGolds = { golds: plain, tieBroken, called, withScalars, writes };
  const lowering = { ...context, db, catalog, file, database, goldAnswers };
  const lowered = MAKERS.map((maker) => maker.lower(domainGolds, lowering));
  const service: Service = {
    ...bareService(domain, context),
    ...together(lowered),
    ...(context.hidden && questions.some(({ augmentation }) => augmentation) ? { scalars: true } : {}),
    ...(searched.length > 0 ? { search_indexes: searched.map(({ collection }) => collection) } : {}),
  };

  const apps = await buildVariantApps(service, variants, {
    timeoutMs: context.timeoutMs,
    children: context.children,
    onCost: nearLimit.note,
  });
  try {
    const prove = { ...context, db, catalog, service, goldAnswers, oracle, variants, apps };
    const proven: ProvenDomain[] = [];
    for (const each of lowered) proven.push(await each.prove(prove));
    const { actions: _all, ...lowerable } = service;
    const kept: Service = {
      ...lowerable,
      ...together(proven),
      catalog: annotateEnumValues(catalog, file),
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
      samples: withDialogues(inOrder(samples, questions), questions),
      verdicts: inOrder(verdicts, questions),
      openapi: documentsOf(kept, samples),
      nearLimit: nearLimit.of(questions),
    };
  } finally {
    await apps.close();
    removeVariants(variantsFolder);
  }
}

/** The queries that indexes and neighbours are made for; calls of `query` other than searches, if there is no SQL. */
function shaping(plain: readonly GoldQuery[], called: readonly GoldQuery[]): readonly GoldQuery[] {
  if (plain.length > 0) return plain;
  return called.filter(({ question }) => question.query_arguments?.search_query === undefined);
}

/** Formulations may share a maker. */
const MAKERS = [...new Set(Object.values(SAMPLE_MAKERS))];

function together(offers: readonly Partial<Offers>[]): Offers {
  const actions = offers.flatMap((each) => each.actions ?? []);
  return {
    endpoints: byName(offers.flatMap(({ endpoints = [] }) => endpoints)),
    start_tables: byHandle(offers.flatMap(({ start_tables = [] }) => start_tables)),
    ...(actions.length > 0 ? { actions: byName(actions) } : {}),
  };
}

/** Formulations that take all questions have no tools for scalar APIs. */
function needsScalars({ question, query }: GoldQuery): Verdict[] {
  const names = scalarApisIn(query);
  const reason = `calls ${names.join(', ')}; a farm made with --hidden has such questions in hybrid`;
  const rejection = new QueryError('NEEDS_SCALAR_APIS', reason, names[0]).toRejection();
  return rejectEverywhere({ question, rejection }, { ...NOTHING_MADE, constructs: constructsOf(query) });
}

/** Endpoints, or actions, by name, since their original order reveals that of the questions. */
function byName<Named extends Pick<Endpoint, 'name'>>(endpoints: readonly Named[]): Named[] {
  return [...endpoints].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function byHandle(tables: readonly StartTable[]): StartTable[] {
  const unique = new Map(tables.map((table) => [table.handle, table]));
  return [...unique.values()].sort((a, b) => (a.handle < b.handle ? -1 : 1));
}

/** By question in the order of the split, then by formulation. */
function inOrder<T extends Pick<Verdict, 'question_id' | 'formulation'>>(
  items: readonly T[],
  questions: readonly Question[],
): T[] {
  const place = new Map(questions.map(({ question_id }, i) => [question_id, i]));
  const rank = (item: T) =>
    (place.get(item.question_id) ?? 0) * formulation.options.length +
    formulation.options.indexOf(item.formulation);
  return [...items].sort((a, b) => rank(a) - rank(b));
}

/** Adds the findings on a question's gold SQL to its verdicts. */
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

export interface DomainContext extends DomainOptions, Pick<ProveContext, 'oracle' | 'signal' | 'onVerdict'> {
  readonly killMutants: KillMutants;
  /** Called before each step that can take long. */
  readonly onStep?: (step: string) => void;
  /** If absent, the first bug ends the run. */
  readonly onBug?: OnBug | undefined;
}

interface Unreadable {
  readonly question: Question;
  readonly rejection: Rejection;
}

/** Splits the questions by whether SQLite runs and rookery parses their gold SQL. */
export async function readGold(
  questions: readonly Question[],
  sql: SqlContext,
  { oracle, file, jobs, onBug }: Pick<DomainContext, 'oracle' | 'jobs' | 'onBug'> & { readonly file: string },
): Promise<{ readonly golds: readonly GoldQuery[]; readonly unreadable: readonly Unreadable[] }> {
  const native = { engine: 'native', prepareOnly: true } as const;
  const read = (await pMap(togetherOf(questions), readSome, { concurrency: jobs })).flat();

  async function readSome(some: readonly Question[]): Promise<(GoldQuery | Unreadable)[]> {
    const parsed = some.map((question) => ({ question, made: tryParse(question.sql, sql) }));
    const statements = parsed.flatMap(({ question, made }) =>
      'error' in made
        ? []
        : [
            ...statementsFor(question.sql, made.query, sql.catalog, { cut: true }),
            { sql: made.printed, ...native },
          ],
    );
    await oracle.runAhead(file, statements);
    return pMap(parsed, ({ question, made }) => onBehalfOf(question, () => readOne(question, made)), {
      concurrency: 1,
    });
  }

  async function readOne(
    question: Question,
    made: ReturnType<typeof tryParse>,
  ): Promise<GoldQuery | Unreadable> {
    try {
      // If SQLite fails, parsing does not matter.
      await oracle.run(file, question.sql);
      const { query, printed } = isolateBugs(question, onBug, () => {
        if ('error' in made) throw made.error;
        return made;
      });
      // Services read no double-quoted text as a string.
      await oracle.run(file, printed, native);
      return { question, query };
    } catch (error) {
      if (error instanceof QueryError) return { question, rejection: error.toRejection() };
      throw error;
    }
  }

  return {
    golds: read.filter((item): item is GoldQuery => 'query' in item),
    unreadable: read.filter((item): item is Unreadable => 'rejection' in item),
  };
}

function tryParse(
  text: string,
  sql: SqlContext,
): { readonly query: Query; readonly printed: string } | { readonly error: unknown } {
  try {
    const query = parseGold(text, sql);
    return { query, printed: printQuery(query) };
  } catch (error) {
    return { error };
  }
}

/** A column with more or longer texts holds names rather than kinds. */
const MOST_VALUES = 100;
const MOST_CHARACTERS = 60;

function annotateEnumValues(catalog: Catalog, file: string): Catalog {
  return withDatabase(file, (connection) => ({
    ...catalog,
    tables: catalog.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => {
        if (table.view || !holdsKinds(column)) return column;
        const name = quoteIdentifier(column.name);
        const values = connection
          .prepare(
            `SELECT DISTINCT ${name} COLLATE BINARY FROM ${quoteIdentifier(table.name)} WHERE ${name} IS NOT NULL`,
          )
          .pluck()
          .all()
          .filter((value) => typeof value === 'string');
        const isShort = values.every((value) => value.length <= MOST_CHARACTERS);
        return isShort && values.length > 0 ? { ...column, values: values.sort() } : column;
      }),
    })),
  }));
}

function holdsKinds({ statistics: { storage, distinct } }: CatalogColumn): boolean {
  return storage.text > 0 && storage.blob === 0 && distinct > 0 && distinct <= MOST_VALUES;
}

export function bareService(
  { db, catalog }: Pick<Domain, 'db' | 'catalog'>,
  {
    split,
    dataLicence,
    referenceTime,
    hidden,
  }: Pick<DomainOptions, 'split' | 'dataLicence' | 'referenceTime' | 'hidden'>,
): Service {
  return {
    format_version: 1,
    split,
    db,
    title: titleOf(db),
    data_licence: dataLicence,
    reference_time: referenceTime,
    endpoints: [],
    start_tables: [],
    catalog,
    ...(hidden ? { hidden: [...hidden] } : {}),
  };
}

/** A domain lost to a bug: a database without endpoints, and every question rejected. */
export function failDomain(
  domain: Domain,
  questions: readonly Question[],
  error: unknown,
  options: DomainOptions,
): DomainResult {
  const database = join(options.scratch, `${domain.db}.sqlite`);
  rmSync(database, { force: true });
  makeServedCopy(domain.file, database, []);
  const service = bareService(domain, options);
  const reason = error instanceof Error ? error.message : String(error);
  const rejection = new QueryError('GENERATOR_BUG', reason).toRejection();
  const verdicts = questions.flatMap((question) => rejectEverywhere({ question, rejection }));
  return { service, database, samples: [], verdicts, openapi: documentsOf(service, []), nearLimit: [] };
}

function rejectEverywhere({ question, rejection }: Unreadable, facts = NOTHING_MADE): Verdict[] {
  return formulationsOf(question).map((kind) =>
    makeVerdict(question, kind, { kept: false, rejection, flags: [] }, facts),
  );
}

/** `hybrid` has a document only where tables are hidden, and `records` and `actions` where there are tasks. */
export function documentsOf(service: Service, samples: readonly Sample[]): DomainResult['openapi'] {
  const hasTasks = (kind: Formulation) => samples.some((sample) => sample.formulation === kind);
  return formulation.options
    .filter((kind) => (kind !== 'hybrid' || service.hidden) && (!isOfChanges(kind) || hasTasks(kind)))
    .map((kind) => ({ formulation: kind, document: SERVED_FORMULATIONS[kind].openapi(service) }));
}

/** `california_schools` → `California schools`, `cre_Doc_Template_Mgt` → `Cre doc template mgt`. */
function titleOf(db: string): string {
  const words = db
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z0-9]+$/.test(word) ? word : word.toLowerCase()));
  const text = words.join(' ');
  return text === '' ? db : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Flags what trivial baselines pass in a whole farm, and its verdicts. */
export function flagGuessable(domains: readonly DomainResult[]): DomainResult[] {
  const marked = markGuessable(
    domains.map(({ database, samples: all, service }) => ({
      database,
      // Nothing is answered where records change.
      samples: all.filter((sample) => !isOfChanges(sample.formulation)),
      tables: service.catalog.tables,
    })),
  );
  return domains.map((domain) => {
    const samples = domain.samples.map((sample) => marked.get(sample) ?? sample);
    const flags = new Map(samples.map((sample) => [keyOf(sample), sample.flags]));
    return {
      ...domain,
      samples,
      verdicts: domain.verdicts.map((verdict) => ({
        ...verdict,
        flags: flags.get(keyOf(verdict)) ?? verdict.flags,
      })),
    };
  });
}

function keyOf({ question_id, formulation }: Pick<Verdict, 'question_id' | 'formulation'>): string {
  return `${formulation}/${question_id}`;
}

/** Adds a sample for each dialogue whose turns were all kept in a formulation. Without dialogues, the samples as they are. */
export function withDialogues(samples: readonly Sample[], questions: readonly Question[]): readonly Sample[] {
  const turns = new Set(
    questions.flatMap(({ turn_of, question_id }) => (turn_of === undefined ? [] : [String(question_id)])),
  );
  if (turns.size === 0) return samples;
  const flagged = samples.map(
    (sample): Sample =>
      turns.has(String(sample.question_id)) ? { ...sample, flags: [...sample.flags, 'turn'] } : sample,
  );
  return withWholes(flagged, dialoguesIn(questions, false), flagged);
}

/** Adds a sample for each dialogue some of whose turns are asked in another domain. */
export function withDialoguesAcross(
  domains: readonly DomainResult[],
  questions: readonly Question[],
): DomainResult[] {
  const dialogues = dialoguesIn(questions, true);
  if (dialogues.size === 0) return [...domains];
  const all = domains.flatMap(({ samples }) => samples);
  return domains.map((domain) => ({ ...domain, samples: withWholes(domain.samples, dialogues, all) }));
}

/** Dialogues by the id of the question that begins them. */
function dialoguesIn(questions: readonly Question[], isAcross: boolean): ReadonlyMap<string, Dialogue> {
  return new Map(
    questions.flatMap(({ dialogue, question_id }) =>
      dialogue && isAcross === dialogue.turns.some(({ db_id }) => db_id !== undefined)
        ? [[String(question_id), dialogue] as const]
        : [],
    ),
  );
}

function withWholes(
  samples: readonly Sample[],
  dialogues: ReadonlyMap<string, Dialogue>,
  all: readonly Sample[],
): readonly Sample[] {
  const byId = new Map(all.map((sample) => [sample.sample_id, sample]));
  return samples.flatMap((sample) => {
    const dialogue = dialogues.get(String(sample.question_id));
    const whole = dialogue ? dialogueSample(sample, dialogue, byId) : null;
    return whole === null ? [sample] : [whole, sample];
  });
}

/** The sample of a whole dialogue, by that of its first turn; null where a turn was lost. */
function dialogueSample(
  first: Sample,
  { turns, user }: Dialogue,
  byId: ReadonlyMap<string, Sample>,
): Sample | null {
  const { dataset_name: own, initialization_step } = first;
  const id = String(first.question_id).replace(/\.1$/, '');
  const idIn = (db: string) =>
    first.sample_id.replace(`/${own}/${first.question_id}/`, () => `/${db}/${id}/`);
  const members = turns.flatMap(({ db_id = own }, i) => byId.get(turnSampleId(idIn(db_id), i + 1)) ?? []);
  // A run has the tools of one start table.
  const start = JSON.stringify(initialization_step);
  const isWhole = members.length === turns.length;
  if (!isWhole || members.some((each) => JSON.stringify(each.initialization_step) !== start)) return null;
  const [{ text } = { text: '' }] = turns;
  const last = members.at(-1);
  const sizes = new Map(members.map(({ dataset_name, toolset }) => [dataset_name, toolset.size]));
  return {
    ...first,
    // What its records become, in all.
    ...(last?.gold_diff
      ? { output: members.flatMap(({ output }) => output), gold_diff: last.gold_diff }
      : {}),
    sample_id: idIn(own),
    question_id: id,
    input: text,
    evidence: [...new Set(turns.map(({ evidence }) => evidence))].filter((each) => each !== '').join('; '),
    toolset: { ...first.toolset, size: [...sizes.values()].reduce((sum, size) => sum + size, 0) },
    flags: first.flags.map((each) => (each === 'turn' ? 'dialogue' : each)),
    turns: members.map(({ sample_id, dataset_name, output }, i) => {
      const { text, edit, refs, alone, takes_back } = turns[i] as DialogueTurn;
      const names = output.map(({ name }) => nameSeenFrom(own, dataset_name, name));
      return {
        text,
        edit,
        refs,
        alone,
        ...(takes_back === undefined ? {} : { takes_back }),
        sample_id,
        tools: [...new Set(names)],
      };
    }),
    user,
  };
}
