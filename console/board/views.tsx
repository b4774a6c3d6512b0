import { useMemo, useState } from 'preact/hooks';
import { FAILURE_CLASSES, FORMULATION_NAMES, failureClass } from '../../contracts/vocabulary.ts';
import type { Board, BoardRun, BoardSample } from '../../runner/leaderboard/board.ts';
import { leaderboardCsv, rowLabel, sortRows, usedColumns } from '../../runner/leaderboard/columns.ts';
import { Answer, Button, Empty, Header, Loading, Problem, useAnswer, useTitle } from '../parts/answer.tsx';
import { Choice, Field, namesToChoose } from '../parts/choice.tsx';
import { useShortcuts } from '../parts/jump.tsx';
import { Outcome, Review } from '../parts/review.tsx';
import { VirtualRows } from '../parts/tables.tsx';
import { go, linkTo } from '../route.ts';
import { choicesOf, filterOf, filterSamples, isOpen, makeMatrix, type SampleFilter } from './board-data.ts';
import { readBoard, readReview, readSamples, useRows } from './board-source.ts';
import {
  type Against,
  CompletionChart,
  CurveCharts,
  downloadText,
  RadarChart,
  ScatterChart,
} from './charts.tsx';
import {
  FailureTable,
  LeaderboardTable,
  MatrixTable,
  Overview,
  SampleFilters,
  WholeReport,
} from './tables.tsx';

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
  // While new samples load, the last ones belong to other runs.
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
      <Header
        title={board.title}
        about={`${rows.length} rows over ${board.runs.length} runs. Intervals are 95 %, over questions; every name and figure leads to the attempts behind it.`}
        actions={
          <Button onClick={() => downloadText('leaderboard.csv', 'text/csv', leaderboardCsv(rows))}>
            Leaderboard as CSV
          </Button>
        }
      />
      <div class="filters">
        <Choice
          label="Formulation"
          value={formulation}
          none="all"
          choices={FORMULATION_NAMES.filter((name) => board.runs.some((run) => run.formulation === name)).map(
            (name) => [name, name.toUpperCase()],
          )}
          onChange={(value) => set({ formulation: value })}
        />
        <SampleFilters filter={filter} choices={choices} onChange={(name, value) => set({ [name]: value })} />
      </div>
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
      {rows.length === 0 && <Empty next={['All runs', linkTo(['board'])]}>No run is left to show.</Empty>}
      {rows.length > 0 && <Overview rows={rows} />}
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
      <CompletionChart rows={rows} />
      <CurveCharts rows={rows} />
      <RadarChart rows={rows} />
      <div class="charts">
        {againstOf(runs, samples, filter).map((against) => (
          <ScatterChart rows={rows} against={against} />
        ))}
      </div>
      {samples && <FailureTable runs={runs} samples={samples} />}
      <h2>Question by question</h2>
      {asked.error && <Problem error={asked.error} />}
      <label>
        <input
          type="checkbox"
          checked={only === 'contested'}
          onChange={({ currentTarget }) => set({ only: currentTarget.checked ? 'contested' : '' })}
        />{' '}
        Only those at which runs differ
      </label>
      {samples ? <Matrix runs={runs} samples={samples} query={query} /> : !asked.error && <Loading />}
    </>
  );
}

/** What completion is drawn against. */
function againstOf(
  runs: readonly BoardRun[],
  samples: ReadonlyMap<string, readonly BoardSample[]> | undefined,
  filter: SampleFilter,
): Against[] {
  const calls = new Map(
    runs.map(({ id }) => {
      const known = filterSamples(samples?.get(id) ?? [], filter).flatMap((sample) => sample.calls ?? []);
      return [id, known.length === 0 ? null : known.reduce((sum, n) => sum + n, 0) / known.length];
    }),
  );
  return [
    {
      title: 'cost of an attempt',
      text: (value) => value.toPrecision(2),
      of: ({ cost, n }) => (cost === null || n === 0 ? null : cost / n),
    },
    {
      title: 'calls of an attempt',
      text: (value) => value.toFixed(1),
      of: ({ run }) => calls.get(run ?? '') ?? null,
    },
    {
      title: 'tokens read by an attempt',
      text: (value) => Math.round(value).toLocaleString('en'),
      of: ({ input_tokens }) => input_tokens,
    },
  ];
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

interface BoardRunProps {
  readonly id: string;
  readonly query: URLSearchParams;
}

/** A scored run: its figures over any part of its samples, and the samples. */
export function BoardRunView({ id, query }: BoardRunProps) {
  useTitle(id);
  const asked = useAnswer(id, async () => ({ board: await readBoard(), samples: await readSamples(id) }));
  return (
    <Answer title={id} asked={asked}>
      {({ board, samples }) => <BoardRunViewShown id={id} query={query} board={board} samples={samples} />}
    </Answer>
  );
}

interface ShownProps extends BoardRunProps {
  readonly board: Board;
  readonly samples: readonly BoardSample[];
}

interface Numbered {
  readonly sample: BoardSample;
  /** Its place in the run, by which its review is found. */
  readonly n: number;
}

function BoardRunViewShown({ id, query, board, samples }: ShownProps) {
  const run = board.runs.find((each) => each.id === id);
  const filter = filterOf(query);
  const [words, setWords] = useState(query.get('q') ?? '');
  const outcome = query.get('outcome') ?? '';
  const failed = query.get('failed') ?? '';
  const all = useMemo(() => new Map([[id, samples]]), [samples]);
  const [row] = useRows(run ? [run] : [], all, filter);
  const shown = useMemo(() => {
    const left = new Set(filterSamples(samples, filter));
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    return samples.flatMap((sample, n): Numbered[] => {
      const text = `${sample.sample_id} ${sample.question}`.toLowerCase();
      const fits =
        left.has(sample) &&
        (outcome === '' || sample.outcome === outcome) &&
        (failed === '' || failureClass(sample) === failed) &&
        wanted.every((word) => text.includes(word));
      return fits ? [{ sample, n }] : [];
    });
  }, [samples, JSON.stringify(filter), outcome, failed, words]);
  if (!run) return <Problem error={new Error(`The leaderboard has no run ${id}.`)} />;
  const set = (more: Readonly<Record<string, string>>) =>
    go(linkTo(['board', id], { ...Object.fromEntries(query), ...more }), { replace: true });
  return (
    <>
      <Header
        title={rowLabel(run.row)}
        path={[[board.title, linkTo(['board'])]]}
        about={
          <>
            farm {run.farm.name}, <code title={run.farm.hash}>{run.farm.hash.slice(0, 12)}</code>
            {run.farm.world !== null && `, world ${run.farm.world.slice(0, 8)}`}
          </>
        }
      />
      <div class="filters">
        <SampleFilters
          filter={filter}
          choices={choicesOf(samples)}
          onChange={(name, value) => set({ [name]: value })}
        />
      </div>
      {row && (
        <dl class="figures">
          {usedColumns([row])
            .filter(({ isNumber }) => isNumber)
            .map(({ name, show }) => (
              <div>
                <dt>{name}</dt>
                <dd>{show(row)}</dd>
              </div>
            ))}
        </dl>
      )}
      <FailureTable runs={[run]} samples={all} />
      <h2>Samples</h2>
      <div class="filters">
        <Choice
          label="Outcome"
          value={outcome}
          none="all"
          choices={namesToChoose([...new Set(samples.map((sample) => sample.outcome))])}
          onChange={(value) => set({ outcome: value })}
        />
        <Choice
          label="Failed by"
          value={failed}
          none="anything"
          choices={namesToChoose(
            FAILURE_CLASSES.filter((name) => samples.some((sample) => failureClass(sample) === name)),
          )}
          onChange={(value) => set({ failed: value })}
        />
        <Field label="Filter by words" type="search" value={words} onChange={setWords} />
      </div>
      <p class="note" role="status">
        {shown.length.toLocaleString('en')} of {samples.length.toLocaleString('en')}
      </p>
      <VirtualRows
        label="Samples"
        items={shown}
        head={['Outcome', 'Question', 'Failed by', 'Difficulty', 'Calls', 'Sample']}
        row={({ sample, n }) => (
          <>
            <td>
              <Outcome outcome={sample.outcome} />
              {sample.lucky && <span class="outcome lucky"> lucky</span>}
            </td>
            <td title={sample.question}>
              <a href={linkTo(['board', id, String(n)])}>{sample.question}</a>
            </td>
            <td>{failureClass(sample)?.replaceAll('_', ' ')}</td>
            <td>{sample.difficulty}</td>
            <td class="number">
              {sample.calls ?? '–'}/{sample.gold_calls}
            </td>
            <td>
              <code>{sample.sample_id}</code>
            </td>
          </>
        )}
      />
      <WholeReport run={id} />
    </>
  );
}

interface BoardSampleProps {
  readonly run: string;
  /** Its place in the run, from 0. */
  readonly n: number;
  /** The turn in the address. */
  readonly turn: string | null;
}

/** One attempt of a scored run, with its gold where the board has it. `n` and `p` go to the next and previous failure. */
export function BoardSampleView({ run, n, turn }: BoardSampleProps) {
  useTitle('Sample');
  const asked = useAnswer(`${run} ${n}`, async () => {
    const review = await readReview(run, n);
    const lines = review.question.split('\n');
    return { review, lines, samples: await readSamples(run), board: await readBoard() };
  });
  const to = (other: number) => linkTo(['board', run, String(other)]);
  const failures = (asked.value?.samples ?? []).flatMap(({ outcome }, i) =>
    outcome === 'pass' || outcome === 'not_run' ? [] : [i],
  );
  const [before, after] = [failures.findLast((i) => i < n), failures.find((i) => i > n)];
  const leadTo = (other: number | undefined) => (other === undefined ? undefined : () => go(to(other)));
  useShortcuts({ n: leadTo(after), p: leadTo(before) }, [before, after]);
  return (
    <Answer title="Sample" asked={asked}>
      {({ review, samples, board, lines: [first = '', ...more] }) => (
        <>
          <Header
            title={first}
            path={[
              ['Leaderboard', linkTo(['board'])],
              [nameOf(board, run), linkTo(['board', run])],
            ]}
            about={
              <>
                {more.map((line) => (
                  <>
                    {line}
                    <br />
                  </>
                ))}
                {review.evidence !== '' && `${review.evidence} · `}
                <code>{review.sample_id}</code>
                {review.epoch > 1 && `, attempt ${review.epoch}`} · {n + 1} of {samples.length}
              </>
            }
            actions={
              <nav class="actions" aria-label="Samples">
                {before !== undefined && (
                  <a class="button" href={to(before)}>
                    Previous failure&nbsp;<kbd>p</kbd>
                  </a>
                )}
                {after !== undefined && (
                  <a class="button" href={to(after)}>
                    Next failure&nbsp;<kbd>n</kbd>
                  </a>
                )}
                {n + 1 < samples.length && (
                  <a class="button" href={to(n + 1)}>
                    Sample after
                  </a>
                )}
              </nav>
            }
          />
          {review.gold === null && (
            <p class="note">Without the gold: only what the agent did is shown here.</p>
          )}
          <h2 class="hidden">The attempt</h2>
          <Review
            review={review}
            turn={turn}
            linkOf={(one) => linkTo(['board', run, String(n)], { turn: String(one) })}
          />
        </>
      )}
    </Answer>
  );
}

function nameOf(board: Board, id: string): string {
  const run = board.runs.find((each) => each.id === id);
  return run ? rowLabel(run.row) : id;
}
