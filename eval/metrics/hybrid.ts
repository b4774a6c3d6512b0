import type {
  HybridFailure,
  HybridGroup,
  HybridScore,
  Report,
  SampleScore,
  Spread,
} from '../../contracts/report.ts';
import { API_CLASSES, HYBRID_FAILURES, PLAN_CLASSES } from '../../contracts/vocabulary.ts';
import {
  computeFigures,
  interval,
  meanOf,
  number,
  percent,
  type ReportTable,
  type Resampling,
  type SampleTest,
  spreadOf,
} from './figures.ts';

type Scored = SampleScore & { readonly hybrid: HybridScore };

/** The figures of `hybrid` tasks; null where none was attempted. */
export function summarizeHybrid(
  samples: readonly SampleScore[],
  resampling: Resampling,
): Report['metrics']['hybrid'] {
  const scored = samples.filter((sample): sample is Scored => sample.hybrid !== null);
  if (scored.length === 0) return null;
  const { shares } = computeFigures(scored, SHARES, {}, resampling);
  const by = (keys: readonly string[], keyOf: (score: HybridScore) => string | undefined) =>
    keys.flatMap((key) => {
      const members = scored.filter(({ hybrid }) => keyOf(hybrid) === key);
      return members.length > 0 ? [groupOf(key, members, resampling)] : [];
    });
  const told = (of: (score: HybridScore) => string) => [...new Set(scored.map(({ hybrid }) => of(hybrid)))];
  const seconds = (of: (sample: Scored) => number | null) =>
    spreadOf(scored.flatMap((sample) => of(sample) ?? []));
  const count = (code: HybridFailure) => scored.filter(({ hybrid }) => hybrid.failure === code).length;
  return {
    ...shares,
    model_s: seconds(({ hybrid }) => hybrid.model_s),
    execution_s: seconds(({ hybrid }) => hybrid.execution_s),
    total_s: seconds(({ latency_s }) => latency_s),
    all: groupOf('all', scored, resampling),
    by_share: by(
      told(({ share }) => share).sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
      ({ share }) => share,
    ),
    by_class: by(PLAN_CLASSES, (score) => score.class),
    by_api: by(API_CLASSES, ({ augmented }) => augmented?.class),
    by_depth: by(['1', '2', '3'], ({ augmented }) => augmented?.depth.toString()),
    failures: Object.fromEntries(
      HYBRID_FAILURES.flatMap((code) => (count(code) > 0 ? [[code, count(code)]] : [])),
    ),
  };
}

function groupOf(key: string, samples: readonly Scored[], resampling: Resampling): HybridGroup {
  const { shares } = computeFigures(samples, { execution: SHARES.execution }, {}, resampling);
  const count = (of: (sample: Scored) => boolean) => samples.filter(of).length;
  const told = samples.filter(({ hybrid }) => hybrid.used !== null);
  const mean = (of: (score: HybridScore) => number | undefined) =>
    meanOf(told, ({ hybrid }) => (hybrid && of(hybrid)) ?? null).value;
  return {
    key,
    n: samples.length,
    execution: count(({ hybrid }) => hybrid.execution),
    interval: shares.execution.ci,
    exact: count(({ hybrid }) => hybrid.exact),
    passed: count(({ outcome }) => outcome === 'pass'),
    calls: mean(({ used }) => used?.calls),
    pages: mean(({ used }) => used?.pages),
    rows: mean(({ used }) => used?.rows),
    planned_calls: mean(({ planned }) => planned.calls),
    planned_pages: mean(({ planned }) => planned.pages),
    planned_rows: mean(({ planned }) => planned.rows),
  };
}

const SHARES = {
  execution: ({ hybrid }) => hybrid?.execution ?? null,
  exact: ({ hybrid }) => hybrid?.exact ?? null,
  completion: ({ outcome }) => outcome === 'pass',
} satisfies Record<string, SampleTest>;

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
