import { existsSync, readFileSync } from 'node:fs';
import { OptionError, UserError } from '../../contracts/errors.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import { unanswerableKind } from '../../contracts/split.ts';
import { faultIn } from '../../contracts/wording.ts';
import { dialogueTables } from '../metrics/dialogues.ts';
import { valueFault } from '../metrics/failures.ts';
import {
  interval,
  number,
  percent,
  type ReportTable,
  type Share,
  shareRow,
  type TableColumn,
  tableOf,
} from '../metrics/figures.ts';
import { hybridTables } from '../metrics/hybrid.ts';
import {
  figureAt,
  flatMetrics,
  METRICS,
  type Metric,
  type Metrics,
  unanswerableScore,
} from '../metrics/metrics.ts';
import { queryToolTables } from '../metrics/query-tool.ts';
import { type Group, goldKind, type LuckGroup, type Report, report } from '../metrics/report.ts';
import { silentFaultTable } from '../metrics/silent-faults.ts';

/** The report as tables: outcomes by formulation, every metric with its N, and the error classes. */
export function reportTables(report: Report): ReportTable[] {
  return [
    outcomes(report),
    metrics(report),
    ...repeatedTables(report),
    ...queryToolTables(report),
    ...hybridTables(report),
    silentFaultTable(report),
    ...dialogueTables(report.dialogues),
    unanswerableTable(report),
    goldTable(report),
    goldSqlTable(report),
    errors(report),
    ...failureTables(report),
    ...worldTables(report),
  ].filter(({ rows }) => rows.length > 0);
}

/** The headline as one line: completion, fair and strict, or relevance if no task had a suitable tool. */
export function reportHeadline({
  farm,
  run,
  metrics: m,
  ledger,
  worlds,
  selections,
  options,
}: Report): string {
  if (m.completion.n === 0 && m.relevance.n > 0)
    return `relevance ${shareText(m.relevance)}: with no fitting tool, no call`;
  const model = run.model === undefined ? '' : `${run.model} on `;
  const rest =
    ledger.not_run > 0
      ? `; ${ledger.not_run} of ${ledger.total} were not run, of the others ${shareText(m.completion_of_run)}`
      : '';
  const place = farm.world === null ? farm.name : `a world of ${farm.name}`;
  const strict = m.completion_strict === undefined ? '' : `, strict ${percent(m.completion_strict.value)}`;
  const open = m.unanswerable.right;
  const unanswerable =
    open.n === 0
      ? ''
      : `; without one answer: said so rightly ${shareText(open)}, answered anyway ${percent(m.unanswerable.answered.value)}`;
  const parts =
    m.category === null || m.category.parts.n === 0 ? '' : `; of their parts ${shareText(m.category.parts)}`;
  return `${model}${place}: completion ${shareText(m.completion)}${strict}${guessableText(selections, options)}${rest}${robustText(worlds)}${parts}${unanswerable}`;
}

function outcomes({ ledger, metrics: { completion, intent, slot }, groups }: Report): ReportTable {
  const all = { key: 'all', ledger, completion, intent: intent.prefix, slot: slot.canonical };
  const outcomes = ['pass', 'fail', 'unparseable', 'infra_error', 'not_run'] as const;
  type Row = Omit<Group, 'few'>;
  return tableOf<Row>(
    'Outcomes',
    [...groups.formulation, all],
    [
      ['', ({ key }) => key],
      ...outcomes.map((name): TableColumn<Row> => {
        return [name.replace('_', ' ').padStart(11), (row) => row.ledger[name], number];
      }),
      ['completion', ({ completion: { value } }) => value, percent],
      ['95 % interval', ({ completion: { ci } }) => interval(ci)],
      ['intent F1', (row) => row.intent.f1, percent],
      ['slot F1', (row) => row.slot.f1, percent],
    ],
  );
}

function metrics({ metrics: m, selections, options }: Report): ReportTable {
  const rows = (group: Metrics, within = '') =>
    flatMetrics(group, within).flatMap(([path, metric]) => metricRows(metric, figureAt(m, path)));
  const slotRows = (path: 'canonical' | 'raw') =>
    metricRows(METRICS.slot[path], m.slot[path]).map((row) => [
      ...row.slice(0, 3),
      `${row[3]}, ${m.slot.pairs} pairs`,
    ]);
  const single = (name: string, value: number | null) =>
    value === null ? [] : [[name, value.toFixed(6).padStart(7), '', '']];
  const {
    completion,
    completion_strict,
    completion_of_run,
    completion_without_infra_errors,
    intent,
    slot: _,
    ended_by,
    react: { loops, out_of_budget, ...react },
    efficiency,
    ...others
  } = METRICS;
  return {
    title: 'Metrics',
    head: ['', '  value', '95 % interval', ''],
    rows: [
      ...rows({ completion, completion_strict }),
      ...otherSelection(selections, options).flatMap(([name, other]) => shareRows(name, other)),
      ...(m.completion.n === m.completion_of_run.n ? [] : rows({ completion_of_run })),
      ...(m.completion_of_run.n === m.completion_without_infra_errors.n
        ? []
        : rows({ completion_without_infra_errors })),
      ...rows({ intent }),
      ...slotRows('canonical'),
      ...slotRows('raw'),
      ...rows(others),
      ...(m.category === null
        ? []
        : [
            ...shareRows('parts of composed tasks', m.category.parts),
            ...shareRows('turns without a call', m.category.no_call),
            ...shareRows('anything called', m.category.some_call),
          ]),
      ...rows({ loops, out_of_budget }, 'react.'),
      ...rows({ ended_by }),
      ...rows(react, 'react.'),
      ...rows({ efficiency }),
      ...single('cost of 1,000 calls', m.efficiency.cost_per_1000_calls),
      ...single('cost of a pass', m.efficiency.cost_per_pass),
    ],
  };
}

const shareRows = (name: string, share: Share) => (share.n === 0 ? [] : [shareRow(name, share)]);

/** A metric as a table row; none if it covers no sample. */
function metricRows(metric: Metric, figure: ReturnType<typeof figureAt>): string[][] {
  if (figure === undefined || figure.n === 0) return [];
  const { title } = metric;
  if ('count' in figure) return metric.onlyCounted && figure.count === 0 ? [] : [shareRow(title, figure)];
  if ('f1' in figure) {
    const { f1, ci, precision, recall, n } = figure;
    return [[title, percent(f1, 7), interval(ci), `P ${percent(precision)}, R ${percent(recall)}, N ${n}`]];
  }
  const text = (value: number | null) => value?.toFixed('digits' in metric ? metric.digits : 0) ?? '–';
  const rest =
    'p50' in figure ? `, p50 ${text(figure.p50)}, p95 ${text(figure.p95)}, SD ${text(figure.sd)}` : '';
  return [[title, text(figure.value).padStart(7), '', `mean of ${figure.n}${rest}`]];
}

/** Completion over the selection that the headline does not cover, if there is one and it is known. */
function otherSelection(
  selections: Report['selections'],
  { selection }: Report['options'],
): [string, Share][] {
  if (selections === null || selections.guessable === 0) return [];
  if (selection === 'all') return [['completion, default selection', selections.default]];
  return selections.all === null ? [] : [['completion of all samples', selections.all]];
}

function errors({ error_classes: { n, counts, endings, without_trajectory } }: Report): ReportTable {
  const ended = Object.entries(endings).map(([name, count]) => [`ended: ${name}`, count] as const);
  const known = ended.reduce((sum, [, count]) => sum + count, n);
  const rows = [...ended, ...Object.entries(counts)]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => [name, number(count, 6), percent(count / known, 17)]);
  const unknown =
    without_trajectory === 0 ? [] : [['(answer only, calls not known)', number(without_trajectory, 6), '']];
  return {
    title: 'Why samples failed',
    head: ['', ' count', 'share of failures'],
    rows: [...rows, ...unknown],
  };
}

/** The headline's remark on guessable samples; '' if there are none. */
function guessableText(selections: Report['selections'], { selection }: Report['options']): string {
  if (selections === null || selections.guessable === 0) return '';
  if (selection === 'all') return `; without the guessable ${shareText(selections.default)}`;
  const rest = `${selections.guessable} guessable left out`;
  return selections.all === null ? `; ${rest}` : `; ${rest}, with them ${shareText(selections.all)}`;
}

/** `66.7 % (8 of 12)`, or a note that there is no figure. */
function shareText({ value, count, n }: Share): string {
  return value === null ? 'unknown (nothing was run)' : `${percent(value)} (${count} of ${n})`;
}

/** Maximum lines of each list; the report as JSON has more. */
const MOST_SHOWN = 10;

/** Why models fail: confused tools, the worst tools and arguments, and how wrong values differ. */
export function failureTables({ failures }: Report): ReportTable[] {
  return [
    tableOf('Tools taken for others', failures.confusions.slice(0, MOST_SHOWN), [
      ['due', ({ expected }) => expected],
      [
        'called',
        ({ called, offered }) =>
          called === null ? '(nothing)' : offered ? called : `${called} (no such tool)`,
      ],
      [' times', ({ count }) => count, number],
    ]),
    tableOf('Worst tools', failures.tools.slice(0, MOST_SHOWN), [
      ['', ({ tool }) => tool],
      ['   due', ({ due }) => due, number],
      ['not called', ({ missed }) => missed, number],
      ['wrong arguments', ({ wrong_arguments }) => wrong_arguments, number],
    ]),
    tableOf('Worst arguments', failures.arguments.slice(0, MOST_SHOWN), [
      ['tool', ({ tool }) => tool],
      ['argument', ({ argument }) => argument],
      ['wrong value', ({ value }) => value, number],
      ['missing', ({ missing }) => missing, number],
      ['unexpected', ({ unexpected }) => unexpected, number],
    ]),
    values(failures),
  ].filter(({ rows }) => rows.length > 0);
}

/** Completion by kind of gold answer. Empty if all gold answers are informative. */
function goldTable({ groups: { gold_kind } }: Report): ReportTable {
  const meanings = { telling: 'rows that tell', empty: 'no rows', null: 'NULL only', zero: 'a single 0' };
  return groupTable(
    'By gold answer',
    gold_kind,
    goldKind.enum.telling,
    (key) => meanings[goldKind.parse(key)],
  );
}

/** Completion by whether the audit has findings on the gold SQL. Empty if it has none at all. */
function goldSqlTable({ groups: { gold_sql } }: Report): ReportTable {
  return groupTable('By what the audit says of the gold SQL', gold_sql, 'clean');
}

/** How attempts dealt with questions without one answer, by why they have none. Empty if there are none. */
function unanswerableTable({ samples }: Report): ReportTable {
  const scores = samples.flatMap(({ unanswerable }) => unanswerable ?? []);
  const verdicts = unanswerableScore.shape.verdict.options;
  const row = (name: string, own: typeof scores) => [
    name.replaceAll('_', ' '),
    number(own.length, 6),
    ...verdicts.map((each) => number(own.filter(({ verdict }) => verdict === each).length, 8)),
  ];
  const kinds = unanswerableKind.options.map((kind) =>
    row(
      kind,
      scores.filter((score) => score.kind === kind),
    ),
  );
  return {
    title: 'Questions without one answer (said so rightly, said so wrongly, answered anyway, no answer)',
    head: ['', '     N', ...verdicts.map((verdict) => verdict.padStart(8))],
    rows: scores.length === 0 ? [] : [...kinds, row('all', scores)],
  };
}

function groupTable(
  title: string,
  groups: readonly Group[],
  usual: string,
  nameOf = (key: string) => key,
): ReportTable {
  return tableOf(title, groups.some(({ key }) => key !== usual) ? groups : [], [
    ['', ({ key }) => nameOf(key)],
    ['completion', ({ completion: { value } }) => value, percent],
    ['95 % interval', ({ completion: { ci } }) => interval(ci)],
    ['', ({ completion: { count }, ledger: { total } }) => `${count} of ${total}`],
  ]);
}

/** pass@k and pass^k; empty if samples were attempted once. */
function repeatedTables({ repeated }: Report): ReportTable[] {
  if (repeated === null) return [];
  const { infra_errors: broken, epochs, samples, at } = repeated;
  const left = broken === 0 ? '' : `, without ${broken} that broke (infra errors)`;
  const figures = [
    ...at.map(({ k, any }) => ({ name: `pass@${k}`, ...any })),
    ...at.map(({ k, all }) => ({ name: `pass^${k}`, ...all })),
  ];
  return [
    tableOf(`${epochs} attempts at each of ${samples} samples${left}`, figures, [
      ['', ({ name }) => name],
      ['  value', ({ value }) => value, percent],
      ['95 % interval', ({ ci }) => interval(ci)],
    ]),
  ];
}

const VALUE_FAULTS = {
  reference: 'another result',
  type: 'another type',
  case: 'case or blanks',
  date: 'dates',
  unit: 'unit',
  other: 'other',
};

function values({ value_faults: counts }: Report['failures']): ReportTable {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const found = valueFault.options.filter((name) => counts[name] > 0);
  return tableOf('How wrong values differ', found, [
    ['', (name) => VALUE_FAULTS[name]],
    [' count', (name) => counts[name], number],
    ['share', (name) => counts[name] / total, (share) => percent(share, 7)],
  ]);
}

/** Passes and how many of them were luck, by formulation and by construct; empty unless they were judged in worlds. */
function worldTables({ worlds }: Report): ReportTable[] {
  if (worlds === null) return [];
  const { formulations, constructs } = worlds;
  return [
    tableOf(`Passes in ${worlds.worlds} worlds`, [...formulations, worlds], LUCK),
    tableOf(
      'Lucky passes, by construct of the gold SQL',
      constructs.filter(({ lucky }) => lucky > 0),
      LUCK,
    ),
  ];
}

const LUCK: readonly TableColumn<LuckGroup>[] = [
  ['', ({ key }) => key],
  ['passes', ({ passes }) => passes, number],
  ['robust', ({ passes, lucky }) => passes - lucky, number],
  [' lucky', ({ lucky }) => lucky, number],
  [' share of luck', ({ passes, lucky }) => (passes === 0 ? null : lucky / passes), percent],
];

/** The headline's remark on worlds; '' if there are none. */
function robustText(worlds: Report['worlds']): string {
  if (worlds === null) return '';
  const left = worlds.not_judged === 0 ? '' : `; ${worlds.not_judged} passes that no world keeps`;
  return `; robust in ${worlds.worlds} worlds: ${worlds.passes - worlds.lucky} of ${worlds.passes} passes${left}`;
}

/** Reads a report.json. Throws REPORT_INVALID. */
export function readReport(file: string): Report {
  if (!existsSync(file)) throw invalid(file, 'is not there');
  let value: unknown;
  try {
    value = parseExactJson(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw invalid(file, `is not JSON (${(cause as Error).message})`, cause);
  }
  const read = report.safeParse(value);
  if (read.success) return read.data;
  throw invalid(file, `is no report: ${faultIn(read.error)}`, read.error);
}

function invalid(file: string, fault: string, cause?: unknown): UserError {
  return new UserError('REPORT_INVALID', file, `${fault}; give a file written by \`rookery score --out\``, {
    cause,
  });
}

export interface Threshold {
  readonly name: string;
  readonly least: number;
}

type ReportedMetrics = Report['metrics'];

/** Figures by a shorter name than their path. */
const MAIN: Readonly<Record<string, string>> = {
  intent: 'intent.prefix',
  slot: 'slot.canonical',
  bfcl: 'bfcl.faithful',
};

/** The names of the figures available to `--fail-under`. */
const FIGURES: readonly string[] = [
  ...new Set([
    ...'completion completion_strict completion_without_infra_errors completion_of_run'.split(' '),
    ...'intent intent.prefix intent.position intent.multiset slot slot.canonical slot.raw'.split(' '),
    ...'execution_accuracy exact_string bfcl bfcl.fixed'.split(' '),
    ...flatMetrics(METRICS).flatMap(([path, { kind }]) =>
      kind === 'share' && !path.includes('.') ? [path] : [],
    ),
  ]),
];

function valueAt(metrics: ReportedMetrics, name: string): number | null {
  const figure = figureAt(metrics, MAIN[name] ?? name);
  if (figure === undefined) return null;
  return 'f1' in figure ? figure.f1 : figure.value;
}

/** Reads `completion=0.4,intent=0.6`. Throws OPTION_INVALID. */
export function parseThresholds(text: string): Threshold[] {
  return text.split(',').map((item) => {
    const [name = '', value = '', ...rest] = item.split('=').map((part) => part.trim());
    const least = Number(value);
    const known = FIGURES.includes(name);
    if (!known || rest.length > 0 || value === '' || !(least >= 0 && least <= 1)) {
      const fix = `give <figure>=<from 0 to 1>, where a figure is one of ${FIGURES.join(', ')}`;
      throw new OptionError('--fail-under', `${item} is not a threshold; ${fix}`);
    }
    return { name, least };
  });
}

/** One line per figure below its threshold. A figure that could not be computed counts as below. */
export function findMissed(thresholds: readonly Threshold[], metrics: ReportedMetrics): string[] {
  return thresholds.flatMap(({ name, least }) => {
    const value = valueAt(metrics, name);
    if (value !== null && value >= least) return [];
    return [`${name} is ${value === null ? 'unknown' : value.toFixed(4)}, wanted at least ${least}`];
  });
}
