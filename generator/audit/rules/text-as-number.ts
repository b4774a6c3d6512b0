import {
  affinityOf,
  type Column,
  type Expr,
  exprsOf,
  isNumeric,
  quoteIdentifier,
  selectsOf,
} from '../../../sql/index.ts';
import { type AuditedQuery, columnLabel, type Finding, type Rule } from '../rule.ts';

/** Numbers kept as texts that are sorted, or compared, as texts: '10' comes before '9'. */
export const textAsNumber: Rule = {
  name: 'text_as_number',
  why: "As texts, '10' comes before '9': extremes and orders are wrong.",
  byDefault: true,
  async check(audited) {
    const { query } = audited;
    const sorted = selectsOf(query).flatMap(({ orderBy }) => orderBy.map(({ expr }) => expr));
    const extreme = exprsOf(query).flatMap((expr) =>
      expr.kind === 'aggregate' && (expr.name === 'max' || expr.name === 'min') ? expr.args : [],
    );
    const bounded = exprsOf(query).flatMap((expr) =>
      expr.kind === 'compare' && ['<', '<=', '>', '>='].includes(expr.op) && expr.right.kind === 'literal'
        ? [expr.left]
        : [],
    );
    const columns = [...sorted, ...extreme, ...bounded].filter(
      (expr): expr is Column => expr.kind === 'column',
    );
    const findings = await Promise.all(columns.map((column) => checkColumn(column, audited)));
    return unique(findings.flat());
  },
};

async function checkColumn(column: Column, { origins, runSql }: AuditedQuery): Promise<Finding[]> {
  const base = origins.baseColumn(column);
  if (
    !base ||
    isNumeric(affinityOf(column satisfies Expr, origins)) ||
    base.column.statistics.storage.text === 0
  )
    return [];
  const name = quoteIdentifier(base.column.name);
  // Numbers of one length sort alike as texts.
  const rows = await runSql(
    `SELECT COUNT(*), SUM(${name} GLOB '[0-9]*' AND ${name} NOT GLOB '*[^0-9.]*'), COUNT(DISTINCT instr(${name} || '.', '.')) ` +
      `FROM ${quoteIdentifier(base.table.name)} WHERE ${name} <> ''`,
  );
  const [all, numbers, widths] = (rows?.[0] ?? []).map(Number);
  if (!all || !numbers || numbers < 0.9 * all || (widths ?? 0) < 2) return [];
  const label = columnLabel(base.table, base.column);
  return [
    {
      reason: `${label} holds numbers as texts, which are compared letter by letter`,
      suggestion: `CAST(${label} AS REAL)`,
    },
  ];
}

function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [finding.reason, finding])).values()];
}
