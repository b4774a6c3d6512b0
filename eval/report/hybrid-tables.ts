import type { HybridGroup, Report, Spread } from '../../contracts/report.ts';
import { interval, number, percent } from './figure-text.ts';
import type { ReportTable } from './report-table.ts';

/** The metrics of `hybrid` tasks, and their groups; no rows where none was attempted. */
export function hybridTables({ metrics: { hybrid } }: Report): ReportTable[] {
  if (hybrid === null) return [];
  const shares = [
    ['execution, extra columns forgiven', hybrid.execution],
    ['execution, exact columns', hybrid.exact],
    ['completion', hybrid.completion],
  ] as const;
  const seconds = [
    ['seconds of the model', hybrid.model_s],
    ['seconds of execution', hybrid.execution_s],
  ] as const;
  return [
    {
      title: 'Databases and APIs',
      head: ['', '  value', '95 % interval', ''],
      rows: [
        ...shares.map(([name, share]) => [
          name,
          percent(share.value, 7),
          interval(share.ci),
          `${share.count} of ${share.n}`,
        ]),
        ...seconds.flatMap(([name, spread]) => (spread.n === 0 ? [] : [secondsRow(name, spread)])),
      ],
    },
    groupTable('Databases and APIs, by share of the tables behind APIs', hybrid.by_share),
    groupTable('Databases and APIs, by where the data are', hybrid.by_class),
    groupTable('Databases and APIs, by kind of scalar API', hybrid.by_api),
    groupTable('Databases and APIs, by depth of scalar APIs', hybrid.by_depth),
    {
      title: 'Databases and APIs, why attempts failed',
      head: ['', '        N'],
      rows: Object.entries(hybrid.failures).map(([code, count]) => [
        code.replaceAll('_', ' '),
        number(count ?? 0, 9),
      ]),
    },
  ].filter(({ rows }) => rows.length > 0);
}

function secondsRow(name: string, { value, p50, p95 }: Spread): string[] {
  const text = (seconds: number | null) => seconds?.toFixed(2) ?? '–';
  return [name, text(value).padStart(7), '', `p50 ${text(p50)}, p95 ${text(p95)}`];
}

function groupTable(title: string, groups: readonly HybridGroup[]): ReportTable {
  const figures = ['exact', 'completion', 'API calls', 'of plan', 'rows moved', 'of plan', 'N'];
  const mean = (value: number | null) => (value?.toFixed(1) ?? '–').padStart(10);
  return {
    title,
    head: ['', 'execution', '95 % interval', ...figures.map((name) => name.padStart(10))],
    rows: groups.map(({ key, n, execution, interval: ci, exact, passed, ...cost }) => [
      key.replaceAll('_', ' '),
      percent(execution / n, 9),
      interval(ci),
      ...[exact, passed].map((of) => percent(of / n, 10)),
      ...[cost.calls, cost.planned_calls, cost.rows, cost.planned_rows].map(mean),
      number(n, 10),
    ]),
  };
}
