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
    table('data_non_live.csv', NON_LIVE, 'nonLive', figures),
    table('data_live.csv', LIVE, 'live', figures),
    table('data_multi_turn.csv', MULTI_TURN, 'multiTurn', figures),
    table('data_agentic.csv', AGENTIC, 'agentic', figures),
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

/** A column of a table: its head, and its figure or the category whose figure it is. */
type Column = readonly [head: string, of: string | ((figures: Figures) => Accuracy)];

function cellsOf(columns: readonly Column[], figures: Figures): string[] {
  return columns.map(([, of]) => percent(typeof of === 'string' ? figures.of(of) : of(figures)));
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
  columns: readonly Column[],
  key: 'nonLive' | 'live' | 'multiTurn' | 'agentic',
  figures: readonly Figures[],
): SummaryTable {
  const sorted = [...figures].sort((a, b) => b[key].accuracy - a[key].accuracy);
  const rows = sorted.map((each, i) => [String(i + 1), each.model.model, ...cellsOf(columns, each)]);
  return { file, head: ['Rank', 'Model', ...columns.map(([head]) => head)], rows };
}

function overallTable(figures: readonly Figures[]): SummaryTable {
  const sorted = [...figures].sort((a, b) => b.total.accuracy - a.total.accuracy);
  const rows = sorted.map((each, i) => {
    const { model, cost, latency } = each.model;
    const spent = [cost, latency.mean, latency.deviation, latency.p95].map(rounded);
    return [String(i + 1), percent(each.total), model, ...spent, ...cellsOf(OVERALL, each)];
  });
  return { file: 'data_overall.csv', head: [...OVERALL_HEAD, ...OVERALL.map(([head]) => head)], rows };
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

const NON_LIVE: readonly Column[] = [
  ['Non-Live Overall Acc', ({ nonLive }) => nonLive],
  ['AST Summary', ({ nonLiveSummary }) => nonLiveSummary],
  ['Simple AST', ({ simple }) => simple],
  ['Python Simple AST', 'simple_python'],
  ['Java Simple AST', 'simple_java'],
  ['JavaScript Simple AST', 'simple_javascript'],
  ['Multiple AST', 'multiple'],
  ['Parallel AST', 'parallel'],
  ['Parallel Multiple AST', 'parallel_multiple'],
  ['Irrelevance Detection', 'irrelevance'],
];

const LIVE: readonly Column[] = [
  ['Live Overall Acc', ({ live }) => live],
  ['AST Summary', ({ liveSummary }) => liveSummary],
  ['Python Simple AST', 'live_simple'],
  ['Python Multiple AST', 'live_multiple'],
  ['Python Parallel AST', 'live_parallel'],
  ['Python Parallel Multiple AST', 'live_parallel_multiple'],
  ['Irrelevance Detection', 'live_irrelevance'],
  ['Relevance Detection', 'live_relevance'],
];

const MULTI_TURN: readonly Column[] = [
  ['Multi Turn Overall Acc', ({ multiTurn }) => multiTurn],
  ['Base', 'multi_turn_base'],
  ['Miss Func', 'multi_turn_miss_func'],
  ['Miss Param', 'multi_turn_miss_param'],
  ['Long Context', 'multi_turn_long_context'],
];

const AGENTIC_PARTS: readonly Column[] = [
  ['Web Search Summary', ({ webSearch }) => webSearch],
  ['Web Search Base', 'web_search_base'],
  ['Web Search No Snippet', 'web_search_no_snippet'],
  ['Memory Summary', ({ memory }) => memory],
  ['Memory KV', 'memory_kv'],
  ['Memory Vector', 'memory_vector'],
  ['Memory Recursive Summarization', 'memory_rec_sum'],
];
const AGENTIC: readonly Column[] = [['Agentic Overall Acc', ({ agentic }) => agentic], ...AGENTIC_PARTS];

const OVERALL_HEAD = [
  'Rank',
  'Overall Acc',
  'Model',
  'Total Cost ($)',
  'Latency Mean (s)',
  'Latency Standard Deviation (s)',
  'Latency 95th Percentile (s)',
];
const OVERALL: readonly Column[] = [
  ['Non-Live AST Acc', ({ nonLiveSummary }) => nonLiveSummary],
  ['Non-Live Simple AST', ({ simple }) => simple],
  ['Non-Live Multiple AST', 'multiple'],
  ['Non-Live Parallel AST', 'parallel'],
  ['Non-Live Parallel Multiple AST', 'parallel_multiple'],
  ['Live Acc', ({ live }) => live],
  ['Live Simple AST', 'live_simple'],
  ['Live Multiple AST', 'live_multiple'],
  ['Live Parallel AST', 'live_parallel'],
  ['Live Parallel Multiple AST', 'live_parallel_multiple'],
  ['Multi Turn Acc', ({ multiTurn }) => multiTurn],
  ...MULTI_TURN.slice(1).map(([head, of]) => [`Multi Turn ${head}`, of] as const),
  ...AGENTIC_PARTS.map(([head, of]) => [head.replace('Summary', 'Acc'), of] as const),
  ['Relevance Detection', 'live_relevance'],
  ['Irrelevance Detection', ({ irrelevance }) => irrelevance],
];
