import { pythonFloat } from '../../eval/bfcl/convert.ts';
import { pythonRepr } from '../../eval/json/python.ts';
import type { BfclModelScore } from './score.ts';

/**
 * Accuracy on some questions, and whether BFCL's tables show it: a category without results counts 0 and shows as N/A.
 */
export interface Accuracy {
  readonly accuracy: number;
  readonly total: number;
  readonly shown: boolean;
}

/** The unweighted mean. Not shown if a part is not. */
export function unweighted(parts: readonly Accuracy[]): Accuracy {
  const sum = parts.reduce((total, { accuracy }) => total + accuracy, 0);
  return { accuracy: sum / parts.length, total: totalOf(parts), shown: parts.every(({ shown }) => shown) };
}

/** The mean weighted by number of questions. Not shown if a part is not. */
export function weighted(parts: readonly Accuracy[]): Accuracy {
  const total = totalOf(parts);
  const right = parts.reduce((sum, part) => sum + part.accuracy * part.total, 0);
  return { accuracy: total === 0 ? 0 : right / total, total, shown: parts.every(({ shown }) => shown) };
}

/** The mean with fixed weights, which add up to 100. */
export function inProportion(parts: readonly (readonly [Accuracy, number])[]): Accuracy {
  const accuracy = parts.reduce((sum, [part, weight]) => sum + (part.accuracy * weight) / 100, 0);
  const all = parts.map(([part]) => part);
  return { accuracy, total: totalOf(all), shown: all.every(({ shown }) => shown) };
}

/** Always shown: BFCL's overall figures count missing categories as 0. */
export function overall(part: Accuracy): Accuracy {
  return { ...part, shown: true };
}

/** Formatted as in BFCL's tables: `81.25%`, or `N/A`. */
export function percent({ accuracy, shown }: Accuracy): string {
  return shown ? `${twoDecimals(accuracy * 100)}%` : 'N/A';
}

/** As in Python, a half goes to the even digit; only multiples of 1/8 can be one. */
function twoDecimals(value: number): string {
  const hundredths = value * 100;
  const isHalf = Number.isInteger(value * 8) && hundredths % 1 === 0.5;
  return (isHalf ? (2 * Math.round(hundredths / 2)) / 100 : value).toFixed(2);
}

function totalOf(parts: readonly Accuracy[]): number {
  return parts.reduce((sum, { total }) => sum + total, 0);
}

/** A table in BFCL's format, the best model first. */
export interface SummaryTable {
  /** BFCL's file name. */
  readonly file: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** BFCL's verdicts, or those of the corrected rules. */
export type Verdicts = 'official' | 'fixed';

/**
 * BFCL's summary tables. What was not run counts 0, as in BFCL. All models were scored on the same questions.
 *
 * Source: `generate_leaderboard_csv` in `bfcl_eval/eval_checker/eval_runner_helper.py`.
 */
export function summaryTables(models: readonly BfclModelScore[], verdicts: Verdicts): SummaryTable[] {
  const figures = models.map((model) => ({ model, ...figuresOf(model, verdicts) }));
  return [
    table('data_non_live.csv', NON_LIVE, 'nonLive', figures, (f) => [
      f.nonLive,
      f.nonLiveSummary,
      f.simple,
      f.of('simple_python'),
      f.of('simple_java'),
      f.of('simple_javascript'),
      f.of('multiple'),
      f.of('parallel'),
      f.of('parallel_multiple'),
      f.of('irrelevance'),
    ]),
    table('data_live.csv', LIVE, 'live', figures, (f) => [
      f.live,
      f.liveSummary,
      ...LIVE_AST.map(f.of),
      f.of('live_irrelevance'),
      f.of('live_relevance'),
    ]),
    table('data_multi_turn.csv', MULTI_TURN, 'multiTurn', figures, (f) => [
      f.multiTurn,
      ...MULTI_TURN_PARTS.map(f.of),
    ]),
    table('data_agentic.csv', AGENTIC, 'agentic', figures, (f) => [f.agentic, ...agenticParts(f)]),
    overallTable(figures),
  ];
}

interface Figures {
  readonly model: BfclModelScore;
  readonly of: (category: string) => Accuracy;
  readonly simple: Accuracy;
  readonly nonLive: Accuracy;
  readonly nonLiveSummary: Accuracy;
  readonly live: Accuracy;
  readonly liveSummary: Accuracy;
  readonly irrelevance: Accuracy;
  readonly multiTurn: Accuracy;
  readonly webSearch: Accuracy;
  readonly memory: Accuracy;
  readonly agentic: Accuracy;
  readonly total: Accuracy;
}

function agenticParts({ of, webSearch, memory }: Figures): Accuracy[] {
  return [webSearch, ...WEB_SEARCH.map(of), memory, ...MEMORY.map(of)];
}

function figuresOf({ categories }: BfclModelScore, verdicts: Verdicts): Omit<Figures, 'model'> {
  const of = (name: string): Accuracy => {
    const score = categories.find(({ category }) => category === name)?.[verdicts];
    if (score === undefined) return { accuracy: 0, total: QUESTIONS.get(name) ?? 0, shown: false };
    return { accuracy: score.accuracy, total: score.total, shown: true };
  };
  const simple = unweighted([of('simple_python'), of('simple_java'), of('simple_javascript')]);
  const nonLiveSummary = unweighted([simple, of('multiple'), of('parallel'), of('parallel_multiple')]);
  const liveSummary = weighted(LIVE_AST.map(of));
  const irrelevance = unweighted([of('irrelevance'), of('live_irrelevance')]);
  const [nonLive, live] = [overall(nonLiveSummary), overall(liveSummary)];
  const multiTurn = overall(unweighted(MULTI_TURN_PARTS.map(of)));
  const [webSearch, memory] = [unweighted(WEB_SEARCH.map(of)), unweighted(MEMORY.map(of))];
  const agentic = overall(unweighted([webSearch, memory]));
  const total = overall(
    inProportion([
      [nonLive, 10],
      [live, 10],
      [irrelevance, 10],
      [multiTurn, 30],
      [agentic, 40],
    ]),
  );
  const single = { simple, nonLive, nonLiveSummary, live, liveSummary, irrelevance };
  return { of, ...single, multiTurn, webSearch, memory, agentic, total };
}

function table(
  file: string,
  head: readonly string[],
  key: 'nonLive' | 'live' | 'multiTurn' | 'agentic',
  figures: readonly Figures[],
  columns: (figures: Figures) => readonly Accuracy[],
): SummaryTable {
  const sorted = [...figures].sort((a, b) => b[key].accuracy - a[key].accuracy);
  const rows = sorted.map((each, i) => [String(i + 1), each.model.model, ...columns(each).map(percent)]);
  return { file, head: ['Rank', 'Model', ...head], rows };
}

function overallTable(figures: readonly Figures[]): SummaryTable {
  const sorted = [...figures].sort((a, b) => b.total.accuracy - a.total.accuracy);
  const rows = sorted.map((f, i) => {
    const { cost, latency } = f.model;
    const spent = [cost, latency.mean, latency.deviation, latency.p95].map(rounded);
    const shares = [
      f.nonLiveSummary,
      f.simple,
      f.of('multiple'),
      f.of('parallel'),
      f.of('parallel_multiple'),
      f.live,
      ...LIVE_AST.map(f.of),
      f.multiTurn,
      ...MULTI_TURN_PARTS.map(f.of),
      ...agenticParts(f),
      f.of('live_relevance'),
      f.irrelevance,
    ];
    return [String(i + 1), percent(f.total), f.model.model, ...spent, ...shares.map(percent)];
  });
  return { file: 'data_overall.csv', head: OVERALL, rows };
}

/** Two decimals, rounded and printed like Python's. */
function rounded(value: number | null): string {
  return value === null ? 'N/A' : pythonRepr(pythonFloat(String(Number(twoDecimals(value)))));
}

const MULTI_TURN_PARTS = [
  'multi_turn_base',
  'multi_turn_miss_func',
  'multi_turn_miss_param',
  'multi_turn_long_context',
];
const WEB_SEARCH = ['web_search_base', 'web_search_no_snippet'];
const MEMORY = ['memory_kv', 'memory_vector', 'memory_rec_sum'];
const LIVE_AST = ['live_simple', 'live_multiple', 'live_parallel', 'live_parallel_multiple'];

/** Numbers of questions in BFCL v4, which weight live categories without results. */
const QUESTIONS = new Map([
  ['live_simple', 258],
  ['live_multiple', 1053],
  ['live_parallel', 16],
  ['live_parallel_multiple', 24],
]);

const NON_LIVE = [
  'Non-Live Overall Acc',
  'AST Summary',
  'Simple AST',
  'Python Simple AST',
  'Java Simple AST',
  'JavaScript Simple AST',
  'Multiple AST',
  'Parallel AST',
  'Parallel Multiple AST',
  'Irrelevance Detection',
];

const LIVE = [
  'Live Overall Acc',
  'AST Summary',
  'Python Simple AST',
  'Python Multiple AST',
  'Python Parallel AST',
  'Python Parallel Multiple AST',
  'Irrelevance Detection',
  'Relevance Detection',
];

const MULTI_TURN = ['Multi Turn Overall Acc', 'Base', 'Miss Func', 'Miss Param', 'Long Context'];

const AGENTIC = [
  'Agentic Overall Acc',
  'Web Search Summary',
  'Web Search Base',
  'Web Search No Snippet',
  'Memory Summary',
  'Memory KV',
  'Memory Vector',
  'Memory Recursive Summarization',
];

const OVERALL = [
  'Rank',
  'Overall Acc',
  'Model',
  'Total Cost ($)',
  'Latency Mean (s)',
  'Latency Standard Deviation (s)',
  'Latency 95th Percentile (s)',
  'Non-Live AST Acc',
  'Non-Live Simple AST',
  'Non-Live Multiple AST',
  'Non-Live Parallel AST',
  'Non-Live Parallel Multiple AST',
  'Live Acc',
  'Live Simple AST',
  'Live Multiple AST',
  'Live Parallel AST',
  'Live Parallel Multiple AST',
  'Multi Turn Acc',
  'Multi Turn Base',
  'Multi Turn Miss Func',
  'Multi Turn Miss Param',
  'Multi Turn Long Context',
  'Web Search Acc',
  'Web Search Base',
  'Web Search No Snippet',
  'Memory Acc',
  'Memory KV',
  'Memory Vector',
  'Memory Recursive Summarization',
  'Relevance Detection',
  'Irrelevance Detection',
];
