import { exprsOf } from '../../../sql/index.ts';
import type { Finding, Rule } from '../rule.ts';

/** COUNT of a CASE that is never NULL counts every row; AVG of a CASE without ELSE leaves the others out. */
export const caseCounted: Rule = {
  name: 'case_counted',
  why: 'COUNT counts whatever is not NULL, zeros included, and AVG leaves NULL out of its divisor.',
  byDefault: true,
  check({ query }) {
    return exprsOf(query).flatMap((expr): readonly Finding[] => {
      if (expr.kind !== 'aggregate' || expr.distinct) return [];
      const [arg] = expr.args;
      if (arg?.kind !== 'case') return [];
      const isNull = (one: typeof arg.else) =>
        one === null || (one.kind === 'literal' && one.type === 'null');
      const never =
        !isNull(arg.else) && arg.whens.every(({ result }) => result.kind === 'literal' && !isNull(result));
      if (expr.name === 'count' && never) {
        return [
          { reason: 'COUNT(CASE … ELSE …) counts every row', suggestion: 'SUM instead of COUNT, or no ELSE' },
        ];
      }
      const constant = arg.whens.every(({ result }) => result.kind === 'literal');
      if (expr.name === 'avg' && isNull(arg.else) && constant && arg.whens.length === 1) {
        return [
          {
            reason: 'AVG(CASE …) without ELSE is the average of the rows that match alone',
            suggestion: 'ELSE 0',
          },
        ];
      }
      return [];
    });
  },
};
