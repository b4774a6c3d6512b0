import { FORMULATION_NAMES } from '../../contracts/vocabulary.ts';
import type { ReportTable } from '../../eval/metrics/figures.ts';
import { compareQuestions, holm } from '../../eval/report/compare.ts';
import { percent } from '../../runner/leaderboard/columns.ts';
import type { ScoredRun } from './find-runs.ts';

/** Of list options that vary in a table: in the order of its lines. */
const VIAS = ['list', 'search', 'code', 'http', 'requests'] as const;

type Run = Pick<ScoredRun, 'header' | 'row' | 'report'>;

interface Line extends Run {
  /** How the data is reached. */
  readonly name: string;
  readonly tools: string;
  /** By which lines are sorted, the most important first. */
  readonly order: readonly number[];
}

/**
 * For each model, or agent without one, a table of the interfaces in which it met the same questions. Each is compared
 * with the first, question by question; p is corrected for the tests of the table.
 */
export function interfaceTables(runs: readonly Run[]): ReportTable[] {
  const models = [...new Set(runs.map(({ row }) => row.model))];
  return models.map((model) => tableOf(model, runs.filter(({ row }) => row.model === model).map(lineOf)));
}

function lineOf(run: Run): Line {
  const { agent, formulation, list } = run.header.config;
  const isSql = agent === 'nl2sql';
  const isWide = list.scope === 'farm';
  const count = Number(list.tools);
  const tools =
    list.tools === '100%' ? (isWide ? 'all' : 'domain') : count ? count.toLocaleString('en') : list.tools;
  const size = isWide ? count || Number.POSITIVE_INFINITY : 0;
  return {
    ...run,
    name: isSql ? 'SQL' : `${formulation === 'query' ? 'query' : formulation.toUpperCase()}, ${list.via}`,
    tools: isSql ? '' : tools,
    order: [size, Number(isSql), FORMULATION_NAMES.indexOf(formulation), VIAS.indexOf(list.via)],
  };
}

function byOrder(a: Line, b: Line): number {
  const at = a.order.findIndex((each, i) => each !== b.order[i]);
  return at < 0 ? 0 : (a.order[at] ?? 0) - (b.order[at] ?? 0);
}

function tableOf(model: string, given: readonly Line[]): ReportTable {
  const [first, ...others] = [...given].sort(byOrder) as [Line, ...Line[]];
  const compared = others.map(({ report }) =>
    compareQuestions(first.report.samples, report.samples, report.options.seed),
  );
  const corrected = holm(compared.map(({ p }) => p));
  const columns: readonly (readonly [string, (line: Line, at: number) => string])[] = [
    ['tools', ({ tools }) => tools],
    ['completion', ({ row }) => percent(row.completion)],
    ['strict', ({ row }) => percent(row.completion_strict)],
    ['difference', (_, at) => points(compared[at - 1]?.difference ?? null)],
    ['p (Holm)', (_, at) => chance(corrected[at - 1] ?? null)],
    ['pairs', (_, at) => compared[at - 1]?.questions.toString() ?? ''],
    ['tokens in', ({ row }) => number(row.input_tokens, 0)],
    ['tokens out', ({ row }) => number(row.output_tokens, 0)],
    ['round trips', ({ row }) => (row.input_tokens === null ? '' : number(row.loops, 2))],
    ['p50 s', ({ row }) => number(row.latency_p50, 2)],
    ['cost', ({ row }) => number(row.cost, 4)],
    ['N', ({ row }) => String(row.n)],
  ];
  const lines = [first, ...others];
  const used = columns.filter(([, show]) => lines.some((line, at) => show(line, at) !== ''));
  return {
    title: `${model}: differences to ${first.name} on the same questions`,
    head: ['', ...used.map(([name]) => name)],
    rows: lines.map((line, at) => [line.name, ...used.map(([, show]) => show(line, at))]),
  };
}

function points(value: number | null): string {
  return value === null ? '' : `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`;
}

function chance(p: number | null): string {
  return p === null ? '' : p < 0.001 ? '<0.001' : p.toFixed(3);
}

function number(value: number | null, digits: number): string {
  return value === null
    ? ''
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
