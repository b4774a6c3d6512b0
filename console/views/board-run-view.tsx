import { useMemo, useState } from 'preact/hooks';
import { FAILURE_CLASSES, failureClass } from '../../contracts/error-classes.ts';
import type { Board, BoardSample } from '../../runner/board/board.ts';
import { usedColumns } from '../../runner/table/columns.ts';
import { rowLabel } from '../../runner/table/options-text.ts';
import { readBoard, readSamples } from '../board/board-source.ts';
import { choicesOf, filterOf, filterSamples } from '../board/sample-filter.ts';
import { useRows } from '../board/use-rows.ts';
import { Answer, Problem } from '../parts/answer.tsx';
import { ErrorsChart } from '../parts/board/charts.tsx';
import { SampleFilters } from '../parts/board/sample-filters.tsx';
import { WholeReport } from '../parts/board/whole-report.tsx';
import { Outcome } from '../parts/review/review.tsx';
import { useTitle } from '../parts/use-title.ts';
import { VirtualRows } from '../parts/virtual-rows.tsx';
import { go, linkTo } from '../route.ts';
import { useAnswer } from '../use-answer.ts';

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
      {({ board, samples }) => <Shown id={id} query={query} board={board} samples={samples} />}
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

function Shown({ id, query, board, samples }: ShownProps) {
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
      <p class="note">
        <a href={linkTo(['board'])}>{board.title}</a> · farm {run.farm.name},{' '}
        <code title={run.farm.hash}>{run.farm.hash.slice(0, 12)}</code>
        {run.farm.world !== null && `, world ${run.farm.world.slice(0, 8)}`}
      </p>
      <h1>{rowLabel(run.row)}</h1>
      <SampleFilters
        filter={filter}
        choices={choicesOf(samples)}
        onChange={(name, value) => set({ [name]: value })}
      />
      {row && (
        <dl class="facts">
          {usedColumns([row]).map(({ name, show }) => (
            <>
              <dt>{name}</dt>
              <dd>{show(row)}</dd>
            </>
          ))}
        </dl>
      )}
      {row && <ErrorsChart rows={[row]} />}
      <h2>Samples</h2>
      <div class="filters">
        <label>
          Outcome
          <select value={outcome} onChange={({ currentTarget }) => set({ outcome: currentTarget.value })}>
            <option value="">all</option>
            {[...new Set(samples.map((sample) => sample.outcome))].map((each) => (
              <option value={each} selected={each === outcome}>
                {each.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        </label>
        <label>
          Failed by
          <select value={failed} onChange={({ currentTarget }) => set({ failed: currentTarget.value })}>
            <option value="">anything</option>
            {FAILURE_CLASSES.filter((name) => samples.some((sample) => failureClass(sample) === name)).map(
              (each) => (
                <option value={each} selected={each === failed}>
                  {each.replaceAll('_', ' ')}
                </option>
              ),
            )}
          </select>
        </label>
        <label>
          Only those that say
          <input type="search" value={words} onInput={({ currentTarget }) => setWords(currentTarget.value)} />
        </label>
      </div>
      <p class="note" role="status">
        {shown.length.toLocaleString('en')} of {samples.length.toLocaleString('en')}
      </p>
      <VirtualRows
        label="Samples"
        width={6}
        items={shown}
        head={
          <tr>
            {['Outcome', 'Question', 'Failed by', 'Difficulty', 'Calls', 'Sample'].map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        }
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
