import { type Expr, exprsOf, quoteIdentifier, quoteText } from '../../../sql/index.ts';
import { columnLabel, type Finding, type Rule } from '../rule.ts';

/** A text that a column is compared with, although it does not hold it and nobody named it. */
export const unknownLiteral: Rule = {
  name: 'unknown_literal',
  why: 'A value that occurs neither in the column nor in the question cannot be what was asked for.',
  byDefault: true,
  async check({ query, question, origins, runSql }) {
    const said = plain(`${question.question} ${question.evidence}`);
    const findings: Finding[] = [];
    for (const [column, value] of exprsOf(query).flatMap(equalities)) {
      const base = origins.baseColumn(column);
      if (
        !base ||
        value.kind !== 'literal' ||
        value.type !== 'text' ||
        value.value.trim() === '' ||
        value.pinned
      )
        continue;
      if (said.includes(plain(value.value))) continue;
      const found = await runSql(
        `SELECT 1 FROM ${quoteIdentifier(base.table.name)} WHERE ${quoteIdentifier(base.column.name)} = ${quoteText(value.value)} LIMIT 1`,
      );
      if (found === null || found.length > 0) continue;
      findings.push({
        reason: `${columnLabel(base.table, base.column)} holds no '${value.value}', and neither question nor evidence names it`,
        suggestion: 'compare with a value that the column holds; case and spaces count',
      });
    }
    return findings;
  },
};

/** As it is said, however it is punctuated: `1998/7/5` names `1998-07-05`. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b0+(?=\d)/g, '')
    .trim();
}

function equalities(expr: Expr): (readonly [Expr, Expr])[] {
  if (expr.kind === 'compare' && expr.op === '=')
    return [
      [expr.left, expr.right],
      [expr.right, expr.left],
    ];
  return expr.kind === 'in_list' && !expr.negated ? expr.items.map((item) => [expr.expr, item] as const) : [];
}
