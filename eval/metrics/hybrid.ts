import { z } from 'zod';
import { isNumeric } from '../../contracts/answer-rows.ts';
import type { Cell, Row } from '../../contracts/catalog.ts';
import { planClass, printShare } from '../../contracts/hybrid.ts';
import type { Prediction } from '../../contracts/prediction.ts';
import type { Sample } from '../../contracts/sample.ts';
import { API_CLASSES, HYBRID_FAILURES, PLAN_CLASSES } from '../../contracts/vocabulary.ts';
import { type FinalRows, isCutOff } from '../attempt/attempt.ts';
import { scoreExecution } from './execution-accuracy.ts';
import {
  computeShares,
  confidence,
  count,
  countEach,
  groupsBy,
  interval,
  meanOf,
  number,
  percent,
  type ReportTable,
  type Resampling,
  ratio,
  type Spread,
  shareRows,
  shareSchemas,
  spread,
  spreadOf,
  type TableColumn,
  type TitledShares,
  tableOf,
} from './figures.ts';
import type { Report, SampleScore } from './report.ts';

const cost = z.object({ calls: count, pages: count, rows: count });

export const hybridFailure = z.enum(HYBRID_FAILURES);
export type HybridFailure = z.infer<typeof hybridFailure>;

export const hybridScore = z.object({
  /** `40`, or with a seed `40-7`. */
  share: z.string(),
  class: planClass,
  /** For augmented questions. */
  augmented: z.object({ class: z.enum(API_CLASSES), depth: z.number().int() }).nullable(),
  /** Execution accuracy with extra columns allowed: the main criterion. */
  execution: z.boolean(),
  /** Execution accuracy without extra columns. */
  exact: z.boolean(),
  failure: hybridFailure.nullable(),
  /** null if the runner did not record it. */
  used: cost.nullable(),
  planned: cost,
  model_s: z.number().nullable(),
  execution_s: z.number().nullable(),
});
export type HybridScore = z.infer<typeof hybridScore>;

/** Figures over a part of the `hybrid` tasks; API costs are means over the attempts that recorded them. */
export const hybridGroup = z.object({
  key: z.string(),
  n: count,
  execution: count,
  /** For the share with right rows. */
  interval: confidence,
  exact: count,
  passed: count,
  calls: ratio,
  pages: ratio,
  rows: ratio,
  planned_calls: ratio,
  planned_pages: ratio,
  planned_rows: ratio,
});
export type HybridGroup = z.infer<typeof hybridGroup>;

/** Shares, with their titles in tables. The first is the main criterion. */
const SHARES = {
  execution: ['execution, extra columns forgiven', ({ hybrid }) => hybrid?.execution ?? null],
  exact: ['execution, exact columns', ({ hybrid }) => hybrid?.exact ?? null],
  completion: ['completion', ({ outcome }) => outcome === 'pass'],
} satisfies TitledShares;

export const hybridFigures = z.object({
  ...shareSchemas(SHARES),
  /** Seconds per attempt. */
  model_s: spread,
  execution_s: spread,
  total_s: spread,
  all: hybridGroup,
  by_share: z.array(hybridGroup),
  /** By the location of the data that the question needs. */
  by_class: z.array(hybridGroup),
  /** Augmented questions, by the first API. */
  by_api: z.array(hybridGroup),
  by_depth: z.array(hybridGroup),
  /** Number of failures by reason. */
  failures: z.partialRecord(hybridFailure, count),
});

type Scored = SampleScore & { readonly hybrid: HybridScore };

/** The figures of `hybrid` tasks; null if none was attempted. */
export function summarizeHybrid(
  samples: readonly SampleScore[],
  resampling: Resampling,
): Report['metrics']['hybrid'] {
  const scored = samples.filter((sample): sample is Scored => sample.hybrid !== null);
  if (scored.length === 0) return null;
  const by = (keys: readonly string[], keyOf: (score: HybridScore) => string | undefined) =>
    groupsBy(
      keys,
      scored,
      ({ hybrid }, key) => keyOf(hybrid) === key,
      (key, members) => groupOf(key, members, resampling),
    );
  const distinct = (of: (score: HybridScore) => string) => [
    ...new Set(scored.map(({ hybrid }) => of(hybrid))),
  ];
  const seconds = (of: (sample: Scored) => number | null) =>
    spreadOf(scored.flatMap((sample) => of(sample) ?? []));
  const count = (code: HybridFailure) => scored.filter(({ hybrid }) => hybrid.failure === code).length;
  return {
    ...computeShares(scored, SHARES, resampling),
    model_s: seconds(({ hybrid }) => hybrid.model_s),
    execution_s: seconds(({ hybrid }) => hybrid.execution_s),
    total_s: seconds(({ latency_s }) => latency_s),
    all: groupOf('all', scored, resampling),
    by_share: by(
      distinct(({ share }) => share).sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
      ({ share }) => share,
    ),
    by_class: by(PLAN_CLASSES, (score) => score.class),
    by_api: by(API_CLASSES, ({ augmented }) => augmented?.class),
    by_depth: by(['1', '2', '3'], ({ augmented }) => augmented?.depth.toString()),
    failures: Object.fromEntries(
      HYBRID_FAILURES.map((code) => [code, count(code)] as const).filter(([, n]) => n > 0),
    ),
  };
}

function groupOf(key: string, samples: readonly Scored[], resampling: Resampling): HybridGroup {
  const { execution } = computeShares(samples, { execution: SHARES.execution }, resampling);
  const count = (of: (sample: Scored) => boolean) => samples.filter(of).length;
  const recorded = samples.filter(({ hybrid }) => hybrid.used !== null);
  const mean = (of: (score: HybridScore) => number | undefined) =>
    meanOf(recorded, ({ hybrid }) => (hybrid && of(hybrid)) ?? null).value;
  return {
    key,
    n: samples.length,
    execution: count(({ hybrid }) => hybrid.execution),
    interval: execution.ci,
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

/** Tables of the `hybrid` metrics and their groups; no rows if no task was attempted. */
export function hybridTables({ metrics: { hybrid } }: Report): ReportTable[] {
  if (hybrid === null) return [];
  const seconds = [
    ['seconds of the model', hybrid.model_s],
    ['seconds of execution', hybrid.execution_s],
  ] as const;
  return [
    {
      title: 'Databases and APIs',
      head: ['', '  value', '95 % interval', ''],
      rows: [
        ...shareRows(SHARES, hybrid),
        ...seconds.flatMap(([name, spread]) => (spread.n === 0 ? [] : [secondsRow(name, spread)])),
      ],
    },
    tableOf('Databases and APIs, by share of the tables behind APIs', hybrid.by_share, GROUP_COLUMNS),
    tableOf('Databases and APIs, by where the data are', hybrid.by_class, GROUP_COLUMNS),
    tableOf('Databases and APIs, by kind of scalar API', hybrid.by_api, GROUP_COLUMNS),
    tableOf('Databases and APIs, by depth of scalar APIs', hybrid.by_depth, GROUP_COLUMNS),
    tableOf('Databases and APIs, why attempts failed', Object.entries(hybrid.failures), [
      ['', ([code]) => code.replaceAll('_', ' ')],
      ['        N', ([, count]) => count ?? 0, number],
    ]),
  ].filter(({ rows }) => rows.length > 0);
}

function secondsRow(name: string, { value, p50, p95 }: Spread): string[] {
  const text = (seconds: number | null) => seconds?.toFixed(2) ?? '–';
  return [name, text(value).padStart(7), '', `p50 ${text(p50)}, p95 ${text(p95)}`];
}

const mean = (value: number | null, width: number) => (value?.toFixed(1) ?? '–').padStart(width);

const GROUP_COLUMNS: readonly TableColumn<HybridGroup>[] = [
  ['', ({ key }) => key.replaceAll('_', ' ')],
  ['execution', ({ execution, n }) => execution / n, percent],
  ['95 % interval', (group) => interval(group.interval)],
  ['     exact', ({ exact, n }) => exact / n, percent],
  ['completion', ({ passed, n }) => passed / n, percent],
  [' API calls', ({ calls }) => calls, mean],
  ['   of plan', ({ planned_calls }) => planned_calls, mean],
  ['rows moved', ({ rows }) => rows, mean],
  ['   of plan', ({ planned_rows }) => planned_rows, mean],
  ['         N', ({ n }) => n, number],
];

/** The score of an attempt at a `hybrid` task; null for other tasks. */
export function scoreHybrid(
  sample: Sample,
  prediction: Prediction,
  { readings, refusals }: Pick<FinalRows, 'readings' | 'refusals'>,
): HybridScore | null {
  const { plan, augmentation } = sample;
  if (plan === undefined) return null;
  const { api_use: use } = prediction;
  const execution = readings.some((rows) => scoreExecution(sample, rows, 'superset'));
  return {
    share: printShare(plan),
    class: plan.class,
    augmented: augmentation ? { class: augmentation.class, depth: augmentation.depth } : null,
    execution,
    exact: readings.some((rows) => scoreExecution(sample, rows, 'exact')),
    failure: execution ? null : failureOf(sample, prediction, readings[0], refusals),
    used: use ? { calls: use.calls, pages: use.pages, rows: use.rows } : null,
    planned: { calls: plan.calls, pages: plan.pages, rows: plan.rows_moved },
    model_s: prediction.model_s ?? null,
    execution_s: prediction.execution_s ?? null,
  };
}

function failureOf(
  { gold_answer: gold }: Sample,
  prediction: Prediction,
  rows: readonly Row[] | undefined,
  refusals: readonly (string | null)[],
): HybridFailure {
  const { api_use: use, calls, sql } = prediction;
  if (rows === undefined) {
    if (use && use.unbound > 0) return 'unbound_input';
    if (use && use.misrouted > 0) return 'routing';
    const wrote = sql != null || (calls ?? []).length > 0 || refusals.some((refusal) => refusal !== null);
    return wrote && !isCutOff(prediction) ? 'not_executed' : 'no_answer';
  }
  if (use && use.invented > 0) return 'invented_value';
  const [mine, theirs] = [countRows(rows), countRows(gold)];
  if (rows.length < gold.length && isWithin(mine, theirs)) return 'lost_rows';
  if (rows.length > gold.length && isWithin(theirs, mine)) return 'extra_rows';
  if (
    rows.length === gold.length &&
    gold.some((row) => row.some(isNumeric)) &&
    isWithin(countRows(rows, true), countRows(gold, true))
  )
    return 'wrong_aggregation';
  return 'wrong_rows';
}

/** Counts equal rows; with `textsOnly`, ignoring numbers. */
function countRows(rows: readonly Row[], textsOnly = false): Map<string, number> {
  const text = (cell: Cell) => (textsOnly && isNumeric(cell) ? 'number' : `${typeof cell} ${cell}`);
  return countEach(rows.map((row) => JSON.stringify(row.map(text))));
}

function isWithin(some: ReadonlyMap<string, number>, all: ReadonlyMap<string, number>): boolean {
  return [...some].every(([key, count]) => count <= (all.get(key) ?? 0));
}
