import type { QueryGroup, Report } from '../../contracts/report.ts';
import { interval, number, percent } from './figure-text.ts';
import type { ReportTable } from './report-table.ts';

/** The metrics of the `query` tool, and its groups; no rows where no task of it was run. */
export function queryToolTables({ metrics: { query } }: Report): ReportTable[] {
  if (query === null) return [];
  const shares = [
    ['execution: the rows are right', query.completion],
    ['exact match', query.exact],
    ['exact match, search text too', query.exact_strict],
    ['exact match, as published', query.exact_legacy],
    ['routing', query.routing],
    ['tool selected', query.tool_selection],
    ['invalid calls', query.invalid_calls],
  ] as const;
  const means = [
    ['AST score, by the paper', query.ast],
    ['AST score, by the published code', query.ast_legacy],
  ] as const;
  return [
    {
      title: 'Query tool',
      head: ['', '  value', '95 % interval', ''],
      rows: [
        ...shares.map(([name, share]) => [
          name,
          percent(share.value, 7),
          interval(share.ci),
          `${share.count} of ${share.n}`,
        ]),
        ...means.map(([name, { value, n }]) => [
          name,
          (value?.toFixed(3) ?? '–').padStart(7),
          '',
          `mean of ${n}`,
        ]),
      ],
    },
    groupTable(
      'Query tool, by component',
      query.by_component.map((group) => ({ ...group, key: group.key.replace(/_property_|_/g, ' ') })),
    ),
    groupTable('Query tool, by complexity', query.by_complexity),
    groupTable('Query tool, by use case', query.by_use_case),
  ];
}

function groupTable(title: string, groups: readonly QueryGroup[]): ReportTable {
  const figures = ['execution', 'exact', 'strict', 'published', 'AST', 'routing', 'N'];
  return {
    title,
    head: ['', ...figures.map((name) => name.padStart(9))],
    rows: groups.map(({ key, n, passed, exact, exact_strict, exact_legacy, ast, routed }) => [
      key,
      ...[passed, exact, exact_strict, exact_legacy].map((of) => percent(of / n, 9)),
      (ast?.toFixed(3) ?? '–').padStart(9),
      percent(routed / n, 9),
      number(n, 9),
    ]),
  };
}
