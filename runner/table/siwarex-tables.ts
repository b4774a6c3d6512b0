import type { LeaderboardRow } from './leaderboard.ts';
import type { TextTable } from './write-text.ts';

type Hybrid = NonNullable<LeaderboardRow['hybrid']>;
type HybridRow = LeaderboardRow & { readonly hybrid: Hybrid };
type Column = readonly [string, (figures: Hybrid) => string];

const APIS = ['lexical', 'numeric', 'geographic'];
const CLASSES = ['db_only', 'mixed', 'api_only'];
const DEPTHS = ['1', '2', '3'];

/**
 * Runs of `hybrid` tasks as the paper has them, published lines below ours: accuracy over the share of the tables behind
 * APIs (Benchmark I), and by kind and depth of scalar APIs with the seconds (Benchmark II). Without a run of ours there is
 * no table.
 */
export function siwarexTables(rows: readonly LeaderboardRow[]): TextTable[] {
  const known = rows.filter((row): row is HybridRow => row.hybrid !== null);
  const shares = [...new Set(known.flatMap(({ hybrid }) => Object.keys(hybrid.by_share)))].sort(
    (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
  );
  const [scalar, plain] = [known.filter(isScalar), known.filter((row) => !isScalar(row))];
  return [
    table(
      'Execution accuracy by the share of tables behind APIs (Benchmark I, Figure 2)',
      shares.map((key): Column => [`${key} %`, ({ by_share }) => percent(by_share[key])]),
      plain,
    ),
    table(
      'Execution accuracy by where the data are (Benchmark I)',
      CLASSES.map((key): Column => [key.replace('_', ' '), ({ by_class }) => percent(by_class[key])]),
      plain,
    ),
    table(
      'Scalar APIs (Benchmark II, Table 1)',
      [
        ['execution', ({ execution }) => percent(execution)],
        ...APIS.map((key): Column => [key, ({ by_api }) => percent(by_api[key])]),
        ...DEPTHS.map((key): Column => [`depth ${key}`, ({ by_depth }) => percent(by_depth[key])]),
        ...TIMES,
      ],
      scalar,
    ),
    table('What it took', [...TIMES, ...COSTS], [...plain, ...scalar]),
  ].filter((each) => each !== null);
}

const TIMES: readonly Column[] = [
  ['mean s', ({ seconds }) => seconds?.toFixed(2) ?? ''],
  ['p50 s', ({ seconds_p50 }) => seconds_p50?.toFixed(2) ?? ''],
  ['p95 s', ({ seconds_p95 }) => seconds_p95?.toFixed(2) ?? ''],
  ['of it the model', ({ model_seconds }) => model_seconds?.toFixed(2) ?? ''],
];

const COSTS: readonly Column[] = [
  ['API calls', ({ api_calls }) => api_calls?.toFixed(1) ?? ''],
  ['gold plan', ({ planned_calls }) => planned_calls?.toFixed(1) ?? ''],
  ['rows moved', ({ rows_moved }) => rows_moved?.toFixed(1) ?? ''],
  ['gold plan', ({ planned_rows }) => planned_rows?.toFixed(1) ?? ''],
];

/** Whether a run is of questions that call scalar APIs: published lines say so by having no shares. */
function isScalar({ hybrid }: HybridRow): boolean {
  return Object.keys(hybrid.by_api).length > 0 || Object.keys(hybrid.by_share).length === 0;
}

function table(title: string, columns: readonly Column[], rows: readonly HybridRow[]): TextTable | null {
  if (rows.every(({ source }) => source !== null)) return null;
  const used = columns.filter(([, show]) => rows.some(({ hybrid }) => show(hybrid) !== ''));
  const shown = rows.filter(
    ({ source, hybrid }) => source === null || used.some(([, show]) => show(hybrid) !== ''),
  );
  const inOrder = shown.sort((a, b) => Number(a.source !== null) - Number(b.source !== null));
  return {
    title,
    head: ['model', 'strategy', ...used.map(([name]) => name), ''],
    rows: inOrder.map(({ model, agent, hybrid, source }) => [
      model,
      agent,
      ...used.map(([, show]) => show(hybrid)),
      source === null ? '' : 'published',
    ]),
  };
}

function percent(value: number | null | undefined): string {
  return value == null ? '' : (value * 100).toFixed(1);
}
