import { sameRows } from '../../../contracts/same-rows.ts';
import {
  type Aggregate,
  type Column,
  conjuncts,
  Determined,
  isAggregated,
  node,
  replaceNode,
  selectsOf,
} from '../../../sql/index.ts';
import { extremes } from '../../tie-breaking.ts';
import { columnLabel, type Finding, type Rule } from '../rule.ts';

/** A column beside an aggregate that is neither grouped nor determined by the groups. */
export const bareColumn: Rule = {
  name: 'bare_column',
  why: 'SQLite takes such a column from any row of the group, so the answer is left to chance.',
  byDefault: true,
  async check({ query, catalog, origins, run }) {
    const findings: Finding[] = [];
    for (const select of selectsOf(query)) {
      if (!isAggregated(select) && select.groupBy.length === 0) continue;
      // Beside a single MAX or MIN, SQLite takes the row that has it.
      if (extremes(select).length === 1) continue;
      const determined = new Determined(select, catalog, [...select.groupBy, ...fixedBy(select.where)]);
      for (const { expr } of select.columns) {
        const base = origins.baseColumn(expr);
        if (expr.kind !== 'column' || base === null || determined.has(expr)) continue;
        if (!select.from.some(({ source }) => source.id === expr.source)) continue;
        const [lowest, highest] = await Promise.all(
          ['min', 'max'].map((name) => run(replaceNode(query, expr, aggregateOf(name, expr)))),
        );
        // In these data every group has one value of it.
        if (!lowest || !highest || sameRows(lowest, highest, null)) continue;
        const label = columnLabel(base.table, base.column);
        findings.push({
          reason: `${label} is neither grouped nor the same throughout a group`,
          suggestion: `group by ${label} as well, or aggregate it`,
        });
      }
    }
    return findings;
  },
};

function aggregateOf(name: string, column: Column): Aggregate {
  return node({
    kind: 'aggregate',
    name,
    args: [column],
    star: false,
    distinct: false,
    filter: null,
    orderBy: [],
  });
}

/** Columns that a condition fixes to a literal. */
function fixedBy(where: Parameters<typeof conjuncts>[0]) {
  return conjuncts(where).flatMap((one) =>
    one.kind === 'compare' && one.op === '=' && one.left.kind === 'column' && one.right.kind === 'literal'
      ? [one.left]
      : [],
  );
}
