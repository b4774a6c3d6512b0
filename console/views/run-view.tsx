import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type {
  AgentRunView,
  BatchView,
  RunView as FullRun,
  SampleReview,
  TaskPage,
  RunView as TrajectoryRunView,
} from '../../client/index.ts';
import { exactJson, farm, isGoldElsewhere } from '../farm.ts';
import { Answer, Header, useAnswer, useTitle } from '../parts/answer.tsx';
import { Changes } from '../parts/changes.tsx';
import { Axis, barOf, Review, time } from '../parts/review.tsx';
import { Folded, Scrolled, VirtualRows } from '../parts/tables.tsx';
import { go, linkTo } from '../route.ts';
import { counted, rowsText } from '../wording.ts';
import { Snippets } from './endpoint-view.tsx';

const OPENED = 'rookery-runs';
const MOST_OPENED = 20;

/** What was opened in this tab, the latest first: ids act as keys, so a server lists no runs. */
function openedRuns(): readonly { readonly id: string; readonly title: string }[] {
  try {
    return JSON.parse(sessionStorage.getItem(OPENED) ?? '[]');
  } catch {
    return [];
  }
}

function useOpened(id: string, title: string): void {
  useEffect(() => {
    const others = openedRuns().filter((each) => each.id !== id);
    sessionStorage.setItem(OPENED, JSON.stringify([{ id, title }, ...others].slice(0, MOST_OPENED)));
  }, [id, title]);
}

/** How a run is begun, a form for the id of a run or batch, and what was opened in this tab. */
export function RunsView() {
  useTitle('Runs');
  const opened = openedRuns();
  const first = useAnswer('first task', () => farm().get<TaskPage>('/tasks?limit=1'));
  return (
    <>
      <Header
        title="Runs"
        about={
          <>
            A run or a batch is found by its id, which <code>POST /runs</code> returns. With the harness key,
            under “Keys”, a run is shown with its options, faults and score, and a batch with its runs.
          </>
        }
      />
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const text = String(new FormData(event.currentTarget).get('id') ?? '');
          const id = text.trim().replace(/\/+$/, '').split('/').pop() ?? '';
          if (id !== '') go(linkTo(['runs', id]));
        }}
      >
        <label>
          Id or address of a run or a batch
          <input name="id" autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Show</button>
      </form>
      {opened.length > 0 && (
        <>
          <h2>Opened in this tab</h2>
          <ul class="found">
            {opened.map(({ id, title }) => (
              <li>
                <a href={linkTo(['runs', id])}>{title}</a>
                <code>{id}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>Begin a run</h2>
      <p>
        An agent of any kind asks for a task, makes calls and answers; what it does is recorded from then on.
        Or <code>rookery run</code> gives tasks to a model, and scores the answers.
      </p>
      <Answer asked={first}>
        {({ tasks }) => {
          const body = { sample_id: tasks[0]?.sample_id, agent: 'me' };
          const call = { method: 'POST', path: '/runs', headers: {}, body: JSON.stringify(body) };
          const run = [
            `rookery run ${location.origin} --agent oracle --sample 20 --out runs/oracle`,
            `rookery run ${location.origin} --model openai/gpt-4o-mini --sample 20 --out runs/mini`,
          ];
          return (
            <Snippets
              call={{ ...call, given: new URLSearchParams() }}
              more={{ 'rookery run': () => run.join('\n') }}
            />
          );
        }}
      </Answer>
    </>
  );
}

type Shown = BatchView | FullRun | AgentRunView;

/** Polling interval of an open run, in milliseconds; a batch is polled less often the more runs it has. */
const PAUSE_MS = 2000;

export function RunView({ id, turn }: { readonly id: string; readonly turn: string | null }) {
  useTitle('Run');
  const path = `/runs/${encodeURIComponent(id)}`;
  const shown = useAnswer<Shown>(path, () => farm().get(path), pauseAfter);
  return (
    <Answer title="Run" asked={shown}>
      {(known) =>
        'runs' in known ? <Batch batch={known} /> : <Run run={known} path={path} id={id} turn={turn} />
      }
    </Answer>
  );
}

function pauseAfter(shown: Shown): number | null {
  const runs = 'runs' in shown ? shown.runs : [shown];
  return runs.some(({ status }) => status === 'open') ? Math.max(PAUSE_MS, runs.length * 2) : null;
}

function Batch({ batch: { batch_id, runs } }: { readonly batch: BatchView }) {
  useOpened(batch_id, counted(runs.length, 'run'));
  const over = runs.filter(({ status }) => status !== 'open').length;
  return (
    <>
      <Header title="Batch" path={[['Runs', linkTo(['runs'])]]} about={<code>{batch_id}</code>} />
      <p>
        <label>
          {over} of {runs.length} runs are over <progress value={over} max={runs.length} />
        </label>
      </p>
      <VirtualRows
        label="Runs of the batch"
        head={['Task', 'State', 'Ended by', 'Calls']}
        items={runs}
        row={({ run_id, sample_id, status, calls, end_reason }) => (
          <>
            <td>
              <a href={linkTo(['runs', run_id])}>{sample_id}</a>
            </td>
            <td>{status.replaceAll('_', ' ')}</td>
            <td>{end_reason}</td>
            <td class="number">{calls}</td>
          </>
        )}
      />
      {over === runs.length && <Score path={`/runs/${encodeURIComponent(batch_id)}/score`} over={over} />}
    </>
  );
}

interface RunProps {
  readonly run: FullRun | AgentRunView;
  readonly path: string;
  readonly id: string;
  readonly turn: string | null;
}

function Run({ run, path, id, turn }: RunProps) {
  const { status, end_reason, used, budget, answer } = run;
  useOpened(id, 'question' in run ? run.question : run.sample_id);
  const limit = (name: keyof typeof budget) => (budget[name] === undefined ? '' : ` of ${budget[name]}`);
  return (
    <>
      <Header
        title={'question' in run ? run.question : run.sample_id}
        path={[['Runs', linkTo(['runs'])]]}
        actions={
          'sample_id' in run && (
            <a class="button" href={linkTo(['task', ...run.sample_id.split('/')])}>
              The task
            </a>
          )
        }
      />
      <dl class="facts">
        <dt>state</dt>
        <dd aria-live="polite">
          {status.replaceAll('_', ' ')}
          {end_reason !== null && ` (${end_reason})`}
        </dd>
        {'sample_id' in run && (
          <>
            <dt>task</dt>
            <dd>
              <a href={linkTo(['task', ...run.sample_id.split('/')])}>{run.sample_id}</a>
            </dd>
            <dt>agent</dt>
            <dd>
              {run.agent}
              {run.model !== null && `, ${run.model}`}
            </dd>
            <dt>injected faults</dt>
            <dd>{run.faults?.name ?? 'none'}</dd>
          </>
        )}
        <dt>used</dt>
        <dd>
          {used.calls}
          {limit('calls')} calls, {used.seconds.toFixed(1)}
          {limit('seconds')} s, {used.bytes.toLocaleString('en')}
          {limit('bytes')} bytes
        </dd>
        {answer?.input_tokens != null && (
          <>
            <dt>tokens</dt>
            <dd>
              {answer.input_tokens.toLocaleString('en')} in,{' '}
              {(answer.output_tokens ?? 0).toLocaleString('en')} out
            </dd>
          </>
        )}
      </dl>
      {'sample_id' in run && status !== 'open' ? (
        <Reviewed path={`${path}/review`} id={id} turn={turn}>
          <Recorded run={run} />
          <Score path={`${path}/score`} over={1} />
        </Reviewed>
      ) : (
        <Recorded run={run} />
      )}
    </>
  );
}

/** What the server recorded: changes, calls and the answer. */
function Recorded({ run: { diff, trajectory, answer } }: Pick<RunProps, 'run'>) {
  return (
    <>
      {diff && (
        <>
          <h2>Changed records</h2>
          <Changes made={diff} gold={null} />
        </>
      )}
      <h2>Calls in order</h2>
      <Trajectory entries={trajectory} />
      <h2>Answer</h2>
      {answer === null ? (
        <p class="note">None yet.</p>
      ) : (
        <>
          <Scrolled label="Answer">
            <pre>{JSON.stringify(answer.answer ?? null, null, 2)}</pre>
          </Scrolled>
          {answer.raw_output != null && <Folded title="Output of the model" text={answer.raw_output} />}
        </>
      )}
    </>
  );
}

interface ReviewedProps {
  readonly path: string;
  readonly id: string;
  readonly turn: string | null;
  /** Below it, once it is there, so that nothing moves. */
  readonly children: ComponentChildren;
}

/** The run beside its gold if the server provides it, else nothing. */
function Reviewed({ path, id, turn, children }: ReviewedProps) {
  const asked = useAnswer(path, () => exactJson<{ readonly reviews: readonly SampleReview[] }>(path));
  if (isGoldElsewhere(asked.error)) return <>{children}</>;
  return (
    <>
      <h2>Compared with the gold</h2>
      <Answer asked={asked}>
        {({ reviews: [review] }) =>
          review ? (
            <>
              {review.parts.length === 0 && <p>{review.question}</p>}
              <Review review={review} linkOf={(n) => linkTo(['runs', id], { turn: String(n) })} turn={turn} />
            </>
          ) : (
            <p class="note">Not scored.</p>
          )
        }
      </Answer>
      {(asked.value || asked.error) && children}
    </>
  );
}

/** The score of finished runs if the server scores, else nothing. */
export function Score({ path, over }: { readonly path: string; readonly over: number }) {
  const score = useAnswer<unknown>(`${path} ${over}`, () => farm().get(path));
  // Without scoring or without the key, a missing score is not an error.
  if (isGoldElsewhere(score.error)) return null;
  return (
    <>
      <h2>Score</h2>
      <Answer asked={score}>
        {(known) => (
          <Scrolled label="Score">
            <pre>{JSON.stringify(known, null, 2)}</pre>
          </Scrolled>
        )}
      </Answer>
    </>
  );
}

type Entry = (TrajectoryRunView | AgentRunView)['trajectory'][number];

/** The calls of a run in order, on the axis of its time: tool, arguments, result and latency. */
function Trajectory({ entries }: { readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return <p class="note">None yet.</p>;
  const began = Date.parse(entries[0]?.at ?? '');
  const ends = entries.map(({ at, latency_ms = 0 }) => Date.parse(at) - began + latency_ms);
  const total = Math.max(1, ...ends);
  return (
    <ol class="turns">
      {entries.map((entry, i) => (
        <Step
          key={entry.n}
          entry={entry}
          repeated={entries.slice(0, i).findLast((each) => isSameCall(each, entry))}
          free={ends[i - 1] ?? 0}
          begins={Date.parse(entry.at) - began}
          total={total}
        />
      ))}
    </ol>
  );
}

function isSameCall(one: Entry, other: Entry): boolean {
  return one.tool === other.tool && JSON.stringify(one.arguments) === JSON.stringify(other.arguments);
}

interface StepProps {
  readonly entry: Entry;
  /** The call before it with the same arguments, if there is any. */
  readonly repeated: Entry | undefined;
  /** When the call before it was answered, in milliseconds since the first. */
  readonly free: number;
  readonly begins: number;
  readonly total: number;
}

function Step({ entry, repeated, free, begins, total }: StepProps) {
  const { n, tool, status, code, rows, bytes, latency_ms, reply } = entry;
  const real = 'real_tool' in entry ? entry.real_tool : undefined;
  const fault = 'fault' in entry ? entry.fault : null;
  const waited = Math.max(0, begins - free);
  return (
    <li class={status < 400 ? 'turn' : 'turn failed'}>
      <span class="number">{n}</span>
      <div>
        <div class="turn-head">
          <h3>{reply === undefined ? tool : 'To the user'}</h3>
          {real !== undefined && <span>actually {real}</span>}
          <span class={status < 400 ? '' : 'problem'}>
            {status}
            {code !== null && ` ${code}`}
          </span>
          {fault != null && <span class="fault">injected fault: {fault}</span>}
          {repeated && (
            <span>
              {repeated.status < 400 ? 'repeats' : 'retries'} call {repeated.n}
            </span>
          )}
          <span class="note">
            {rows === null ? 'no rows' : rowsText(rows)} · {bytes.toLocaleString('en')} bytes
            {latency_ms !== undefined && ` · ${time(latency_ms)}`} · at {time(begins)}
            {waited > 0 && `, ${time(waited)} after the last`}
          </span>
        </div>
        <Axis
          bars={[{ kind: 'wait', ms: waited }, barOf({ latency_ms: latency_ms ?? 0, status })]}
          begins={begins - waited}
          ends={begins + (latency_ms ?? 0)}
          total={total}
        />
        <Scrolled label={`Arguments of call ${n}`}>
          <pre>{JSON.stringify(entry.arguments, null, 1)}</pre>
        </Scrolled>
        {reply !== undefined && <p class="wrote">{reply ?? 'The dialogue is over.'}</p>}
      </div>
    </li>
  );
}
