import { QueryError } from '../../../contracts/errors.ts';
import type { Endpoint } from '../../../contracts/service.ts';
import type { Query } from '../../../sql/index.ts';
import type { RestCandidate } from '../../lower/candidate.ts';
import type { DatabaseVariant } from '../../variants/make-variants.ts';
import { Random } from '../../variants/random.ts';
import { describeDifference } from '../answer/describe-difference.ts';
import type { Expectation } from '../answer/expectation.ts';
import type { GoldAnswers, GoldQuery } from '../gold-answers.ts';
import { onBehalfOf } from '../near-limit.ts';
import type { Played } from '../play/play-calls.ts';
import { type Proof, type Refutation, type VerifyContext, verifyCandidate } from '../verify-candidate.ts';
import type { ColumnValues } from './column-values.ts';
import { drawOtherValues, type OtherValues } from './other-values.ts';

export interface VerifyRestContext extends VerifyContext {
  readonly values: ColumnValues;
  readonly seed: string;
  /** Parses gold SQL with other values in it. Throws QueryErrors. */
  readonly parse: (sql: string) => Query;
}

/**
 * Proves a REST candidate: on every variant as `verifyCandidate` does, then on the original for other parameter
 * values, put into the call and into the gold SQL alike.
 */
export async function verifyRest(
  candidate: RestCandidate,
  endpoint: Endpoint,
  gold: GoldQuery,
  context: VerifyRestContext,
): Promise<Proof | Refutation> {
  const proof = await verifyCandidate(candidate, gold, context);
  if (!proof.kept) return proof;
  const random = new Random(`${context.seed}/${gold.question.question_id}`);
  let tooSlow: QueryError | null = null;
  let decided = 0;
  try {
    for (const other of drawOtherValues(candidate, endpoint, context.values, random)) {
      context.signal?.throwIfAborted();
      const fault = await onBehalfOf(gold.question, () => verifyOtherValues(candidate, other, context));
      if (fault) tooSlow = fault;
      else decided++;
    }
    if (tooSlow && decided === 0) throw tooSlow;
    return proof;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { kept: false, rejection: error.toRejection(), flags: proof.flags };
  }
}

/** Throws when the call is wrong; gives the fault when it is too slow for anything to be told. */
async function verifyOtherValues(
  candidate: RestCandidate,
  other: OtherValues,
  { goldAnswers, variants, play, parse }: VerifyRestContext,
): Promise<QueryError | null> {
  const [original] = variants;
  const [call] = candidate.output;
  if (!call) return null;
  const answer = await goldAnswer(other, goldAnswers, original, parse);
  // With these values SQLite itself has no answer to give: too large, too slow, an overflow.
  if (!answer) return null;
  let played: Played;
  try {
    played = await play({ ...candidate, output: [{ ...call, arguments: { ...other.arguments } }] }, original);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    if (error.code === 'TOO_SLOW') return error;
    throw differs(other, error.message);
  }
  if (await goldAnswers.allows(played.rows, { ...answer, sql: other.sql, variant: original })) return null;
  throw differs(other, describeDifference(answer.expected, played.rows));
}

async function goldAnswer(
  { sql }: OtherValues,
  goldAnswers: GoldAnswers,
  original: DatabaseVariant,
  parse: (sql: string) => Query,
): Promise<{ readonly query: Query; readonly expected: Expectation } | null> {
  try {
    const query = parse(sql);
    return { query, expected: await goldAnswers.expectAnswerTo(sql, query, original.plain) };
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

function differs(other: OtherValues, how: string): QueryError {
  return new QueryError('WRONG_ROWS_FOR_OTHER_VALUES', `for ${JSON.stringify(other.arguments)}: ${how}`);
}
