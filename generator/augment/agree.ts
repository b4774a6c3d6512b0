import { domainPath } from '../../contracts/domain-path.ts';
import { QueryError } from '../../contracts/errors.ts';
import { parseExactJson, printExactJson } from '../../contracts/exact-json.ts';
import { RUN_SQL } from '../../contracts/formulations/hybrid.ts';
import { type Executor, planAnswer } from '../../contracts/plan.ts';
import type { Service } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import type { Candidate } from '../lower/candidate.ts';
import type { DatabaseVariant } from '../variants/make-variants.ts';
import type { GoldAnswers, GoldQuery } from '../verify/gold-answers.ts';
import type { InjectableApp, Played } from '../verify/play/play-calls.ts';
import type { VariantApps } from '../verify/play/variant-apps.ts';
import { verifyCandidate } from '../verify/verify-candidate.ts';

/** A domain that is served over the original and its neighbours. */
export interface ServedVariants {
  readonly service: Service;
  readonly goldAnswers: GoldAnswers;
  readonly variants: readonly [DatabaseVariant, ...DatabaseVariant[]];
  readonly apps: VariantApps;
  readonly signal?: AbortSignal;
}

/**
 * Carries out an augmented query in three ways that have little in common: SQLite with functions, the service with
 * virtual tables, and the service with every table and API behind HTTP. Throws WRONG_ROWS, WRONG_ROWS_ON_NEIGHBOUR and
 * CALL_FAILED where they disagree, on the original or on a neighbour.
 */
export async function requireAgreement(
  gold: GoldQuery,
  tables: string,
  served: ServedVariants,
): Promise<void> {
  const ways = [
    { executor: 'functions', sql: tables, share: 0, what: 'virtual tables in SQLite' },
    { executor: 'http', sql: gold.question.sql, share: 100, what: 'functions over HTTP' },
  ] as const;
  for (const { what, ...way } of ways) {
    const outcome = await verifyCandidate(candidateOf(gold.question, way.sql), gold, {
      goldAnswers: served.goldAnswers,
      variants: served.variants,
      play: (_, variant) => carryOut(served.apps.app(variant), served.service, way),
      ...(served.signal ? { signal: served.signal } : {}),
    });
    if (outcome.kept) continue;
    const { code, reason, clause } = outcome.rejection;
    throw new QueryError(code as QueryError['code'], `${what}: ${reason}`, clause);
  }
}

function candidateOf(question: Question, sql: string): Candidate {
  return {
    question,
    formulation: 'hybrid',
    initialization_step: null,
    output: [{ name: RUN_SQL, arguments: { sql } }],
  };
}

async function carryOut(
  app: InjectableApp,
  { split, db }: Service,
  way: { readonly sql: string; readonly share: number; readonly executor: Executor },
): Promise<Played> {
  const answer = await app.inject({
    method: 'POST',
    url: `${domainPath(split, db)}/sql`,
    headers: { 'content-type': 'application/json' },
    payload: printExactJson(way),
  });
  if (answer.statusCode !== 200)
    throw new QueryError('CALL_FAILED', `answered with ${answer.statusCode}: ${answer.body.slice(0, 200)}`);
  const body = parseExactJson(answer.body);
  const { columns, data, truncated } = planAnswer.parse(body);
  if (truncated) throw new QueryError('SQL_TOO_LARGE', 'the answer was cut off');
  return { rows: data.map((row) => columns.map((name) => row[name] ?? null)), body };
}
