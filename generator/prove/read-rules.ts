import { sameRows } from '../../contracts/answer-rows.ts';
import type { Catalog, Policy } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Domain, Question, Unanswerable } from '../../contracts/split.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { splitStatements } from '../oracle/gold-sql.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { DomainResult, ProvenUnanswerable } from '../write/emit-farm.ts';
import { sampleWithoutAnswer, TAKEN } from './unanswerable-sample.ts';

/** The rules of a domain about what may be disclosed. */
export function readRules({ policies = [] }: Catalog): Policy[] {
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

  const [lost, kept] = partition(result.samples, ({ question_id }) => broken.has(String(question_id)));
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

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/**
 * Whether the rows of a query depend on what a rule hides: they differ once the hidden columns are NULL, or the hidden
 * rows are not there. A rule about how many rows hides them all, and holds up to that many rows of the answer.
 */
export async function breaksRule(
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
