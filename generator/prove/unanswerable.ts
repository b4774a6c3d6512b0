import pMap from 'p-map';
import { sameRows } from '../../contracts/answer-rows.ts';
import type { Catalog, Policy } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Domain, Question, Unanswerable, UnanswerableQuestion } from '../../contracts/split.ts';
import { initializationArguments } from '../../contracts/tools.ts';
import { parseQuery, quoteIdentifier } from '../../sql/index.ts';
import { splitStatements } from '../oracle/gold-sql.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { GoldAnswers } from '../verify/gold-answers.ts';
import type { DomainResult, ProvenUnanswerable } from '../write/emit-farm.ts';

/**
 * Proves that a domain's questions have no single answer: the readings of an ambiguous one give different rows, the check
 * of a false premise finds none, and a forbidden answer depends on what the rule hides. Each gets the tools that the domain's other questions have.
 */
export async function proveUnanswerable(
  { db, catalog, file, unanswerable = [] }: Domain,
  { service, database, samples }: DomainResult,
  { oracle: shared, jobs }: { readonly oracle: Oracle; readonly jobs: number },
): Promise<ProvenUnanswerable> {
  const { split } = service;
  const oracle = shared.over(catalog);
  const golds = new GoldAnswers(oracle, catalog);
  const variant = { label: 'original', plain: file, served: database, isNeighbour: false };
  const sql = { catalog, referenceTime: service.reference_time };

  async function answerOf(question: UnanswerableQuestion, text: string, at: number) {
    const asked: Question = {
      question_id: `${question.question_id}, reading ${at + 1}`,
      db_id: db,
      question: question.question,
      evidence: question.evidence,
      difficulty: null,
      sql: text,
    };
    const gold = { question: asked, query: parseQuery(text, sql) };
    const { columns, rows, orderGroups } = await golds.expect(gold, variant);
    const { tied_rows } = await golds.ties(gold, variant);
    return {
      gold_answer: rows.map((row) => [...row]),
      gold_columns: [...columns],
      order_groups: orderGroups === null ? null : [...orderGroups],
      ...(tied_rows ? { tied_rows } : {}),
    };
  }

  async function prove(question: UnanswerableQuestion): Promise<Unanswerable> {
    if (question.kind === 'ambiguous') {
      const { kind, clarification } = question;
      const readings = await pMap(
        question.readings,
        async (reading, at) => ({ ...reading, ...(await answerOf(question, reading.sql, at)) }),
        { concurrency: 1 },
      );
      for (const [at, { gold_answer }] of readings.entries()) {
        const same = readings
          .slice(0, at)
          .findIndex((other) => sameRows(other.gold_answer, gold_answer, null));
        if (same >= 0) {
          const reason = `readings ${same + 1} and ${at + 1} give the same rows`;
          throw new QueryError('NOT_UNANSWERABLE', reason, readings[at]?.sql);
        }
      }
      return { kind, clarification, readings };
    }
    if (question.kind === 'false_premise') {
      const { kind, premise, refutation, check_sql } = question;
      const { rows } = await oracle.run(file, check_sql);
      if (rows.length > 0) throw new QueryError('NOT_UNANSWERABLE', 'check_sql finds rows', check_sql);
      return { kind, premise, refutation, check_sql };
    }
    if (question.kind === 'forbidden') {
      const { kind, policy: id, sql: forbidden } = question;
      const rule = readRules(catalog).find((each) => each.id === id);
      if (!rule) throw new QueryError('NOT_UNANSWERABLE', `the domain has no rule ${id} about reading`);
      if (!(await breaksRule(oracle, { catalog, file }, rule, forbidden)))
        throw new QueryError('NOT_UNANSWERABLE', `its answer does not break the rule ${id}`, forbidden);
      return { kind, policy: id, rule: rule.rule, sql: forbidden };
    }
    const { kind, missing, nearest } = question;
    return { kind, missing, nearest };
  }

  const proven = await pMap(
    unanswerable,
    async (question) => {
      const { question_id, kind } = question;
      const about = { db, question_id, kind };
      try {
        const made = makeSamples(question, await prove(question), samples, split);
        const formulations = made.map(({ formulation }) => formulation);
        return { samples: made, verdict: { ...about, formulations, rejection: null } };
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
        return { samples: [], verdict: { ...about, formulations: [], rejection: error.toRejection() } };
      }
    },
    { concurrency: jobs },
  );
  return { samples: proven.flatMap((each) => each.samples), verdicts: proven.map(({ verdict }) => verdict) };
}

function makeSamples(
  question: UnanswerableQuestion,
  unanswerable: Unanswerable,
  others: readonly Sample[],
  split: string,
): Sample[] {
  const words = new Set(wordsOf(aboutOf(question)));
  return TAKEN.flatMap((formulation): Sample[] => {
    const model = mostAlike(
      others.filter((sample) => sample.formulation === formulation),
      words,
    );
    if (!model) return [];
    const { question_id, db_id } = question;
    return [
      sampleWithoutAnswer(question, unanswerable, model, `${split}/${db_id}/${question_id}/${formulation}`),
    ];
  });
}

/** The texts that name the tables a question is about. */
function aboutOf(question: UnanswerableQuestion): string {
  if (question.kind === 'ambiguous') return question.readings.map(({ sql }) => sql).join(' ');
  if (question.kind === 'forbidden') return question.sql;
  return question.kind === 'false_premise' ? question.check_sql : `${question.nearest} ${question.missing}`;
}

/** The sample whose start table has most of the tables that are named, and of these the fewest others. */
function mostAlike(samples: readonly Sample[], words: ReadonlySet<string>): Sample | undefined {
  let best: { readonly sample: Sample; readonly named: number; readonly others: number } | undefined;
  for (const sample of samples) {
    if (FORMULATIONS[sample.formulation].calls === 'single') return sample;
    const tables = tablesOf(sample);
    const named = tables.filter((table) => words.has(table)).length;
    const others = tables.length - named;
    if (!best || named > best.named || (named === best.named && others < best.others))
      best = { sample, named, others };
  }
  return best?.sample;
}

function tablesOf({ initialization_step: step }: Sample): string[] {
  if (step === null) return [];
  const { additional_tables = [], ...first } = initializationArguments.parse(step.arguments);
  const tables = [first, ...additional_tables].flatMap((each) => Object.values(each.alias_to_table_dict));
  return [...new Set(tables.map(({ original_table_name: name }) => wordsOf(name).join(' ')))];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\w+/g) ?? [];
}

/** The rules of a domain about what may be disclosed. */
function readRules({ policies = [] }: Catalog): Policy[] {
  return policies.filter(({ on }) => on.includes('read'));
}

/**
 * Takes the questions whose answers a rule forbids out of a domain's samples, with the dialogues that ask them, and gives
 * them back as questions to be declined; rejected if SQLite cannot run them with what is hidden. Their endpoints and tools
 * stay: nothing but the rule keeps an agent from calling them.
 */
export async function declineForbidden(
  { db, catalog, file }: Domain,
  result: DomainResult,
  questions: readonly Question[],
  shared: Oracle,
): Promise<{ readonly result: DomainResult; readonly declined?: ProvenUnanswerable }> {
  const rules = readRules(catalog);
  if (rules.length === 0) return { result };
  const oracle = shared.over(catalog);
  const broken = new Map<string, Extract<Unanswerable, { kind: 'forbidden' }>>();
  const undecided = new Map<string, QueryError>();
  for (const { question_id, sql } of questions) {
    // Faulty SQL has no samples, and what changes rows has rules of its own.
    if (!result.samples.some((sample) => isReadingOf(sample, question_id))) continue;
    for (const rule of rules) {
      const id = String(question_id);
      if (broken.has(id)) continue;
      const breaks = await breaksRule(oracle, { catalog, file }, rule, sql).catch((error: unknown) => {
        if (!(error instanceof QueryError)) throw error;
        undecided.set(id, error);
        return true;
      });
      if (breaks) broken.set(id, { kind: 'forbidden', policy: rule.id, rule: rule.rule, sql });
    }
  }
  if (broken.size === 0) return { result };

  const isLost = ({ question_id }: Sample) => broken.has(String(question_id));
  const lost = result.samples.filter(isLost);
  const kept = result.samples.filter((sample) => !isLost(sample));
  const lostIds = new Set(lost.map(({ sample_id }) => sample_id));
  const samples = kept.filter(({ turns = [] }) => !turns.some(({ sample_id }) => lostIds.has(sample_id)));
  const alone = questions.filter(
    ({ question_id, turn_of }) => broken.has(String(question_id)) && turn_of === undefined,
  );
  const declined = alone.map((question) => {
    const { question_id } = question;
    const id = String(question_id);
    const why = broken.get(id) as Unanswerable;
    const rejection = undecided.get(id)?.toRejection() ?? null;
    const made = (rejection ? [] : lost)
      .filter((sample) => isReadingOf(sample, question_id))
      .map((sample) => sampleWithoutAnswer(question, why, sample, sample.sample_id));
    const formulations = made.map(({ formulation }) => formulation);
    return { made, verdict: { db, question_id, kind: why.kind, formulations, rejection } };
  });
  return {
    result: {
      ...result,
      samples,
      verdicts: result.verdicts.filter(({ question_id }) => !broken.has(String(question_id))),
    },
    declined: {
      samples: declined.flatMap(({ made }) => made),
      verdicts: declined.map(({ verdict }) => verdict),
    },
  };
}

function isReadingOf(sample: Sample, question_id: Question['question_id']): boolean {
  return (
    String(sample.question_id) === String(question_id) && TAKEN.some((kind) => kind === sample.formulation)
  );
}

/**
 * Whether the rows of a query depend on what a rule hides: they differ once the hidden columns are NULL, or the hidden
 * rows are not there. A rule about how many rows hides them all, and holds up to that many rows of the answer.
 */
async function breaksRule(
  oracle: Oracle,
  { catalog, file }: { readonly catalog: Catalog; readonly file: string },
  rule: Policy,
  sql: string,
): Promise<boolean> {
  const [query = ''] = splitStatements(sql);
  const { rows } = await oracle.run(file, query);
  if (rule.at_most !== undefined && rows.length <= rule.at_most) return false;
  // A common table expression stands for the table in the whole query, its own ones included.
  const hiding = `WITH ${quoteIdentifier(rule.table)} AS (${hidden(catalog, rule)})\nSELECT * FROM (\n${query}\n)`;
  return !sameRows(rows, (await oracle.run(file, hiding)).rows, null);
}

function hidden({ tables }: Catalog, { table, forbid, columns = [] }: Policy): string {
  const list = (tables.find(({ name }) => name === table)?.columns ?? []).map(({ name }) =>
    columns.includes(name) ? `NULL AS ${quoteIdentifier(name)}` : quoteIdentifier(name),
  );
  const kept = columns.length > 0 ? '1' : forbid === undefined ? '0' : `NOT coalesce((\n${forbid}\n), 0)`;
  return `SELECT ${list.join(', ')} FROM main.${quoteIdentifier(table)} AS before WHERE ${kept}`;
}

/** `hybrid` and `records` have tasks of their own making. */
const TAKEN = ['rest', 'slot', 'sel', 'query'] as const;

/** A question without one answer, with the formulation, the tools and the start tables of another sample. */
function sampleWithoutAnswer(
  { question_id, db_id, question, evidence, canary }: Question | UnanswerableQuestion,
  unanswerable: Unanswerable,
  { formulation, initialization_step, toolset }: Sample,
  sample_id: string,
): Sample {
  return {
    sample_id,
    dataset_name: db_id,
    question_id,
    formulation,
    input: question,
    evidence,
    difficulty: null,
    query: '',
    gold_answer: [],
    gold_columns: [],
    ordered: false,
    order_groups: null,
    initialization_step,
    output: [],
    output_after_executing_api: null,
    toolset,
    flags: [],
    ...(canary ? { canary } : {}),
    unanswerable,
  };
}
