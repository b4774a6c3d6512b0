import { type Expr, exprsOf, quoteIdentifier, quoteText } from '../../../sql/index.ts';
import { columnLabel, type Finding, type Rule } from '../rule.ts';

/** A text that a column holds only in another case or with other spaces. */
export const misspeltLiteral: Rule = {
  name: 'misspelt_literal',
  why: 'Texts compare letter by letter: the rows meant are not found.',
  byDefault: true,
  async check({ query, origins, runSql }) {
    const findings: Finding[] = [];
    for (const expr of exprsOf(query)) {
      const pair = equality(expr);
      const base = pair && origins.baseColumn(pair[0]);
      const value = pair?.[1];
      if (!base || value?.kind !== 'literal' || value.type !== 'text' || base.column.collation !== 'BINARY')
        continue;
      const [table, column] = [quoteIdentifier(base.table.name), quoteIdentifier(base.column.name)];
      const text = quoteText(value.value);
      const exact = await runSql(`SELECT 1 FROM ${table} WHERE ${column} = ${text} LIMIT 1`);
      if (exact === null || exact.length > 0) continue;
      const near = await runSql(
        `SELECT ${column} FROM ${table} WHERE lower(trim(${column})) = lower(trim(${text})) LIMIT 1`,
      );
      const other = near?.[0]?.[0];
      if (typeof other !== 'string') continue;
      findings.push({
        reason: `${columnLabel(base.table, base.column)} holds '${other}', not '${value.value}'`,
        suggestion: `compare with '${other}'`,
      });
    }
    return findings;
  },
};

function equality(expr: Expr): readonly [Expr, Expr] | null {
  return expr.kind === 'compare' && expr.op === '=' ? [expr.left, expr.right] : null;
}
