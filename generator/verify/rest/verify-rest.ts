import { QueryError } from '../../../contracts/errors.ts';
import type { Endpoint } from '../../../contracts/service.ts';
import type { RestCandidate } from '../../candidate.ts';
import type { Query } from '../../sql/index.ts';
import { describeDifference } from '../answer/describe-difference.ts';
import type { Expectation } from '../answer/expectation.ts';
import type { GoldBook, GoldQuery } from '../gold-book.ts';
import type { Played } from '../play.ts';
import { Random } from '../random.ts';
import { type Proof, type Refutation, type VerifyContext, verifyCandidate } from '../verify-candidate.ts';
import type { World } from '../world.ts';
import type { ColumnValues } from './column-values.ts';
import { drawVariants, type Variant } from './variants.ts';

export interface VerifyRestContext extends VerifyContext {
  readonly values: ColumnValues;
  readonly seed: string;
  /** Parses gold SQL with other values in it. Throws QueryErrors. */
  readonly parse: (sql: string) => Query;
}

/**
 * Proves a REST candidate: in every world as `verifyCandidate` does, then on the original for other parameter
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
  try {
    for (const variant of drawVariants(candidate, endpoint, context.values, random)) {
      context.signal?.throwIfAborted();
      await verifyVariant(candidate, variant, context);
    }
    return proof;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { kept: false, rejection: error.toRejection(), flags: proof.flags };
  }
}

async function verifyVariant(
  candidate: RestCandidate,
  variant: Variant,
  { book, worlds, play, parse }: VerifyRestContext,
): Promise<void> {
  const [original] = worlds;
  const [call] = candidate.output;
  if (!call) return;
  const answer = await goldAnswer(variant, book, original, parse);
  // With these values SQLite itself has no answer to give: too large, too slow, an overflow.
  if (!answer) return;
  let played: Played;
  try {
    played = await play([{ ...call, arguments: { ...variant.arguments } }], original, null);
  } catch (error) {
    throw error instanceof QueryError ? differs(variant, error.message) : error;
  }
  if (await book.allows(played.rows, { ...answer, sql: variant.sql, world: original })) return;
  throw differs(variant, describeDifference(answer.expected, played.rows));
}

async function goldAnswer(
  { sql }: Variant,
  book: GoldBook,
  original: World,
  parse: (sql: string) => Query,
): Promise<{ readonly query: Query; readonly expected: Expectation } | null> {
  try {
    const query = parse(sql);
    return { query, expected: await book.expectVariant(sql, query, original.plain) };
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

function differs(variant: Variant, how: string): QueryError {
  return new QueryError('WRONG_ROWS_FOR_OTHER_VALUES', `for ${JSON.stringify(variant.arguments)}: ${how}`);
}
