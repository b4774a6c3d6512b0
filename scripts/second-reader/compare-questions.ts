import { QueryError } from '../../contracts/errors.ts';
import type { Domain, Question } from '../../contracts/split.ts';
import type { Row } from '../../contracts/value.ts';
import { Oracle } from '../../generator/oracle/oracle.ts';
import { describeDifference } from '../../generator/verify/answer/describe-difference.ts';
import { isExpected } from '../../generator/verify/answer/expectation.ts';
import { GoldAnswers } from '../../generator/verify/gold-answers.ts';
import { parseQuery } from '../../sql/index.ts';

/** How many rows of each answer are shown where two differ. */
const SHOWN = 5;

/**
 * Runs a second reader's SQL (by question id) beside the gold SQL, on the domain's data. Returns a text for each question
 * whose rows differ: the question, both queries, and the first rows of both.
 */
export async function compareQuestions(
  { file, catalog }: Domain,
  questions: readonly Question[],
  answers: ReadonlyMap<string, string>,
  referenceTime: string,
): Promise<readonly string[]> {
  const oracle = new Oracle({ referenceTime, children: 1 });
  const gold = new GoldAnswers(oracle, catalog);
  try {
    const different: string[] = [];
    for (const question of questions) {
      const answer = answers.get(String(question.question_id)) ?? '';
      const query = parseQuery(question.sql, { catalog, referenceTime });
      const expected = await gold.expectAnswerTo(question.sql, query, file);
      const read = await run(answer);
      if (Array.isArray(read) && isExpected(expected, read)) continue;
      const difference = Array.isArray(read) ? describeDifference(expected, read) : read;
      const lines = [
        `## ${question.question_id}: ${difference}`,
        question.question,
        ...(question.evidence === '' ? [] : [`evidence: ${question.evidence}`]),
        `gold:  ${question.sql}`,
        ...shown(expected.rows),
        `again: ${answer}`,
        ...(Array.isArray(read) ? shown(read) : []),
      ];
      different.push(lines.join('\n'));
    }
    return different;
  } finally {
    await oracle.close();
  }

  async function run(sql: string): Promise<readonly Row[] | string> {
    try {
      return (await oracle.run(file, sql)).rows;
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return error.message;
    }
  }
}

function shown(rows: readonly Row[]): string[] {
  return [
    `  ${rows.length} rows`,
    ...rows.slice(0, SHOWN).map((row) => `  ${JSON.stringify(row.map(String))}`),
  ];
}
