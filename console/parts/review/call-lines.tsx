import type { ReviewedCall, SampleReview } from '../../../client/index.ts';

type Step = SampleReview['transcript'][number];

/** The calls of an attempt in order; where the gold is told, beside its calls, the first difference marked. */
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
                {gold && <Side whose="gold" call={line.gold} none="no call" />}
                <div>
                  <Side whose={gold ? 'agent' : ''} call={line.predicted} none="not called" />
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
  /** Empty where there is one side only. */
  readonly whose: string;
  readonly call: ReviewedCall | null;
  /** What is said of a call that is not there. */
  readonly none: string;
}

function Side({ whose, call, none }: SideProps) {
  const prefix = whose === '' ? null : <span class="note">{whose}: </span>;
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
      {fault !== null && <span class="fault"> fault on purpose: {fault}</span>}
      {error !== null && <span class="problem"> {error}</span>}
    </p>
  );
}
