import { useMemo } from 'preact/hooks';
import { FORMULATION_NAMES } from '../../contracts/formulation-names.ts';
import type { Board, BoardRun, BoardSample } from '../../runner/board/board.ts';
import { leaderboardCsv } from '../../runner/table/csv.ts';
import { rowLabel } from '../../runner/table/options-text.ts';
import { sortRows } from '../../runner/table/sort-rows.ts';
import { readBoard, readSamples } from '../board/board-source.ts';
import { makeMatrix } from '../board/matrix.ts';
import { choicesOf, filterOf, filterSamples, isOpen } from '../board/sample-filter.ts';
import { useRows } from '../board/use-rows.ts';
import { Answer, Problem } from '../parts/answer.tsx';
import { CompletionChart, CurveCharts, ErrorsChart } from '../parts/board/charts.tsx';
import { downloadText } from '../parts/board/download.ts';
import { LeaderboardTable } from '../parts/board/leaderboard-table.tsx';
import { MatrixTable } from '../parts/board/matrix-table.tsx';
import { SampleFilters } from '../parts/board/sample-filters.tsx';
import { useTitle } from '../parts/use-title.ts';
import { go, linkTo } from '../route.ts';
import { useAnswer } from '../use-answer.ts';

/** Many runs beside each other: the leaderboard, and what became of each question. The address has every choice. */
export function BoardView({ query }: { readonly query: URLSearchParams }) {
  useTitle('Leaderboard');
  const board = useAnswer('board', readBoard);
  return (
    <Answer title="Leaderboard" asked={board}>
      {(known) => <Shown board={known} query={query} />}
    </Answer>
  );
}

function Shown({ board, query }: { readonly board: Board; readonly query: URLSearchParams }) {
  const given = Object.fromEntries(query);
  const { sort = '', formulation = '', hide = '', only = '' } = given;
  const set = (more: Readonly<Record<string, string>>) =>
    go(linkTo(['board'], { ...given, ...more }), { replace: true });
  const hidden = new Set(hide.split(',').filter(Boolean));
  const fitting = board.runs.filter((run) => formulation === '' || run.formulation === formulation);
  const runs = fitting.filter(({ id }) => !hidden.has(id));
  const filter = filterOf(query);
  const key = runs.map(({ id }) => id).join(' ');
  const asked = useAnswer(`samples ${key}`, () => samplesOf(runs));
  // While others are read, those of before are of other runs.
  const samples = asked.value && runs.every(({ id }) => asked.value?.has(id)) ? asked.value : undefined;
  const choices = useMemo(() => samples && choicesOf([...samples.values()].flat()), [samples]);
  const own = useRows(runs, samples, filter);
  const published = isOpen(filter)
    ? board.published.filter((row) => runs.some((run) => run.formulation === row.formulation))
    : [];
  const rows = sortRows([...own, ...published]);
  const toggle = (id: string) => {
    if (!hidden.delete(id)) hidden.add(id);
    set({ hide: [...hidden].join(',') });
  };
  return (
    <>
      <h1>{board.title}</h1>
      <div class="filters">
        <label>
          Formulation
          <select
            value={formulation}
            onChange={({ currentTarget }) => set({ formulation: currentTarget.value })}
          >
            <option value="">all</option>
            {FORMULATION_NAMES.filter((name) => board.runs.some((run) => run.formulation === name)).map(
              (name) => (
                <option value={name} selected={name === formulation}>
                  {name.toUpperCase()}
                </option>
              ),
            )}
          </select>
        </label>
      </div>
      <SampleFilters filter={filter} choices={choices} onChange={(name, value) => set({ [name]: value })} />
      <details>
        <summary>
          {runs.length} of {fitting.length} runs
        </summary>
        <fieldset class="columns-of">
          <legend class="hidden">Runs to show</legend>
          {fitting.map((run) => (
            <label>
              <input type="checkbox" checked={!hidden.has(run.id)} onChange={() => toggle(run.id)} />{' '}
              {rowLabel(run.row)}
            </label>
          ))}
        </fieldset>
      </details>
      {FORMULATION_NAMES.map((name) => {
        const members = rows.filter((row) => row.formulation === name);
        if (members.length === 0) return null;
        return (
          <>
            <h2>{name.toUpperCase()}</h2>
            <LeaderboardTable label={name.toUpperCase()} rows={members} sort={sort} query={given} />
          </>
        );
      })}
      <button type="button" onClick={() => downloadText('leaderboard.csv', 'text/csv', leaderboardCsv(rows))}>
        Leaderboard as CSV
      </button>
      <CompletionChart rows={rows} />
      <CurveCharts rows={rows} />
      <ErrorsChart rows={rows} />
      <h2>Question by question</h2>
      {asked.error && <Problem error={asked.error} />}
      <label class="compared">
        <input
          type="checkbox"
          checked={only === 'contested'}
          onChange={({ currentTarget }) => set({ only: currentTarget.checked ? 'contested' : '' })}
        />{' '}
        Only those at which runs differ
      </label>
      {samples ? (
        <Matrix runs={runs} samples={samples} query={query} />
      ) : (
        !asked.error && (
          <p class="note" role="status">
            Loading …
          </p>
        )
      )}
    </>
  );
}

interface MatrixProps {
  readonly runs: readonly BoardRun[];
  readonly samples: ReadonlyMap<string, readonly BoardSample[]>;
  readonly query: URLSearchParams;
}

function Matrix({ runs, samples, query }: MatrixProps) {
  const filter = filterOf(query);
  const all = useMemo(() => makeMatrix(runs.map(({ id }) => samples.get(id) ?? [])), [samples]);
  const lines = useMemo(
    () => all.filter(({ sample }) => filterSamples([sample], filter).length > 0),
    [all, JSON.stringify(filter)],
  );
  return <MatrixTable runs={runs} lines={lines} contested={query.get('only') === 'contested'} />;
}

async function samplesOf(runs: readonly BoardRun[]): Promise<ReadonlyMap<string, readonly BoardSample[]>> {
  const read = await Promise.all(runs.map(async ({ id }) => [id, await readSamples(id)] as const));
  return new Map(read);
}
