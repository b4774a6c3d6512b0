import type { Rule } from '../rule.ts';

/** Of what is asked for first, not of something that is counted beside it. */
const ASKS_FOR_DIFFERENT = /^\W*(\S+\s+){0,4}(different|distinct|unique)\b/i;

/** Rows that repeat although the question asks for different ones. */
export const repeatedRows: Rule = {
  name: 'repeated_rows',
  why: 'A question for different values is not answered by the same one twice.',
  byDefault: true,
  check({ question, query, rows }) {
    if (query.kind !== 'select' || query.distinct || query.limit !== null) return [];
    if (!ASKS_FOR_DIFFERENT.test(question.question)) return [];
    const seen = new Set(rows.map((row) => row.map(String).join('\u0000')));
    if (seen.size === rows.length) return [];
    return [
      {
        reason: `the question asks for different ones, and ${rows.length - seen.size} of ${rows.length} rows repeat another`,
        suggestion: 'SELECT DISTINCT',
      },
    ];
  },
};
