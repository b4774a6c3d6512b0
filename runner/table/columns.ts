import { ENDINGS } from '../../contracts/error-classes.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { defaultName, optionsText } from './options-text.ts';

/** A column of the leaderboard: how it is told to people, and as what to programs. */
export interface Column {
  readonly name: string;
  readonly isNumber: boolean;
  readonly show: (row: LeaderboardRow) => string;
  readonly value: (row: LeaderboardRow) => string | number | null;
}

const share = (name: string, of: (row: LeaderboardRow) => number | null): Column => ({
  name,
  isNumber: true,
  show: (row) => percent(of(row)),
  value: of,
});
const number = (name: string, of: (row: LeaderboardRow) => number | null, digits: number): Column => ({
  name,
  isNumber: true,
  show: (row) => of(row)?.toFixed(digits) ?? '',
  value: of,
});
const text = (name: string, of: (row: LeaderboardRow) => string): Column => ({
  name,
  isNumber: false,
  show: of,
  value: of,
});

/** What the name of a run is made of that was given none. */
const IN_DEFAULT_NAME: readonly Column[] = [
  text('model', ({ model }) => model),
  text('agent', ({ agent }) => agent),
  text('options', ({ options }) => optionsText(options)),
];

/** All columns, in order. */
export const COLUMNS: readonly Column[] = [
  text('name', ({ name }) => name),
  ...IN_DEFAULT_NAME,
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
  {
    name: 'Δ(public, private)',
    isNumber: true,
    show: ({ world_difference }) => (world_difference === null ? '' : points(world_difference.value)),
    value: ({ world_difference }) => world_difference?.value ?? null,
  },
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
  share('AST', ({ ast }) => ast),
  share('exact string', ({ exact_string }) => exact_string),
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

/** The columns in which any row has something to say that its name does not. */
export function usedColumns(rows: readonly LeaderboardRow[]): Column[] {
  const isSaid = rows.every((row) => row.name === defaultName(row));
  return COLUMNS.filter(
    (column) => !(isSaid && IN_DEFAULT_NAME.includes(column)) && rows.some((row) => column.show(row) !== ''),
  );
}

function percent(value: number | null): string {
  return value === null ? '' : `${tenths(value)} %`;
}

/** A difference of shares, with its sign. */
function points(difference: number): string {
  const text = tenths(Math.abs(difference));
  return text === '0.0' ? text : `${difference < 0 ? '−' : '+'}${text}`;
}

function tenths(value: number): string {
  return (value * 100).toFixed(1);
}
