import { QueryError } from '../../contracts/errors.ts';
import { printQuery, type Select } from '../../sql/index.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { type Expectation, isExpected } from '../verify/answer/expectation.ts';
import { withFunctions, withoutEach } from './apply-idea.ts';
import type { Idea } from './idea.ts';

/** Where queries are run. */
export interface Place {
  readonly oracle: Oracle;
  readonly file: string;
}

/**
 * Throws API_NOT_NEEDED where the question as it was, or the augmented one without one of its APIs, has the same answer.
 * A version that SQLite refuses has another.
 */
export async function requireNeeded(
  select: Select,
  idea: Idea,
  expected: Expectation,
  place: Place,
): Promise<void> {
  const { steps } = idea.composition;
  const versions = withoutEach(steps).map((fewer) => withFunctions(select, idea, fewer));
  for (const [i, version] of [select, ...versions].entries()) {
    if (!(await isSame(version, expected, place))) continue;
    const left = i === 0 ? 'the APIs' : steps[i - 1]?.api;
    throw new QueryError(
      'API_NOT_NEEDED',
      `without ${left} the answer is the same`,
      steps[i - 1]?.api ?? null,
    );
  }
}

async function isSame(query: Select, expected: Expectation, { oracle, file }: Place): Promise<boolean> {
  try {
    const { rows } = await oracle.run(file, printQuery(query));
    return isExpected(expected, rows);
  } catch (error) {
    if (error instanceof QueryError) return false;
    throw error;
  }
}
