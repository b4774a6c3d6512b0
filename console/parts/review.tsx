import type { ReviewedCall, SampleReview } from '../../client/index.ts';
import { rowsText } from '../chain.ts';
import { Changes } from './changes.tsx';
import { Folded, PositionedRows } from './tables.tsx';

/** A full review of an attempt: why it failed, its calls beside the gold ones, its rows beside the gold rows. */
export function Review({ review }: { readonly review: SampleReview }) {
  const { outcome, failed_by, why, gold, parsed, lines, note, sql, raw_output, scores } = review;
  return (
    <>
      <p>
        <Outcome outcome={outcome} />
        {failed_by !== null && <span class="note"> {failed_by.replaceAll('_', ' ')}</span>}
      </p>
      <Reasons sentences={why.slice(0, MOST_REASONS)} />
      {why.length > MOST_REASONS && (
        <details>
          <summary>{why.length - MOST_REASONS} more</summary>
          <Reasons sentences={why.slice(MOST_REASONS)} />
        </details>
      )}
      {note !== null && <p class="problem">{note}</p>}
      {gold && <Folded title="Gold SQL" text={gold.query} />}
      {!parsed && <p class="note">No calls could be read.</p>}
      {lines.length > 0 && <CallLines review={review} />}
      {review.changes && (
        <>
          <h3>Changes</h3>
          <Changes {...review.changes} />
        </>
      )}
      {(review.changes === null || gold === null || gold.row_count > 0) && <RowsBeside review={review} />}
      {sql && <Folded title="SQL of the agent" text={sql} />}
      {raw_output && <Folded title="Output of the model" text={raw_output} />}
      {scores.length > 0 && (
        <dl class="facts">
          {scores.map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
      )}
    </>
  );
}

const MOST_REASONS = 5;

function Reasons({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <ul class="why">
      {sentences.map((sentence) => (
        <li>{sentence}</li>
      ))}
    </ul>
  );
}

export function Outcome({ outcome }: Pick<SampleReview, 'outcome'>) {
  return <strong class={`outcome ${outcome}`}>{outcome.replaceAll('_', ' ')}</strong>;
}

function RowsBeside({ review: { gold, rows, row_count, source } }: { readonly review: SampleReview }) {
  const from = { answer: 'the answer', replay: 'its calls, replayed', gold_calls: 'the same calls as gold' };
  return (
    <div class="beside">
      {gold && (
        <div>
          <h3>
            Gold: {rowsText(gold.row_count)}
            {gold.ordered && ', in order'}
          </h3>
          <PositionedRows label="Gold rows" rows={gold.rows} total={gold.row_count} />
        </div>
      )}
      <div>
        <h3>
          {rows === null ? 'No rows' : rowsText(row_count ?? rows.length)}
          {source !== null && ` from ${from[source]}`}
        </h3>
        {rows && <PositionedRows label="Rows" rows={rows} total={row_count} />}
      </div>
    </div>
  );
}

type Step = SampleReview['transcript'][number];

/** The calls of an attempt in order, beside the gold calls if available, with the first difference marked. */
export function CallLines({ review }: { readonly review: SampleReview }) {
  const { lines, transcript, gold, first_difference } = review;
  const slowest = Math.max(1, ...transcript.map(({ latency_ms }) => latency_ms ?? 0));
  let made = 0;
  return (
    <>
      <h3>{gold ? 'Calls beside the gold calls' : 'Calls'}</h3>
      <ol class="lines">
        {lines.map((line, i) => {
          const step = line.predicted === null ? undefined : transcript[made++];
          const isFirst = i === first_difference;
          return (
            <li class={isFirst ? 'first-difference' : ''}>
              {isFirst && <p class="problem">The first difference:</p>}
              <div class={gold ? 'beside' : ''}>
                {gold && <Side owner="gold" call={line.gold} none="no call" />}
                <div>
                  <Side owner={gold ? 'agent' : ''} call={line.predicted} none="not called" />
                  {step && <StepFacts step={step} slowest={slowest} />}
                </div>
              </div>
            </li>
          );
        })}
      </ol>
    </>
  );
}

interface SideProps {
  /** Column heading; empty if there is one side only. */
  readonly owner: string;
  readonly call: ReviewedCall | null;
  /** Text for a missing call. */
  readonly none: string;
}

function Side({ owner, call, none }: SideProps) {
  const prefix = owner === '' ? null : <span class="note">{owner}: </span>;
  if (call === null)
    return (
      <p class="note side">
        {prefix}
        {none}
      </p>
    );
  return (
    <div class="side">
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

function StepFacts({ step, slowest }: { readonly step: Step; readonly slowest: number }) {
  const { status, code, rows, handle, latency_ms, fault, error } = step;
  const facts = [
    status === null ? null : String(status),
    code,
    handle,
    rows === null ? null : `${rows.toLocaleString('en')} rows`,
    latency_ms === null ? null : `${latency_ms.toFixed(1)} ms`,
  ].filter((fact) => fact !== null);
  return (
    <p class={(status ?? 200) < 400 ? 'note' : 'problem'}>
      {facts.join(', ')}{' '}
      {latency_ms !== null && (
        <meter value={latency_ms} max={slowest} aria-label={`Latency of ${step.call}`}>
          {latency_ms} ms
        </meter>
      )}
      {fault !== null && <span class="fault"> injected fault: {fault}</span>}
      {error !== null && <span class="problem"> {error}</span>}
    </p>
  );
}
