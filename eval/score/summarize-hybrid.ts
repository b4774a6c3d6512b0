import { API_CLASSES, HYBRID_FAILURES, PLAN_CLASSES } from '../../contracts/hybrid-kinds.ts';
import type { HybridFailure, HybridScore } from '../../contracts/hybrid-score.ts';
import type { HybridGroup, Report, SampleScore } from '../../contracts/report.ts';
import { computeFigures, meanOf, type Resampling, spreadOf, type SampleTest } from './figures.ts';

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
