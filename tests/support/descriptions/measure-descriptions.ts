import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QueryError } from '../../../contracts/errors.ts';
import type { Domain, Question, Split } from '../../../contracts/split.ts';
import { lowerRest } from '../../../generator/lower/lower-rest.ts';
import { Oracle } from '../../../generator/oracle/oracle.ts';
import { type DatabaseVariant, makeVariants } from '../../../generator/variants/neighbours.ts';
import { GoldAnswers } from '../../../generator/verify/gold-answers.ts';
import { parseQuery, printQuery, type Query } from '../../../sql/index.ts';
import { slipsOf } from './slips.ts';

/** The outcome of one change of one clause. */
export interface Slip {
  readonly db: string;
  readonly kind: string;
  /** Whether the endpoint's description would change. */
  readonly caught: boolean;
  readonly sql: string;
  readonly changed: string;
  readonly said: string;
}

export interface MeasureOptions {
  readonly referenceTime: string;
  /** Every how many-th query of a domain is changed. */
  readonly every: number;
  readonly only: readonly string[];
  readonly onDomain?: (db: string, slips: readonly Slip[]) => void;
}

/**
 * Changes one clause of each query at a time and checks whether its endpoint's texts (summary, description, parameters
 * and columns together) change too. Only changes that give another answer in the data or in a neighbour of it count.
 */
export async function measureDescriptions(split: Split, options: MeasureOptions): Promise<readonly Slip[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'rookery-descriptions-'));
  const oracle = new Oracle({ referenceTime: options.referenceTime, limitMs: 3_000, maxRows: 20_000 });
  const slips: Slip[] = [];
  try {
    for (const domain of split.domains) {
      if (options.only.length > 0 && !options.only.includes(domain.db)) continue;
      // Words written for an endpoint are about its own query only.
      const questions = split.questions
        .filter(({ db_id }) => db_id === domain.db)
        .map((question) => ({ ...question, endpoint_words: undefined }));
      const found = await measureDomain(domain, questions, {
        ...options,
        oracle,
        scratch,
        split: split.name,
      });
      options.onDomain?.(domain.db, found);
      slips.push(...found);
    }
  } finally {
    await oracle.close();
    rmSync(scratch, { recursive: true, force: true });
  }
  return slips;
}

interface DomainContext extends MeasureOptions {
  readonly oracle: Oracle;
  readonly scratch: string;
  readonly split: string;
}

async function measureDomain(
  domain: Domain,
  questions: readonly Question[],
  { oracle, scratch, split, referenceTime, every }: DomainContext,
): Promise<readonly Slip[]> {
  const { db, catalog, file } = domain;
  const bound = questions.flatMap((question) => {
    try {
      return [{ question, query: parseQuery(question.sql, { catalog, referenceTime }) }];
    } catch (error) {
      if (error instanceof QueryError) return [];
      throw error;
    }
  });
  const context = { split, db, catalog };
  const { candidates } = lowerRest(bound, context);
  const first = new Map(candidates.toReversed().map(({ endpoint, question }) => [endpoint, question]));
  const chosen = bound.filter(({ question }) => [...first.values()].includes(question));
  const variants = await makeVariants({
    catalog,
    original: { label: 'original', plain: file, served: file },
    queries: bound.map(({ query }) => query),
    folder: join(scratch, db),
    seed: split,
    oracle,
  });
  const written = variants.filter(({ ready }) => !ready);
  const gold = new GoldAnswers(oracle, catalog);
  const slips: Slip[] = [];
  for (const one of chosen.filter((_, i) => i % every === 0)) {
    const said = saidOf(one.query);
    if (said === null) continue;
    for (const { kind, query } of slipsOf(one.query, catalog)) {
      const changed = printQuery(query);
      const other = saidOf(query);
      if (
        other === null ||
        !(await differs({ question: one.question, query: one.query }, query, written, gold))
      )
        continue;
      slips.push({ db, kind, caught: other !== said, sql: printQuery(one.query), changed, said });
    }
    function saidOf(query: Query): string | null {
      try {
        const [endpoint] = lowerRest([{ question: one.question, query }], context).endpoints;
        if (endpoint === undefined) return null;
        const parameters = endpoint.parameters.map(({ name, description }) => `${name}: ${description}`);
        const columns = endpoint.columns.map(({ name, description }) => `${name}: ${description}`);
        return [endpoint.summary, endpoint.description, ...parameters, ...columns].join('\n');
      } catch (error) {
        if (error instanceof QueryError) return null;
        throw error;
      }
    }
  }
  return slips;
}

/** Whether a changed query gives an answer that the original may not give, on the data or on a neighbour. */
async function differs(
  original: { readonly question: Question; readonly query: Query },
  changed: Query,
  variants: readonly DatabaseVariant[],
  gold: GoldAnswers,
): Promise<boolean> {
  for (const variant of variants) {
    try {
      const expected = await gold.expect(original, variant);
      const { rows } = await gold.expectAnswerTo(printQuery(changed), changed, variant.plain);
      const { sql } = original.question;
      if (!(await gold.allows(rows, { expected, sql, query: original.query, variant }))) return true;
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
    }
  }
  return false;
}
