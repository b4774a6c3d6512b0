import { queryComponent } from '../../contracts/query-score.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { optionsText } from './options-text.ts';
import type { TextTable } from './write-text.ts';

type Query = NonNullable<LeaderboardRow['query']>;
type QueryRow = LeaderboardRow & { readonly query: Query };
type Column = readonly [string, (row: QueryRow) => number | null | undefined];

/** Of each model, ours and published, with the options of the paper's first experiment: one call of one tool. */
const ORIGINAL: LeaderboardRow['options'] = { parallel_tool_calls: false };
/** Options that the experiments do not differ in. */
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
];

/**
 * Runs of the query tool as the tables of DBGorilla have them, published lines below ours: exact match is the one as
 * published but where it says so. Without a run of ours there is no table.
 */
export function dbgorillaTables(rows: readonly LeaderboardRow[]): TextTable[] {
  const known = rows.filter((row): row is QueryRow => row.query !== null);
  const isOriginal = (row: QueryRow) => {
    const text = textOf(row);
    return text === '' || text === optionsText(ORIGINAL);
  };
  const first = known.filter((row) => row.agent === 'direct' && isOriginal(row));
  const cases = [...new Set(first.flatMap(({ query }) => Object.keys(query.by_use_case)))];
  return [
    table('One call of one tool (Figure 1)', FIGURES, first, ({ model }) => model),
    table(
      'By use case: exact match as published (Table 3)',
      cases.map((key): Column => [key.replaceAll('_', ' '), ({ query }) => query.by_use_case[key]]),
      first,
      ({ model }) => model,
    ),
    table(
      'By component: exact match as published (Tables 8, 9)',
      queryComponent.options.map(
        (key): Column => [key.replace(/_property_|_/g, ' '), ({ query }) => query.by_component[key]],
      ),
      first,
      ({ model }) => model,
    ),
    table(
      'By complexity: exact match as published',
      ['simple', 'moderate', 'complex'].map((key): Column => [key, ({ query }) => query.by_complexity[key]]),
      first,
      ({ model }) => model,
    ),
    table('Ways to offer the tool (Table 6)', FIGURES, known, (row) => {
      const way = isOriginal(row) ? 'original' : textOf(row);
      return `${row.model}, ${row.agent}: ${way}`;
    }),
  ].filter((each) => each !== null);
}

/** What makes a run another experiment. */
function textOf({ options }: LeaderboardRow): string {
  return optionsText(Object.fromEntries(Object.entries(options).filter(([name]) => !COMMON.has(name))));
}

function table(
  title: string,
  columns: readonly Column[],
  rows: readonly QueryRow[],
  nameOf: (row: QueryRow) => string,
): TextTable | null {
  if (rows.every(({ source }) => source !== null)) return null;
  const used = columns.filter(([, of]) => rows.some((row) => of(row) != null));
  const inOrder = [...rows].sort((a, b) => Number(a.source !== null) - Number(b.source !== null));
  return {
    title,
    head: ['model', ...used.map(([name]) => name), ''],
    rows: inOrder.map((row) => [
      nameOf(row),
      ...used.map(([, of]) => percent(of(row))),
      row.source === null ? '' : 'published',
    ]),
  };
}

function percent(value: number | null | undefined): string {
  return value == null ? '' : (value * 100).toFixed(1);
}
