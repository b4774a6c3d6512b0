import type { Category } from '../../contracts/prediction.ts';
import { ENDINGS, FORMULATION_NAMES } from '../../contracts/vocabulary.ts';
import { countOutcomes, summarizeErrors } from '../../eval/metrics/failures.ts';
import type { Resampling } from '../../eval/metrics/figures.ts';
import type { HybridGroup } from '../../eval/metrics/hybrid.ts';
import { type FiguredSample, figureAt, flatMetrics, isTask, METRICS } from '../../eval/metrics/metrics.ts';
import type { QueryGroup } from '../../eval/metrics/query-tool.ts';
import type { Report } from '../../eval/metrics/report.ts';
import { summarizeMetrics } from '../../eval/metrics/summary.ts';
import type { Difference, LeaderboardRow } from './leaderboard.ts';

/** `tools=25%, obfuscate`; '' if all options are defaults. */
export function optionsText(options: LeaderboardRow['options']): string {
  return Object.entries(options)
    .map(([name, value]) => (value === true ? name : `${name}=${value}`))
    .join(', ');
}

/** The default name of a run: its model, agent and non-default options. */
export function defaultName({
  model,
  agent,
  options,
}: Pick<LeaderboardRow, 'model' | 'agent' | 'options'>): string {
  return [model, agent === model ? '' : agent, optionsText(options)].filter((part) => part !== '').join(', ');
}

/** A row's label among rows of other formulations. */
export function rowLabel({
  name,
  formulation,
  source,
}: Pick<LeaderboardRow, 'name' | 'formulation' | 'source'>): string {
  return `${name}, ${formulation.toUpperCase()}${source === null ? '' : ', published'}`;
}

/** A leaderboard column, for display and for CSV. */
export interface Column {
  readonly name: string;
  readonly isNumber: boolean;
  readonly show: (row: LeaderboardRow) => string;
  readonly value: (row: LeaderboardRow) => string | number | null;
}

type Of<T> = (row: LeaderboardRow) => T | null;

const column = <T extends string | number>(
  name: string,
  value: Of<T>,
  show: (value: T) => string,
  isNumber = true,
): Column => ({
  name,
  isNumber,
  value,
  show: (row) => {
    const found = value(row);
    return found === null ? '' : show(found);
  },
});
const text = (name: string, of: Of<string>) => column(name, of, String, false);
const share = (name: string, of: Of<number>) => column(name, of, percent);
const number = (name: string, of: Of<number>, digits: number) =>
  column(name, of, (value) => value.toFixed(digits));
const difference = (name: string, of: Of<Difference>) =>
  column(name, (row) => of(row)?.value ?? null, points);

/** The columns that form a run's default name. */
const IN_DEFAULT_NAME: readonly Column[] = [
  text('model', ({ model }) => model),
  text('agent', ({ agent }) => agent),
  text('options', ({ options }) => optionsText(options)),
];

/** What an agent was given besides the question; '' for published rows, of which that is not known. */
function trackOf({ options, source }: LeaderboardRow): string {
  const given = ['evidence', 'glossary', 'documents'].filter((name) => options[name] === true);
  return given.length > 0 || source !== null ? given.join(' and ') : 'neither';
}

const TRACK = text('given', trackOf);

/** Metrics that define a leaderboard column. */
const FIGURE_COLUMNS = flatMetrics(METRICS)
  .flatMap(([path, { column }]) => (column === undefined ? [] : [{ path, key: path, ...column }]))
  .sort((a, b) => (a.key < b.key ? -1 : 1));

/** A row's figure by its field, also those that metrics define; null if it has none. */
export function numberAt(row: LeaderboardRow, key: string): number | null {
  const value: unknown = Reflect.get(row, key);
  return typeof value === 'number' ? value : null;
}

/** All columns, in order. */
export const COLUMNS: readonly Column[] = [
  text('name', ({ name }) => name),
  ...IN_DEFAULT_NAME,
  TRACK,
  share('completion', ({ completion }) => completion),
  {
    name: '95 %',
    isNumber: true,
    show: ({ interval }) => (interval === null ? '' : `${tenths(interval[0])}–${tenths(interval[1])}`),
    value: ({ interval }) => (interval === null ? null : interval.join('–')),
  },
  number('N', ({ n }) => n, 0),
  share('strict', ({ completion_strict }) => completion_strict),
  share('ceiling', ({ ceiling }) => ceiling),
  share('robust', ({ robust }) => robust),
  difference('Δ(public, private)', ({ world_difference }) => world_difference),
  difference('Δ(new names)', ({ renamed_difference }) => renamed_difference),
  share('exact match', ({ query }) => query?.exact ?? null),
  share('as published', ({ query }) => query?.exact_published ?? null),
  share('routing', ({ query }) => query?.routing ?? null),
  share('no tool', ({ query }) => query?.no_tool ?? null),
  share('invalid calls', ({ query }) => query?.invalid ?? null),
  share('execution', ({ hybrid }) => hybrid?.execution ?? null),
  share('exact columns', ({ hybrid }) => hybrid?.exact ?? null),
  number('API calls', ({ hybrid }) => hybrid?.api_calls ?? null, 1),
  number('rows moved', ({ hybrid }) => hybrid?.rows_moved ?? null, 1),
  share('relevance', ({ relevance }) => relevance),
  ...FIGURE_COLUMNS.map(({ name, key }) => share(name, (row) => numberAt(row, key))),
  share('parts', ({ parts }) => parts),
  share('no call', ({ no_call }) => no_call),
  share('intent F1', ({ intent }) => intent?.f1 ?? null),
  share('slot F1', ({ slot }) => slot?.f1 ?? null),
  number('loops', ({ loops }) => loops, 2),
  share('out of budget', ({ out_of_budget }) => out_of_budget),
  ...ENDINGS.map((end) =>
    share(`ended: ${end.replaceAll('_', ' ')}`, ({ ended_by }) => ended_by[end] ?? null),
  ),
  share('stuck', ({ stuck }) => stuck),
  number('p50 s', ({ latency_p50 }) => latency_p50, 2),
  number('p95 s', ({ latency_p95 }) => latency_p95, 2),
  number('tokens in', ({ input_tokens }) => input_tokens, 0),
  number('tokens out', ({ output_tokens }) => output_tokens, 0),
  number('cost', ({ cost }) => cost, 4),
];

/** The columns that add something to the name for at least one row. */
export function usedColumns(rows: readonly LeaderboardRow[]): Column[] {
  const named = rows.every((row) => row.name === defaultName(row));
  const hasTracks = new Set(rows.filter(({ source }) => source === null).map(trackOf)).size > 1;
  return COLUMNS.filter(
    (column) =>
      !(named && IN_DEFAULT_NAME.includes(column)) &&
      !(column === TRACK && !hasTracks) &&
      rows.some((row) => column.show(row) !== ''),
  );
}

/** A share as `62.3 %`; '' for none. */
export function percent(value: number | null): string {
  return value === null ? '' : `${tenths(value)} %`;
}

/** A difference of shares in percentage points, with its sign. */
function points(difference: number): string {
  const text = tenths(Math.abs(difference));
  return text === '0.0' ? text : `${difference < 0 ? '−' : '+'}${text}`;
}

function tenths(value: number): string {
  return (value * 100).toFixed(1);
}

/** The samples that a row's figures cover: a whole report, or part of it. */
export interface Figured {
  readonly metrics: Report['metrics'];
  readonly ledger: Pick<Report['ledger'], 'infra_error'>;
  readonly samples: readonly { readonly latency_s: number | null }[];
  readonly error_classes: Pick<Report['error_classes'], 'counts' | 'endings'>;
  /** Passes judged in worlds, and how many of them were luck; null if none were judged. */
  readonly worlds: { readonly passes: number; readonly lucky: number } | null;
  readonly cost: number | null;
}

/** The properties of a run that decide which figures it has. */
export interface FiguredRun {
  /** Whether its tasks belong to a category. */
  readonly hasCategory: boolean;
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
  | 'renamed_difference'
  | 'source'
  | 'run'
>;

/** The figures of some samples of a run, for a leaderboard. */
export function figuresOfSamples(
  samples: readonly FiguredSample[],
  resampling: Resampling,
  category: Category | null,
  run: FiguredRun,
  worlds: Figured['worlds'] = null,
): RowFigures {
  const tasks = samples.filter(isTask);
  const costs = samples.flatMap(({ cost }) => cost ?? []);
  return rowFigures(
    {
      metrics: summarizeMetrics(samples, resampling, category),
      ledger: countOutcomes(tasks),
      samples,
      error_classes: summarizeErrors(tasks),
      worlds,
      cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    },
    run,
  );
}

export function rowFigures(
  { metrics, ledger, samples, error_classes, worlds, cost }: Figured,
  { hasCategory, isNested }: FiguredRun,
): RowFigures {
  const { intent, slot, react, efficiency } = metrics;
  const open = metrics.unanswerable.right.n;
  const kinds = { category: hasCategory, nested: isNested, unanswerable: open > 0 };
  const latencies = samples.map(({ latency_s }) => latency_s).filter((seconds) => seconds !== null);
  return {
    n: metrics.completion.n || metrics.relevance.n || open,
    completion: metrics.completion.value,
    completion_strict: metrics.completion_strict?.value ?? null,
    interval: metrics.completion.ci,
    intent: intent.prefix.n === 0 ? null : scoresOf(intent.prefix),
    slot: slot.canonical.n === 0 ? null : scoresOf(slot.canonical),
    relevance: metrics.relevance.value ?? metrics.category?.some_call.value ?? null,
    ...Object.fromEntries(
      FIGURE_COLUMNS.map(({ path, key, of }) => {
        const has = of === undefined || kinds[of];
        const figure = has ? figureAt(metrics, path) : undefined;
        return [key, figure === undefined ? null : 'value' in figure ? figure.value : figure.f1];
      }),
    ),
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
  // As the paper counts, so that its rows are comparable.
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

/** Completion without lucky passes; unjudged passes are assumed to be lucky at the same rate. */
function robustOf(completion: number | null, worlds: Figured['worlds']): number | null {
  if (worlds === null || completion === null || worlds.passes === 0) return null;
  return completion * (1 - worlds.lucky / worlds.passes);
}

function scoresOf({ precision, recall, f1 }: NonNullable<LeaderboardRow['intent']>) {
  return { precision, recall, f1 };
}

/** By nearest rank; null without values. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}

/** Sorts by formulation, then by the lower bound of completion, so that a lucky short run does not lead. */
export function sortRows(rows: readonly LeaderboardRow[]): LeaderboardRow[] {
  return [...rows].sort(
    (a, b) =>
      FORMULATION_NAMES.indexOf(a.formulation) - FORMULATION_NAMES.indexOf(b.formulation) ||
      lowerEnd(b) - lowerEnd(a) ||
      (b.completion ?? 0) - (a.completion ?? 0) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}

/**
 * The lower bound of the 95 % interval of a row's completion, or else its relevance; -1 if neither is known.
 * The bootstrap gives a zero-width interval for few equal samples, and published rows have none: Wilson's
 * interval is used if it is wider.
 */
function lowerEnd({ completion, relevance, interval, n }: LeaderboardRow): number {
  const share = completion ?? relevance;
  if (share === null) return -1;
  const wilson = wilsonLowerEnd(share, n);
  return completion === null || interval === null ? wilson : Math.min(interval[0], wilson);
}

function wilsonLowerEnd(share: number, n: number): number {
  if (n === 0) return 0;
  const z = 1.96;
  const middle = share + (z * z) / (2 * n);
  const half = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return (middle - half) / (1 + (z * z) / n);
}

/** CSV with one line per row, numbers unformatted. */
export function leaderboardCsv(rows: readonly LeaderboardRow[]): string {
  const head = ['formulation', ...COLUMNS.map(({ name }) => name), 'split', 'source', 'run'];
  const lines = rows.map((row) => [
    row.formulation,
    ...COLUMNS.map(({ value }) => value(row) ?? ''),
    row.split,
    row.source ?? '',
    row.run ?? '',
  ]);
  return csvText([head, ...lines]);
}

/** Cells as CSV, with texts escaped that a spreadsheet would run as formulas. */
export function csvText(lines: readonly (readonly (string | number)[])[]): string {
  return lines.map((line) => line.map(csvCell).join(',')).join('\n');
}

function csvCell(value: string | number): string {
  const text = String(value);
  // Spreadsheets run cells with these first characters as formulas.
  const safe = typeof value === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
