import { QueryError } from '../../contracts/errors.ts';
import type { Rejection } from '../../contracts/farm.ts';
import type { Flag } from '../../contracts/sample.ts';
import type { Candidate } from '../lower/candidate.ts';
import type { DatabaseVariant } from '../variants/neighbours.ts';
import { describeDifference, type Expectation, isExpected } from './expectation.ts';
import { type GoldAnswers, type GoldQuery, onBehalfOf, type Ties } from './gold-answers.ts';
import { CallFailedError, type Play } from './play.ts';

/** A candidate that gives the gold rows, with the parts of the answer that its sample stores. */
export interface Proof {
  readonly kept: true;
  readonly gold: Expectation;
  /** The final answer as the service sent it. */
  readonly body: unknown;
  readonly flags: readonly Flag[];
  readonly ties: Ties;
}

/** Why a candidate is wrong. */
export interface Refutation {
  readonly kept: false;
  readonly rejection: Rejection;
  readonly flags: readonly Flag[];
}

export interface VerifyContext {
  readonly goldAnswers: GoldAnswers;
  /** The original, its neighbours, and stand-ins for them. */
  readonly variants: readonly [DatabaseVariant, ...DatabaseVariant[]];
  readonly play: Play;
  readonly signal?: AbortSignal;
}

/** Whether a call failed because of size or time, which depend on the data. */
function isTooMuch(error: QueryError): boolean {
  if (error instanceof CallFailedError && error.problem === 'ANSWER_TOO_LARGE') return true;
  return error.code === 'SQL_TOO_LARGE' || error.code === 'TOO_SLOW';
}

/** Neighbours on which a candidate must hold; others stand in where the gold SQL cannot be run. */
const DECIDING = 2;

/** Compares with the gold SQL: exactly on the original, with any answer SQL allows on neighbours. */
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

/** Throws for wrong calls; returns the fault where a neighbour proves nothing (too large, too slow). */
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
