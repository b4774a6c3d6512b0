import { type Binary, exprsOf, node, replaceNode } from '../../../sql/index.ts';
import type { Finding, Rule } from '../rule.ts';

/** A division of integers that cuts the fraction off. */
export const integerDivision: Rule = {
  name: 'integer_division',
  why: 'Of two integers SQLite keeps the whole part of the quotient: shares become 0.',
  byDefault: true,
  async check({ query, rows, run }) {
    const findings: Finding[] = [];
    for (const expr of exprsOf(query)) {
      if (expr.kind !== 'binary' || expr.op !== '/' || isWhole(expr)) continue;
      const left = node({ kind: 'cast' as const, expr: expr.left, type: 'REAL' });
      const exact = await run(replaceNode(query, expr, node({ ...expr, left })));
      if (exact === null || exact.length !== rows.length) continue;
      const lost = exact.some((row, i) => row.some((cell, j) => isCut(rows[i]?.[j] ?? null, cell)));
      if (!lost) continue;
      findings.push({
        reason: 'a quotient of integers loses its fraction',
        suggestion: 'multiply by 1.0, or CAST one side AS REAL',
      });
    }
    return findings;
  },
};

/** By ten, a hundred or a power of them: digits are cut off on purpose. */
function isWhole({ right }: Binary): boolean {
  return right.kind === 'literal' && right.type === 'integer' && /^10+$/.test(String(right.value));
}

function isCut(gold: unknown, exact: unknown): boolean {
  return (
    typeof exact === 'number' &&
    (typeof gold === 'number' || typeof gold === 'bigint') &&
    Number(gold) !== exact &&
    Math.trunc(exact) === Number(gold)
  );
}
