import { exprsOf, printQuery } from '../../../sql/index.ts';
import type { Finding, Rule } from '../rule.ts';

/** NOT IN over a subquery that gives a NULL: then it is true of no row. */
export const notInNull: Rule = {
  name: 'not_in_null',
  why: 'A single NULL in the list makes NOT IN true of no row.',
  byDefault: true,
  async check({ query, runSql }) {
    const findings: Finding[] = [];
    for (const expr of exprsOf(query)) {
      if (expr.kind !== 'in_query' || !expr.negated) continue;
      const rows = await runSql(printQuery(expr.query));
      if (!rows?.some((row) => row.includes(null))) continue;
      findings.push({
        reason: 'the list of NOT IN holds NULL, so the condition is true of no row',
        suggestion: 'leave NULL out of the subquery, or write NOT EXISTS',
      });
    }
    return findings;
  },
};
