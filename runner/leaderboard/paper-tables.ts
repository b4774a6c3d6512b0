import type { Formulation } from '../../contracts/sample.ts';
import type { ReportTable } from '../../eval/metrics/figures.ts';
import { groupBy, spreadOf } from '../../eval/metrics/figures.ts';
import { queryComponent } from '../../eval/metrics/query-tool.ts';
import { numberAt, optionsText } from './columns.ts';
import type { LeaderboardRow } from './leaderboard.ts';

/** Papers whose tables can be reproduced in their own layout. */
const PAPERS = ['live-api-bench', 'bfcl', 'dbgorilla', 'siwarex'] as const;
export type Paper = (typeof PAPERS)[number];

/** The tables that runs can be shown in; `interfaces` compares ways of reaching the same data. */
export const LAYOUTS = [...PAPERS, 'interfaces'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** In the paper's order. */
const FORMULATIONS: readonly Formulation[] = ['slot', 'sel', 'rest'];
const SIZES = ['10%', '25%', '50%', '75%', '100%'];

/** Runs in the layout of a paper's tables, published lines marked. Experiments without an own run are omitted. */
export function paperTables(rows: readonly LeaderboardRow[], paper: Paper = 'live-api-bench'): ReportTable[] {
  if (paper === 'bfcl') return bfclTables(rows);
  if (paper === 'dbgorilla') return dbgorillaTables(rows);
  if (paper === 'siwarex') return siwarexTables(rows);
  const plain = rows.filter(({ options }) => options.category === undefined);
  const tables = [
    byFormulation('Direct invocation (Table 3)', TABLE_3, plain),
    byFormulation('ReACT agents, beside direct invocation (Table 4)', TABLE_4, plain),
    byFormulation('Hidden names: completion of ReACT agents (Figure 4)', FIGURE_4, plain),
    bySize(plain),
    byFormulation('Text to SQL beside calls (Table 6)', TABLE_6, plain),
  ];
  return tables.filter((table) => table !== null);
}

/** A line of a table: one model and its runs. */
interface Line {
  readonly name: string;
  readonly published: boolean;
  /** The run of an agent in a formulation with exactly these options. */
  find(agent: string, formulation: Formulation, options: LeaderboardRow['options']): LeaderboardRow | null;
}

interface Shape {
  /** Lines without runs of this agent are omitted. */
  readonly agent: string;
  /** Options by which lines of one table differ. */
  readonly lines: readonly LeaderboardRow['options'][];
  readonly columns: readonly (readonly [
    string,
    (line: Line, formulation: Formulation, options: LeaderboardRow['options']) => string,
  ])[];
}

const TABLE_3: Shape = {
  agent: 'direct',
  lines: [{}, { tools_in: 'field' }],
  columns: [
    ['intent P/R/F1', (line, kind, options) => scores(line.find('direct', kind, options)?.intent)],
    ['slot P/R/F1', (line, kind, options) => scores(line.find('direct', kind, options)?.slot)],
    ['done', (line, kind, options) => share(line.find('direct', kind, options)?.completion)],
  ],
};

const TABLE_4: Shape = {
  agent: 'react',
  lines: [{}],
  columns: [
    [
      'direct→agent',
      (line, kind) =>
        `${share(line.find('direct', kind, {})?.completion)}→${share(line.find('react', kind, {})?.completion)}`,
    ],
    ['loops', (line, kind) => line.find('react', kind, {})?.loops?.toFixed(2) ?? ''],
    ['ceiling', (line, kind) => share(line.find('react', kind, {})?.ceiling)],
    ['budget', (line, kind) => share(line.find('react', kind, {})?.out_of_budget)],
    ['stuck', (line, kind) => share(line.find('react', kind, {})?.stuck)],
    ['other', (line, kind) => share(line.find('react', kind, {})?.unclassified)],
  ],
};

const HIDDEN = { obfuscate: true };
const FIGURE_4: Shape = {
  agent: 'react',
  lines: [{}],
  columns: [
    ['real', (line, kind) => share(line.find('react', kind, {})?.completion)],
    ['hidden', (line, kind) => share(line.find('react', kind, HIDDEN)?.completion)],
    [
      'no descriptions',
      (line, kind) => share(line.find('react', kind, { ...HIDDEN, descriptions: 'drop' })?.completion),
    ],
  ],
};

const TABLE_6: Shape = {
  agent: 'nl2sql',
  lines: [{}],
  columns: [
    ['API', (line, kind) => share(line.find('direct', kind, {})?.completion)],
    ['SQL', (line, kind) => share(line.find('nl2sql', kind, {})?.completion)],
  ],
};

function byFormulation(
  title: string,
  { agent, lines, columns }: Shape,
  rows: readonly LeaderboardRow[],
): ReportTable | null {
  const shown = linesOf(rows).flatMap((line) =>
    lines.flatMap((options) => {
      if (FORMULATIONS.every((kind) => line.find(agent, kind, options) === null)) return [];
      const cells = FORMULATIONS.flatMap((kind) => columns.map(([, show]) => show(line, kind, options)));
      const note = optionsText(options);
      return [{ line, cells: [note === '' ? line.name : `${line.name} (${note})`, ...cells] }];
    }),
  );
  const heads = FORMULATIONS.flatMap((kind) => columns.map(([name]) => `${kind.toUpperCase()} ${name}`));
  return toTable(title, heads, shown);
}

function bySize(rows: readonly LeaderboardRow[]): ReportTable | null {
  const at = (line: Line, size: string) => line.find('react', 'rest', size === '100%' ? {} : { tools: size });
  const shown = linesOf(rows).flatMap((line) => {
    const found = SIZES.map((size) => at(line, size));
    if (found.filter((row) => row !== null).length < 2) return [];
    const loops = found.map((row) => row?.loops?.toFixed(2) ?? '');
    return [{ line, cells: [line.name, ...found.map((row) => share(row?.completion)), ...loops] }];
  });
  const heads = [...SIZES, ...SIZES.map((size) => `loops ${size}`)];
  return toTable('Size of the toolset: completion of ReACT agents on REST (Figure 5)', heads, shown);
}

function toTable(
  title: string,
  heads: readonly string[],
  shown: readonly { readonly line: Line; readonly cells: readonly string[] }[],
): ReportTable | null {
  if (shown.every(({ line }) => line.published)) return null;
  // Empty columns are omitted.
  const used = heads.map((_, i) => shown.some(({ cells }) => /\d/.test(cells[i + 1] ?? '')));
  const keep = <T>(items: readonly T[]) => items.filter((_, i) => used[i]);
  return {
    title,
    head: ['model', ...keep(heads), ''],
    rows: shown.map(({ line, cells: [name = '', ...cells] }) => [
      name,
      ...keep(cells),
      line.published ? 'published' : '',
    ]),
  };
}

/** Own lines first; the same model with other decoding, prompts or budgets is a separate line. */
function linesOf(rows: readonly LeaderboardRow[]): Line[] {
  const groups = groupBy(rows.map(unnamed), (row) => JSON.stringify([row.source === null, nameOf(row)]));
  const lines = [...groups.values()].map(
    (members): Line => ({
      name: members[0] === undefined ? '' : nameOf(members[0]),
      published: members[0]?.source !== null,
      find: (agent, formulation, options) =>
        members.find(
          (row) =>
            row.agent === agent &&
            row.formulation === formulation &&
            optionsText(experimentOf(row)) === optionsText(options),
        ) ?? null,
    }),
  );
  return lines.sort((a, b) => Number(a.published) - Number(b.published));
}

/** The paper measured GPT-4o in two ways, distinguished by name. */
function unnamed(row: LeaderboardRow): LeaderboardRow {
  const [, model, way] = /^(.*) \((prompt|tools)\)$/.exec(row.model) ?? [];
  if (row.source === null || model === undefined) return row;
  return { ...row, model, options: way === 'tools' ? { ...row.options, tools_in: 'field' } : row.options };
}

/** Options that define a different experiment, rather than a separate line for the model. */
const EXPERIMENT: ReadonlySet<string> = new Set(['tools', 'tools_in', 'obfuscate', 'descriptions']);

const PAPER_LOOPS = 10;

function nameOf({ model, options }: LeaderboardRow): string {
  const isOther = (name: string) =>
    !EXPERIMENT.has(name) && !(name === 'loops' && options.loops === PAPER_LOOPS);
  const others = optionsText(pick(options, isOther));
  return others === '' ? model : `${model} [${others}]`;
}

function experimentOf({ options }: LeaderboardRow): LeaderboardRow['options'] {
  return pick(options, (name) => EXPERIMENT.has(name));
}

function pick(
  options: LeaderboardRow['options'],
  wanted: (name: string) => boolean,
): LeaderboardRow['options'] {
  return Object.fromEntries(Object.entries(options).filter(([name]) => wanted(name)));
}

/** In the paper's notation: `.47`, `1.00`. */
function share(value: number | null | undefined): string {
  return value == null ? '' : value.toFixed(2).replace(/^0/, '');
}

function scores(value: LeaderboardRow['intent'] | undefined): string {
  if (value == null) return '';
  return [value.precision, value.recall, value.f1].map((each) => share(each) || '–').join('/');
}

/** Runs that differ in BFCL's prompt format alone, as one line with the spread over formats. Empty without two of them. */
export function bfclTables(rows: readonly LeaderboardRow[]): ReportTable[] {
  const nameOfLine = ({ model, formulation, options }: LeaderboardRow) =>
    [model, formulation.toUpperCase(), optionsText(pick(options, (name) => name !== 'prompts'))].join(', ');
  const runs = rows.filter(({ options }) => /^bfcl\b/.test(String(options.prompts)));
  const lines = [...new Set(runs.map(nameOfLine))]
    .map((name) => [name, runs.filter((row) => nameOfLine(row) === name)] as const)
    .filter(([, members]) => members.length > 1);
  const cells = (members: readonly LeaderboardRow[], figure: string) =>
    spreadCells(members.map((row) => numberAt(row, figure)).filter((value) => value !== null));
  return (['completion', 'ast'] as const).flatMap((figure): ReportTable[] => {
    const shown = lines.map(([name, members]) => [name, ...cells(members, figure)]);
    if (shown.every(([, formats]) => formats === '0')) return [];
    const title = figure === 'ast' ? 'AST check, fixed' : figure;
    return [
      {
        title: `Format sensitivity: ${title}, over prompt formats`,
        head: ['', 'formats', 'mean', 'lowest', 'highest', 'difference', 'standard deviation'],
        rows: shown,
      },
    ];
  });
}

/** In percent and points; the standard deviation is of a sample, as in BFCL's files. */
function spreadCells(values: readonly number[]): string[] {
  const { value: mean, sd } = spreadOf(values);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  return [
    String(values.length),
    ...(values.length === 0 ? [] : [mean, lowest, highest, highest - lowest, sd].map(percent)),
  ];
}

type Query = NonNullable<LeaderboardRow['query']>;
type QueryRow = LeaderboardRow & { readonly query: Query };
type Column = readonly [string, (row: QueryRow) => number | null | undefined];

/** A table of shares, one run per line. */
function queryTable(
  title: string,
  columns: readonly Column[],
  rows: readonly QueryRow[],
  nameOf: (row: QueryRow) => string = ({ model }) => model,
): ReportTable | null {
  const shown = columns.map(([name, of]) => [name, (row: QueryRow) => percent(of(row))] as const);
  return table(title, shown, rows, [['model'], (row) => [nameOf(row)]]);
}

/** The options of the paper's first experiment: one call of one tool. */
const ORIGINAL: LeaderboardRow['options'] = { parallel_tool_calls: false };
/** Options that do not distinguish experiments. */
const COMMON: ReadonlySet<string> = new Set(['tools_in', 'prompts', 'all', 'db', 'difficulty', 'flags']);

const FIGURES: readonly Column[] = [
  ['execution', ({ completion }) => completion],
  ['exact match', ({ query }) => query.exact],
  ['as published', ({ query }) => query.exact_published],
  ['AST, paper', ({ query }) => query.ast],
  ['AST, code', ({ query }) => query.ast_code],
  ['routing', ({ query }) => query.routing],
  ['no tool', ({ query }) => query.no_tool],
  ['invalid', ({ query }) => query.invalid],
  ['repaired', (row) => numberAt(row, 'repaired')],
];

const COST: readonly (readonly [string, (row: QueryRow) => string])[] = [
  ['tokens in', ({ input_tokens }) => input_tokens?.toFixed(0) ?? ''],
  ['tokens out', ({ output_tokens }) => output_tokens?.toFixed(0) ?? ''],
  ['cost, $', ({ cost }) => cost?.toFixed(4) ?? ''],
];

/**
 * Runs of the query tool in the layout of DBGorilla's tables, published lines below own ones. Exact match is
 * the published definition unless stated otherwise. Empty without an own run.
 */
export function dbgorillaTables(rows: readonly LeaderboardRow[]): ReportTable[] {
  const known = rows.filter((row): row is QueryRow => row.query !== null);
  const first = known.filter((row) => wayOf(row) === FIRST);
  const cases = [...new Set(first.flatMap(({ query }) => Object.keys(query.by_use_case)))];
  return [
    queryTable('One call of one tool (Figure 1)', FIGURES, first),
    table(
      'Cost: tokens of a question, dollars of all (Table 2)',
      COST,
      first.filter(({ cost }) => cost !== null),
      [['model'], ({ model }) => [model]],
    ),
    queryTable(
      'By use case: exact match as published (Table 3)',
      cases.map((key): Column => [key.replaceAll('_', ' '), ({ query }) => query.by_use_case[key]]),
      first,
    ),
    queryTable(
      'By component: exact match as published (Tables 8, 9)',
      queryComponent.options.map(
        (key): Column => [key.replace(/_property_|_/g, ' '), ({ query }) => query.by_component[key]],
      ),
      first,
    ),
    queryTable(
      'By complexity: exact match as published',
      ['simple', 'moderate', 'complex'].map((key): Column => [key, ({ query }) => query.by_complexity[key]]),
      first,
    ),
    queryTable('Ways to offer the tool (Table 6)', FIGURES, known, (row) => {
      return `${row.model}, ${wayOf(row)}`;
    }),
  ].filter((each) => each !== null);
}

/** How a run of the query tool offers it. */
export function wayOf({ agent, options }: Pick<LeaderboardRow, 'agent' | 'options'>): string {
  const text = textOf({ options });
  return `${agent}: ${text === '' || text === optionsText(ORIGINAL) ? 'original' : text}`;
}

/** The way of the paper's first experiment. */
export const FIRST = 'direct: original';

/** The options that make a run a separate experiment. */
function textOf({ options }: Pick<LeaderboardRow, 'options'>): string {
  return optionsText(pick(options, (name) => !COMMON.has(name)));
}

function table<Row extends LeaderboardRow>(
  title: string,
  columns: readonly (readonly [string, (row: Row) => string])[],
  rows: readonly Row[],
  [heads, namesOf]: readonly [readonly string[], (row: Row) => readonly string[]],
): ReportTable | null {
  if (rows.every(({ source }) => source !== null)) return null;
  const used = columns.filter(([, show]) => rows.some((row) => show(row) !== ''));
  const inOrder = [...rows].sort((a, b) => Number(a.source !== null) - Number(b.source !== null));
  return {
    title,
    head: [...heads, ...used.map(([name]) => name), ''],
    rows: inOrder.map((row) => [
      ...namesOf(row),
      ...used.map(([, show]) => show(row)),
      row.source === null ? '' : 'published',
    ]),
  };
}

function percent(value: number | null | undefined): string {
  return value == null ? '' : (value * 100).toFixed(1);
}

type Hybrid = NonNullable<LeaderboardRow['hybrid']>;
type HybridRow = LeaderboardRow & { readonly hybrid: Hybrid };
type HybridColumn = readonly [string, (figures: Hybrid) => string];

const APIS = ['lexical', 'numeric', 'geographic'];
const CLASSES = ['db_only', 'mixed', 'api_only'];
const DEPTHS = ['1', '2', '3'];

/**
 * Runs of `hybrid` tasks in the paper's layout, published lines below own ones: accuracy over the share of
 * hidden tables (Benchmark I), and by class and depth of scalar APIs, with seconds (Benchmark II). Empty
 * without an own run.
 */
export function siwarexTables(rows: readonly LeaderboardRow[]): ReportTable[] {
  const known = rows.filter((row): row is HybridRow => row.hybrid !== null);
  const shares = [...new Set(known.flatMap(({ hybrid }) => Object.keys(hybrid.by_share)))].sort(
    (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
  );
  const [scalar, plain] = [known.filter(isScalar), known.filter((row) => !isScalar(row))];
  return [
    hybridTable(
      'Execution accuracy by the share of tables behind APIs (Benchmark I, Figure 2)',
      shares.map((key): HybridColumn => [`${key} %`, ({ by_share }) => percent(by_share[key])]),
      plain,
    ),
    hybridTable(
      'Execution accuracy by where the data are (Benchmark I)',
      CLASSES.map((key): HybridColumn => [key.replace('_', ' '), ({ by_class }) => percent(by_class[key])]),
      plain,
    ),
    hybridTable(
      'Scalar APIs (Benchmark II, Table 1)',
      [
        ['execution', ({ execution }) => percent(execution)],
        ...APIS.map((key): HybridColumn => [key, ({ by_api }) => percent(by_api[key])]),
        ...DEPTHS.map((key): HybridColumn => [`depth ${key}`, ({ by_depth }) => percent(by_depth[key])]),
        ...TIMES,
      ],
      scalar,
    ),
    hybridTable('What it took', [...TIMES, ...COSTS], [...plain, ...scalar]),
  ].filter((each) => each !== null);
}

const TIMES: readonly HybridColumn[] = [
  ['mean s', ({ seconds }) => seconds?.toFixed(2) ?? ''],
  ['p50 s', ({ seconds_p50 }) => seconds_p50?.toFixed(2) ?? ''],
  ['p95 s', ({ seconds_p95 }) => seconds_p95?.toFixed(2) ?? ''],
  ['of it the model', ({ model_seconds }) => model_seconds?.toFixed(2) ?? ''],
];

const COSTS: readonly HybridColumn[] = [
  ['API calls', ({ api_calls }) => api_calls?.toFixed(1) ?? ''],
  ['gold plan', ({ planned_calls }) => planned_calls?.toFixed(1) ?? ''],
  ['rows moved', ({ rows_moved }) => rows_moved?.toFixed(1) ?? ''],
  ['gold plan', ({ planned_rows }) => planned_rows?.toFixed(1) ?? ''],
];

/** Whether a run's questions call scalar APIs; published lines of this kind have no shares. */
function isScalar({ hybrid }: HybridRow): boolean {
  return Object.keys(hybrid.by_api).length > 0 || Object.keys(hybrid.by_share).length === 0;
}

/** Published lines without any value are omitted. */
function hybridTable(
  title: string,
  columns: readonly HybridColumn[],
  rows: readonly HybridRow[],
): ReportTable | null {
  const informative = rows.filter(
    ({ source, hybrid }) => source === null || columns.some(([, show]) => show(hybrid) !== ''),
  );
  const ofRow = columns.map(([name, show]) => [name, ({ hybrid }: HybridRow) => show(hybrid)] as const);
  return table(title, ofRow, informative, [['model', 'strategy'], ({ model, agent }) => [model, agent]]);
}
