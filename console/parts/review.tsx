import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { ReviewedCall, SampleReview } from '../../client/index.ts';
import { count, counted, rowsText } from '../wording.ts';
import { Changes } from './changes.tsx';
import { compareRows, type Difference, differenceText } from './difference.ts';
import { Folded, PositionedRows, Table } from './tables.tsx';

interface ReviewProps {
  readonly review: SampleReview;
  /** The address of a turn, and the turn in the current address. */
  readonly linkOf: (turn: number) => string;
  readonly turn: string | null;
}

/** A full review of an attempt: its verdict, turn by turn what it did beside the gold, its rows beside the gold rows. */
export function Review({ review, linkOf, turn }: ReviewProps) {
  const { why, gold, parsed, note, sql, parts, raw_output, scores, changes, turns, outcome, rows } = review;
  const difference = useMemo(
    () => (outcome !== 'pass' && gold && rows ? compareRows(rows, gold.rows, gold.ordered) : null),
    [review],
  );
  return (
    <>
      <Verdict review={review} difference={difference} />
      {why.length > 0 && (
        <details>
          <summary>Why, in full</summary>
          <ul class="why">
            {why.map((sentence) => (
              <li>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
      {parts.length === 0 && (changes === null || gold === null || gold.row_count > 0) && (
        <RowsBeside review={review} difference={difference} />
      )}
      {changes && (
        <>
          <h2>Changes</h2>
          <Changes {...changes} />
        </>
      )}
      {gold && <Folded title="Gold SQL" text={gold.query} />}
      {parts.length > 0 && <PartsShown parts={parts} />}
      {!parsed && <p class="note">No calls could be read.</p>}
      <Timeline review={review} linkOf={linkOf} chosen={turn} />
      {sql && <Folded title="SQL of the agent" text={sql} />}
      {raw_output && <Folded title="Output of the model" text={raw_output} open={turns.length === 0} />}
      {note !== null && <p class="problem">{note}</p>}
      {scores.length > 0 && (
        <details>
          <summary>Figures of this attempt</summary>
          <dl class="facts">
            {scores.map(([name, value]) => (
              <>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

export function Outcome({ outcome }: Pick<SampleReview, 'outcome'>) {
  return <strong class={`outcome ${outcome}`}>{outcome.replaceAll('_', ' ')}</strong>;
}

interface ComparedProps {
  readonly review: SampleReview;
  /** Between its rows and the gold's, unless it passed or a side is unknown. */
  readonly difference: Difference | null;
}

/** What came of an attempt in a sentence, with the cell that differs if it is one. */
function Verdict({ review, difference }: ComparedProps) {
  const { outcome, failed_by, why, gold, rows, row_count } = review;
  const differs = difference && gold && rows ? differenceText(rows, gold, row_count, difference) : null;
  const reason = differs ?? why[0] ?? null;
  return (
    <div class={`notice ${outcome === 'pass' ? 'right' : 'bad'}`}>
      <p>
        <Outcome outcome={outcome} />
        {failed_by !== null && <span class="note"> · {failed_by.replaceAll('_', ' ')}</span>}
        {outcome === 'pass' && gold && ` · The same ${rowsText(gold.row_count)} as the gold.`}
        {reason !== null && ` · ${reason}`}
      </p>
    </div>
  );
}

function RowsBeside({ review: { gold, rows, row_count, source }, difference }: ComparedProps) {
  const from = { answer: 'the answer', replay: 'its calls, replayed', gold_calls: 'the same calls as gold' };
  return (
    <div class="beside">
      <div>
        <h3>
          {rows === null ? 'No rows' : rowsText(row_count ?? rows.length)}
          {source !== null && ` from ${from[source]}`}
        </h3>
        {rows && rows.length > 0 && (
          <PositionedRows label="Rows" rows={rows} total={row_count} marked={difference?.mine} />
        )}
      </div>
      {gold && (
        <div>
          <h3>
            Gold: {rowsText(gold.row_count)}
            {gold.ordered && ', in order'}
          </h3>
          <PositionedRows
            label="Gold rows"
            rows={gold.rows}
            total={gold.row_count}
            marked={difference?.theirs}
          />
        </div>
      )}
    </div>
  );
}

/** The turns of a dialogue, or the parts of another task of several questions, each with its verdict. */
function PartsShown({ parts }: Pick<SampleReview, 'parts'>) {
  return (
    <>
      <h2>Its questions</h2>
      <Table label="Its questions" head={['', 'Asked', 'Outcome', 'About it']} rows={parts}>
        {({ question, passes, facts }, i) => (
          <>
            <td class="number">{i + 1}</td>
            <td>{question}</td>
            <td>
              <Outcome outcome={passes ? 'pass' : 'fail'} />
            </td>
            <td>{facts.join('; ')}</td>
          </>
        )}
      </Table>
    </>
  );
}

type Line = SampleReview['lines'][number];
type Turn = SampleReview['turns'][number];
type Step = SampleReview['transcript'][number];

/** A part of an attempt: what a model wrote, if it is known, and the calls beside the gold's. */
interface Part {
  readonly turn: Turn | undefined;
  readonly lines: readonly {
    readonly line: Line;
    readonly isFirst: boolean;
    readonly step: Step | undefined;
  }[];
  /** Since the beginning, in milliseconds. */
  readonly begins: number;
  readonly ends: number;
}

/** Groups the lines of a review by the turn that made their calls; a gold call that was not made goes where it was due. */
function partsOf({ lines, turns, transcript, first_difference }: SampleReview): Part[] {
  const counts = turns.map(({ calls }) => calls.length);
  const parts: { turn: Turn | undefined; lines: Part['lines'][number][] }[] = turns.map((turn) => ({
    turn,
    lines: [],
  }));
  let [at, left, made] = [0, counts[0] ?? 0, 0];
  lines.forEach((line, i) => {
    const step = line.predicted === null ? undefined : transcript[made];
    if (line.predicted !== null) {
      made++;
      while (left === 0 && at < parts.length - 1) left = counts[++at] ?? 0;
      left--;
    }
    const one = { line, isFirst: i === first_difference, step };
    const part = parts[at];
    if (part) part.lines.push(one);
    else parts.push({ turn: undefined, lines: [one] });
    if (turns.length === 0) at = parts.length;
  });
  let clock = 0;
  return parts.map(({ turn, lines: own }) => {
    const begins = clock;
    const calls = turn ? turn.calls : own.flatMap(({ step }) => step ?? []);
    clock +=
      (turn ? turn.waited_ms + turn.latency_ms : 0) +
      calls.reduce((sum, call) => sum + (call.latency_ms ?? 0), 0);
    return { turn, lines: own, begins, ends: clock };
  });
}

interface TimelineProps {
  readonly review: SampleReview;
  readonly linkOf: (turn: number) => string;
  readonly chosen: string | null;
}

/** An attempt turn by turn on a common axis of time, beside the gold calls, with the first wrong step marked. */
function Timeline({ review, linkOf, chosen }: TimelineProps) {
  const parts = partsOf(review);
  useEffect(() => {
    if (chosen !== null) document.getElementById(`turn-${chosen}`)?.scrollIntoView();
  }, [chosen]);
  if (parts.length === 0) return null;
  const total = parts.at(-1)?.ends ?? 0;
  const { turns } = review;
  const sum = (of: (turn: Turn) => number | null) =>
    turns.reduce<number | null>(
      (all, turn) => (of(turn) === null ? all : (all ?? 0) + (of(turn) ?? 0)),
      null,
    );
  const [input, output, cost] = [
    sum(({ input_tokens }) => input_tokens),
    sum(({ output_tokens }) => output_tokens),
    sum((turn) => turn.cost),
  ];
  const facts = [
    `${parts.length} ${turns.length > 0 ? 'turn' : 'step'}${parts.length === 1 ? '' : 's'}`,
    time(total),
    input === null ? null : `${count(input)} tokens in, ${count(output ?? 0)} out`,
    cost === null ? null : `cost ${cost.toFixed(4)}`,
  ].filter((fact) => fact !== null);
  return (
    <>
      <h2>{review.gold ? 'Turn by turn, beside the gold calls' : 'Turn by turn'}</h2>
      <p class="note">{facts.join(' · ')}</p>
      <ol class="turns">
        {parts.map((part, i) => (
          <TurnShown
            key={i}
            n={i + 1}
            part={part}
            isReply={review.parts.length > 0 && parts[i - 1]?.turn?.calls.length === 0}
            total={total}
            link={linkOf(i + 1)}
            isChosen={chosen === String(i + 1)}
            hasGold={review.gold !== null}
          />
        ))}
      </ol>
    </>
  );
}

interface TurnShownProps {
  readonly n: number;
  readonly part: Part;
  /** Whether it follows what the user of a dialogue said. */
  readonly isReply: boolean;
  readonly total: number;
  readonly link: string;
  readonly isChosen: boolean;
  readonly hasGold: boolean;
}

function TurnShown({ n, part, isReply, total, link, isChosen, hasGold }: TurnShownProps) {
  const { turn, lines, begins, ends } = part;
  const isFirst = lines.some((line) => line.isFirst);
  const calls = turn?.calls ?? lines.flatMap(({ step }) => step ?? []);
  const hasFailed = calls.some(({ status }) => (status ?? 200) >= 400);
  const look = ['turn', isFirst && 'first-difference', hasFailed && 'failed', isChosen && 'chosen'];
  const names = lines.flatMap(({ line }) => line.predicted?.name ?? []);
  const title = names.length > 0 ? names.join(', ') : turn ? 'The model writes' : 'Not called';
  const facts = [
    isReply ? 'the user has spoken' : null,
    turn && turn.requests > 1 ? counted(turn.requests - 1, 'failed request') : null,
    turn && turn.waited_ms >= LEAST_WAIT ? `waited ${time(turn.waited_ms)}` : null,
    turn && turn.latency_ms > 0 ? `model ${time(turn.latency_ms)}` : null,
    turn?.input_tokens != null
      ? `${count(turn.input_tokens)} in, ${count(turn.output_tokens ?? 0)} out`
      : null,
    turn?.cost != null ? `cost ${turn.cost.toFixed(4)}` : null,
    turn?.stop === 'length' ? 'cut off: too long' : null,
    total > 0 ? `at ${time(begins)}` : null,
  ].filter((fact) => fact !== null);
  return (
    <TurnEntry
      {...{ n, link, title, facts }}
      id={`turn-${n}`}
      look={look.filter(Boolean).join(' ')}
      label={`Link to turn ${n}`}
    >
      {total > 0 && (
        <Axis
          bars={[
            { kind: 'wait', ms: turn?.waited_ms ?? 0 },
            { kind: 'model', ms: turn?.latency_ms ?? 0 },
            ...calls.map(barOf),
          ]}
          begins={begins}
          ends={ends}
          total={total}
        />
      )}
      {isFirst && <p class="problem">The first difference:</p>}
      {turn && turn.reasoning !== '' && <Folded title="Reasoning" text={turn.reasoning} />}
      {turn && turn.text.trim() !== '' && <p class="wrote">{turn.text}</p>}
      {lines.map(({ line, step }) => (
        <div class={hasGold ? 'beside' : ''}>
          <div>
            <Side owner={hasGold ? 'agent' : ''} call={line.predicted} none="not called" />
            {step && <StepFacts step={step} />}
          </div>
          {hasGold && <Side owner="gold" call={line.gold} none="no call" />}
        </div>
      ))}
      {turn?.calls.map(({ name, answer, status, latency_ms }) => (
        <details>
          <summary class={(status ?? 200) < 400 ? 'note' : 'problem'}>
            {name} answered {status ?? ''} in {time(latency_ms)}
          </summary>
          <pre>{answer}</pre>
        </details>
      ))}
    </TurnEntry>
  );
}

interface TurnEntryProps {
  readonly n: number;
  /** Where its number leads, and what that is called. */
  readonly link: string;
  readonly label: string;
  readonly id?: string;
  readonly look: string;
  readonly title: string;
  readonly facts: readonly string[];
  readonly children: ComponentChildren;
}

/** A turn in a list of turns: a number that leads somewhere, a title with facts, and what happened. */
export function TurnEntry({ n, link, label, id, look, title, facts, children }: TurnEntryProps) {
  return (
    <li id={id} class={look}>
      <a class="number" href={link} aria-label={label}>
        {n}
      </a>
      <div>
        <div class="turn-head">
          <h3>{title}</h3>
          <span class="note">{facts.join(' · ')}</span>
        </div>
        {children}
      </div>
    </li>
  );
}

/** Shorter waits are the runner's own work. */
const LEAST_WAIT = 50;

/** A call on the axis. */
export function barOf({ latency_ms, status }: Pick<Step, 'latency_ms' | 'status'>) {
  return { kind: (status ?? 200) < 400 ? ('tool' as const) : ('bad' as const), ms: latency_ms ?? 0 };
}

interface AxisProps {
  readonly bars: readonly { readonly kind: 'wait' | 'model' | 'tool' | 'bad'; readonly ms: number }[];
  readonly begins: number;
  readonly ends: number;
  readonly total: number;
}

/** Where a turn lies in the whole attempt: what was waited, the model's time, then that of its calls. */
export function Axis({ bars, begins, ends, total }: AxisProps) {
  const least = total / 400;
  let at = begins;
  const next = (ms: number) => {
    const x = at;
    at += ms;
    return { x: x / total, width: Math.max(ms, least) / total };
  };
  const label = `From ${time(begins)} to ${time(ends)} of ${time(total)}`;
  const share = (part: number) => `${(part * 100).toFixed(2)}%`;
  return (
    <div class="axis" title={label}>
      <svg role="img" aria-label={label}>
        {bars.map(({ kind, ms }) => {
          if (ms < (kind === 'wait' ? LEAST_WAIT : Number.MIN_VALUE)) return null;
          const { x, width } = next(ms);
          return <rect class={kind} x={share(x)} width={share(width)} height="6" rx="1" />;
        })}
      </svg>
    </div>
  );
}

/** `3.2 s`, `41 ms` */
export function time(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
}

interface SideProps {
  /** Whose call it is; empty if there is one side only. */
  readonly owner: string;
  readonly call: ReviewedCall | null;
  /** Text for a missing call. */
  readonly none: string;
}

function Side({ owner, call, none }: SideProps) {
  const prefix = owner === '' ? null : <span class="note">{owner}: </span>;
  const look = owner === 'gold' ? 'panel of-gold' : 'panel';
  if (call === null)
    return (
      <p class={`note ${look}`}>
        {prefix}
        {none}
      </p>
    );
  return (
    <div class={look}>
      {prefix}
      {call.label !== '' && <code class="note">{call.label} = </code>}
      <strong class={call.alone ? 'differs' : ''}>{call.name}</strong>
      <ul>
        {call.arguments.map(({ name, value, differs }) => (
          <li class={differs ? 'differs' : ''}>
            <span class="note">{name}:</span> <code>{value}</code>
            {differs && <span class="hidden"> (differs)</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function StepFacts({ step }: { readonly step: Step }) {
  const { status, code, rows, handle, latency_ms, fault, error } = step;
  const facts = [
    status === null ? null : String(status),
    code,
    handle,
    rows === null ? null : rowsText(rows),
    latency_ms === null ? null : time(latency_ms),
  ].filter((fact) => fact !== null);
  return (
    <p class={(status ?? 200) < 400 ? 'note' : 'problem'}>
      {facts.join(', ')}
      {fault !== null && <span class="fault"> injected fault: {fault}</span>}
      {error !== null && <span class="problem"> {error}</span>}
    </p>
  );
}
