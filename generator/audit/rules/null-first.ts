import { node, selectsOf } from '../../../sql/index.ts';
import { columnLabel, type Finding, type Rule } from '../rule.ts';

/** The lowest value, asked for by ORDER BY … LIMIT 1 on a column with NULLs, which SQLite sorts first. */
export const nullFirst: Rule = {
  name: 'null_first',
  why: 'NULL sorts before every value, so the row found has no value at all.',
  byDefault: true,
  async check({ query, origins, run }) {
    const findings: Finding[] = [];
    for (const select of selectsOf(query)) {
      const [first] = select.orderBy;
      if (!select.limit || !first || first.direction !== 'asc' || first.nulls !== null) continue;
      const base = origins.baseColumn(first.expr);
      if (!base || base.column.statistics.nulls === 0) continue;
      const keys = await run(
        node({
          ...select,
          with: query.with,
          distinct: false,
          columns: [{ expr: first.expr, name: 'key', alias: null }],
        }),
      );
      if (!keys?.some(([key]) => key === null)) continue;
      const label = columnLabel(base.table, base.column);
      findings.push({
        reason: `the first rows by ${label} have no ${base.column.name}`,
        suggestion: `add ${label} IS NOT NULL`,
      });
    }
    return findings;
  },
};
