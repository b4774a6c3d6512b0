import pMap from 'p-map';
import type { Rejection } from '../../contracts/coverage.ts';
import { QueryError } from '../../contracts/errors.ts';
import type { Question } from '../../contracts/split.ts';
import { parseQuery, printQuery, type SqlContext } from '../../sql/index.ts';
import { isolateBugs, type OnBug } from '../lower/candidate.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';
import { onBehalfOf } from '../verify/near-limit.ts';

/** A question that no formulation can keep, and the reason. */
export interface Unreadable {
  readonly question: Question;
  readonly rejection: Rejection;
}

/** The questions whose gold SQL SQLite runs and rookery parses, and the others; both in their original order. */
export async function readGold(
  questions: readonly Question[],
  sql: SqlContext,
  {
    oracle,
    file,
    jobs,
    onBug,
  }: {
    readonly oracle: Oracle;
    readonly file: string;
    readonly jobs: number;
    readonly onBug?: OnBug | undefined;
  },
): Promise<{ readonly golds: readonly GoldQuery[]; readonly unreadable: readonly Unreadable[] }> {
  const read = await pMap(
    questions,
    (question): Promise<GoldQuery | Unreadable> => onBehalfOf(question, () => readOne(question)),
    { concurrency: jobs },
  );

  async function readOne(question: Question): Promise<GoldQuery | Unreadable> {
    try {
      // SQLite runs first: if it fails, parsing does not matter.
      await oracle.run(file, question.sql);
      const { query, printed } = isolateBugs(question, onBug, () => {
        const query = parseQuery(question.sql, sql);
        return { query, printed: printQuery(query) };
      });
      // Gold SQL with double-quoted text may run on another build of SQLite, with more functions than the one that
      // serves.
      await oracle.run(file, `EXPLAIN ${printed}`, { engine: 'native' });
      return { question, query };
    } catch (error) {
      if (error instanceof QueryError) return { question, rejection: error.toRejection() };
      throw error;
    }
  }

  return {
    golds: read.filter((item): item is GoldQuery => 'query' in item),
    unreadable: read.filter((item): item is Unreadable => 'rejection' in item),
  };
}
