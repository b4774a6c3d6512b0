import type { SampleReview } from '../../../client/index.ts';
import { rowsText } from '../../chain/about-answer.ts';
import { PositionedRows } from '../positioned-rows.tsx';
import { Scrolled } from '../scrolled.tsx';
import { CallLines } from './call-lines.tsx';

/** An attempt in full: why it failed, its calls beside the gold ones, its rows beside the gold rows. */
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
      {gold && (
        <details>
          <summary>Gold SQL</summary>
          <Scrolled label="Gold SQL">
            <pre>{gold.query}</pre>
          </Scrolled>
        </details>
      )}
      {!parsed && <p class="note">No calls could be read.</p>}
      {lines.length > 0 && <CallLines review={review} />}
      <RowsBeside review={review} />
      <Folded title="SQL of the agent" text={sql} />
      <Folded title="What the model wrote" text={raw_output} />
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

/** How an attempt ended, in a word and a colour. */
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

function Folded({ title, text }: { readonly title: string; readonly text: string | null }) {
  if (text === null || text === '') return null;
  return (
    <details>
      <summary>{title}</summary>
      <Scrolled label={title}>
        <pre>{text}</pre>
      </Scrolled>
    </details>
  );
}
