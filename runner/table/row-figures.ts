import type { HybridGroup, QueryGroup, Report } from '../../contracts/report.ts';
import type { LeaderboardRow } from './leaderboard.ts';

/** What the figures of a row are over: a whole report, or any part of its samples. */
export interface Figured {
  readonly metrics: Report['metrics'];
  readonly ledger: Pick<Report['ledger'], 'infra_error'>;
  readonly samples: readonly { readonly latency_s: number | null }[];
  readonly error_classes: Pick<Report['error_classes'], 'counts' | 'endings'>;
  /** Passes that were judged, and how many of them were luck; null: none were. */
  readonly worlds: { readonly passes: number; readonly lucky: number } | null;
  readonly cost: number | null;
}

/** What a run is, as far as it decides which figures it has. */
export interface FiguredRun {
  /** Whether its tasks are of a category. */
  readonly hasCategory: boolean;
  /** Whether calls are nested in one expression. */
  readonly isNested: boolean;
}

export type RowFigures = Omit<
  LeaderboardRow,
  | 'name'
  | 'model'
  | 'agent'
  | 'formulation'
  | 'options'
  | 'split'
  | 'ceiling'
  | 'world_difference'
  | 'source'
  | 'run'
>;

/** The figures of a leaderboard's row. */
export function rowFigures(
  { metrics, ledger, samples, error_classes, worlds, cost }: Figured,
  { hasCategory, isNested }: FiguredRun,
): RowFigures {
  const { intent, slot, react, efficiency } = metrics;
  const latencies = samples.map(({ latency_s }) => latency_s).filter((seconds) => seconds !== null);
  return {
    n: metrics.completion.n === 0 ? metrics.relevance.n : metrics.completion.n,
    completion: metrics.completion.value,
    completion_strict: metrics.completion_strict?.value ?? null,
    interval: metrics.completion.ci,
    intent: intent.prefix.n === 0 ? null : scoresOf(intent.prefix),
    slot: slot.canonical.n === 0 ? null : scoresOf(slot.canonical),
    relevance: metrics.relevance.value ?? metrics.category?.some_call.value ?? null,
    ast: hasCategory ? metrics.bfcl.fixed.value : null,
    exact_string: isNested ? metrics.exact_string.value : null,
    parts: metrics.category?.parts.value ?? null,
    no_call: metrics.category?.no_call.value ?? null,
    loops: react.loops.value,
    out_of_budget: react.out_of_budget.value,
    ended_by: Object.fromEntries(
      Object.entries(metrics.ended_by).flatMap(([end, { count, value }]) =>
        count > 0 ? [[end, value]] : [],
      ),
    ),
    robust: robustOf(metrics.completion.value, worlds),
    stuck: react.stuck_name.value,
    unclassified: react.unclassified.value,
    latency_p50: quantile(latencies, 0.5),
    latency_p95: quantile(latencies, 0.95),
    input_tokens: efficiency.input_tokens.value,
    output_tokens: efficiency.output_tokens.value,
    cost,
    infra_errors: ledger.infra_error,
    error_classes: { ...error_classes.endings, ...error_classes.counts },
    query: queryFigures(metrics.query),
    hybrid: hybridFigures(metrics.hybrid),
  };
}

function queryFigures(query: Report['metrics']['query']): LeaderboardRow['query'] {
  if (query === null) return null;
  // As the paper counts, so that its rows can stand beside.
  const shares = (groups: readonly QueryGroup[]) =>
    Object.fromEntries(groups.map(({ key, n, exact_legacy }) => [key, exact_legacy / n]));
  const selected = query.tool_selection.value;
  return {
    exact: query.exact.value,
    exact_published: query.exact_legacy.value,
    ast: query.ast.value,
    ast_code: query.ast_legacy.value,
    routing: query.routing.value,
    no_tool: selected === null ? null : 1 - selected,
    invalid: query.invalid_calls.value,
    by_component: shares(query.by_component),
    by_complexity: shares(query.by_complexity),
    by_use_case: shares(query.by_use_case),
  };
}

function hybridFigures(hybrid: Report['metrics']['hybrid']): LeaderboardRow['hybrid'] {
  if (hybrid === null) return null;
  const shares = (groups: readonly HybridGroup[]) =>
    Object.fromEntries(groups.map(({ key, n, execution }) => [key, execution / n]));
  const { all, total_s, model_s } = hybrid;
  return {
    execution: hybrid.execution.value,
    exact: hybrid.exact.value,
    by_share: shares(hybrid.by_share),
    by_class: shares(hybrid.by_class),
    by_api: shares(hybrid.by_api),
    by_depth: shares(hybrid.by_depth),
    seconds: total_s.value,
    seconds_p50: total_s.p50,
    seconds_p95: total_s.p95,
    model_seconds: model_s.value,
    api_calls: all.calls,
    rows_moved: all.rows,
    planned_calls: all.planned_calls,
    planned_rows: all.planned_rows,
  };
}

/** Completion without the passes that were luck; of those that no world judges, as many as of the others. */
function robustOf(completion: number | null, worlds: Figured['worlds']): number | null {
  if (worlds === null || completion === null || worlds.passes === 0) return null;
  return completion * (1 - worlds.lucky / worlds.passes);
}

function scoresOf({ precision, recall, f1 }: NonNullable<LeaderboardRow['intent']>) {
  return { precision, recall, f1 };
}

/** By the nearest rank; null without values. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}
