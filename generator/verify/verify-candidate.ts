import type { Rejection } from '../../contracts/coverage.ts';
import { QueryError } from '../../contracts/errors.ts';
import type { Flag } from '../../contracts/sample.ts';
import type { Candidate } from '../candidate.ts';
import { describeDifference } from './answer/describe-difference.ts';
import { type Expectation, isExpected, isExpectedUpToTies } from './answer/expectation.ts';
import { flagsOf } from './answer/flags.ts';
import type { GoldBook, GoldQuery } from './gold-book.ts';
import type { Play } from './play.ts';
import type { World } from './world.ts';

/** A candidate that gives the gold rows, with all that its sample says of the answer. */
export interface Proof {
  readonly kept: true;
  readonly gold: Expectation;
  /** The final answer as the service gave it. */
  readonly body: unknown;
  readonly flags: readonly Flag[];
}

/** A candidate that does not, and why. */
export interface Refutation {
  readonly kept: false;
  readonly rejection: Rejection;
  readonly flags: readonly Flag[];
}

export interface VerifyContext {
  readonly book: GoldBook;
  /** The original first, then its neighbours. */
  readonly worlds: readonly [World, ...World[]];
  readonly play: Play;
  readonly signal?: AbortSignal;
}

/**
 * Plays a candidate in every world and compares with the gold SQL there: exactly on the original; on a
 * neighbour, where SQL leaves the answer open, any answer that the gold SQL could give.
 */
export async function verifyCandidate(
  candidate: Candidate,
  gold: GoldQuery,
  { book, worlds, play, signal }: VerifyContext,
): Promise<Proof | Refutation> {
  let flags: readonly Flag[] = [];
  try {
    const [original, ...neighbours] = worlds;
    const expected = await book.expect(gold, original);
    flags = flagsOf(expected, gold.query, book.openings(gold.query));
    const { rows, body } = await play(candidate.output, original, candidate.initialization_step);
    if (!isExpected(expected, rows)) {
      throw new QueryError('WRONG_ROWS', describeDifference(expected, rows));
    }
    for (const world of neighbours) {
      signal?.throwIfAborted();
      await verifyOnNeighbour(candidate, gold, world, { book, play });
    }
    return { kept: true, gold: expected, body, flags };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { kept: false, rejection: error.toRejection(), flags };
  }
}

async function verifyOnNeighbour(
  candidate: Candidate,
  gold: GoldQuery,
  world: World,
  { book, play }: Pick<VerifyContext, 'book' | 'play'>,
): Promise<void> {
  const expected = await goldOrFault(book.expect(gold, world));
  const played = await playOrFault(play(candidate.output, world, candidate.initialization_step));
  // Where the gold SQL itself cannot be run (a number grown too large), its calls need not be either.
  if (expected instanceof QueryError) return;
  if (played instanceof QueryError) throw played;
  if (isExpected(expected, played.rows)) return;
  if (book.openings(gold.query).length > 0) {
    if (isExpectedUpToTies(expected, played.rows)) return;
    if (isExpected(await book.expectServed(gold, world), played.rows)) return;
  }
  const difference = describeDifference(expected, played.rows);
  throw new QueryError('WRONG_ROWS_ON_NEIGHBOUR', `on ${world.label}: ${difference}`);
}

function goldOrFault(work: Promise<Expectation>): Promise<Expectation | QueryError> {
  return work.catch(fault);
}

function playOrFault<T>(work: Promise<T>): Promise<T | QueryError> {
  return work.catch(fault);
}

function fault(error: unknown): QueryError {
  if (error instanceof QueryError) return error;
  throw error;
}
