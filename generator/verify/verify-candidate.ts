import { QueryError } from '../../contracts/errors.ts';
import type { Rejection } from '../../contracts/farm.ts';
import type { Flag } from '../../contracts/sample.ts';
import type { Candidate } from '../lower/candidate.ts';
import type { DatabaseVariant } from '../variants/neighbours.ts';
import { describeDifference, type Expectation, isExpected } from './expectation.ts';
import { onBehalfOf } from './flags.ts';
import type { GoldAnswers, GoldQuery, Ties } from './gold-answers.ts';
import { CallFailedError, type Play } from './play.ts';

/** A candidate that gives the gold rows, with all that its sample says of the answer. */
export interface Proof {
  readonly kept: true;
  readonly gold: Expectation;
  /** The final answer as the service gave it. */
  readonly body: unknown;
  readonly flags: readonly Flag[];
  readonly ties: Ties;
}

/** A candidate that does not, and why. */
export interface Refutation {
  readonly kept: false;
  readonly rejection: Rejection;
  readonly flags: readonly Flag[];
}

export interface VerifyContext {
  readonly goldAnswers: GoldAnswers;
  /** The original first, then its neighbours: two that count, and more to stand in for them. */
  readonly variants: readonly [DatabaseVariant, ...DatabaseVariant[]];
  readonly play: Play;
  readonly signal?: AbortSignal;
}

/** Whether an answer is refused for its size or its time, which are the data's. */
function isTooMuch(error: QueryError): boolean {
  if (error instanceof CallFailedError && error.problem === 'ANSWER_TOO_LARGE') return true;
  return error.code === 'SQL_TOO_LARGE' || error.code === 'TOO_SLOW';
}

/** Neighbours on which a candidate must hold; the others stand in where the gold SQL cannot be run. */
const DECIDING = 2;

/**
 * Plays a candidate on the variants and compares with the gold SQL there: exactly on the original; on a
 * neighbour, where SQL leaves the answer open, any answer that the gold SQL could give.
 */
export function verifyCandidate(
  candidate: Candidate,
  gold: GoldQuery,
  context: VerifyContext,
): Promise<Proof | Refutation> {
  return onBehalfOf(gold.question, () => verify(candidate, gold, context));
}

async function verify(
  candidate: Candidate,
  gold: GoldQuery,
  { goldAnswers, variants, play, signal }: VerifyContext,
): Promise<Proof | Refutation> {
  let flags: readonly Flag[] = [];
  try {
    const [original, ...neighbours] = variants;
    const expected = await goldAnswers.expect(gold, original);
    flags = await goldAnswers.flags(gold, original);
    const { rows, body } = await play(candidate, original);
    if (!isExpected(expected, rows)) {
      throw new QueryError('WRONG_ROWS', describeDifference(expected, rows));
    }
    let undecided: QueryError | null = null;
    let decided = 0;
    for (const variant of neighbours) {
      if (decided === DECIDING) break;
      signal?.throwIfAborted();
      variant.ready?.();
      const fault = await verifyOnNeighbour(candidate, gold, variant, { goldAnswers, play });
      if (fault) undecided = fault;
      else decided++;
    }
    if (undecided && decided < DECIDING) throw undecided;
    return { kept: true, gold: expected, body, flags, ties: await goldAnswers.ties(gold, original) };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { kept: false, rejection: error.toRejection(), flags };
  }
}

/**
 * Throws when the calls are wrong there; gives the fault when nothing can be told there: the gold SQL cannot be run, or
 * the answer is too large or takes too long, which the original's is not.
 */
async function verifyOnNeighbour(
  candidate: Candidate,
  { question, query }: GoldQuery,
  variant: DatabaseVariant,
  { goldAnswers, play }: Pick<VerifyContext, 'goldAnswers' | 'play'>,
): Promise<QueryError | null> {
  const expected = await orFault(goldAnswers.expect({ question, query }, variant));
  if (expected instanceof QueryError) {
    return new QueryError(expected.code, `on ${variant.label}: ${expected.message}`);
  }
  const played = await orFault(play(candidate, variant));
  if (played instanceof QueryError) {
    const fault = new QueryError(played.code, `on ${variant.label}: ${played.message}`);
    if (isTooMuch(played)) return fault;
    throw fault;
  }
  const { rows } = played;
  if (await goldAnswers.allows(rows, { expected, sql: question.sql, query, variant })) return null;
  const difference = describeDifference(expected, rows);
  throw new QueryError('WRONG_ROWS_ON_NEIGHBOUR', `on ${variant.label}: ${difference}`);
}

async function orFault<T>(work: Promise<T>): Promise<T | QueryError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}
