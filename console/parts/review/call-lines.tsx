import type { ReviewedCall, SampleReview } from '../../../client/index.ts';

type Step = SampleReview['transcript'][number];

/** The calls of an attempt in order; where the gold is told, beside its calls, the first difference marked. */
export function CallLines({ review }: { readonly review: SampleReview }) {
  const { lines, transcript, gold, first_difference } = review;
  const slowest = Math.max(1, ...transcript.map(({ latency_ms }) => latency_ms ?? 0));
  let made = 0;
  return (
    <>
      <div class={gold ? 'beside' : ''} aria-hidden="true">
        {gold && <h3>Gold calls</h3>}
        <h3>Calls</h3>
      </div>
      <ol class="lines">
        {lines.map((line, i) => {
          const step = line.predicted === null ? undefined : transcript[made++];
          const isFirst = i === first_difference;
          return (
            <li class={isFirst ? 'first-difference' : ''}>
              {isFirst && <p class="problem">The first difference:</p>}
              <div class={gold ? 'beside' : ''}>
                {gold && <Side call={line.gold} none="no call of the gold" />}
                <div>
                  <Side call={line.predicted} none="not called" />
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

function Side({ call, none }: { readonly call: ReviewedCall | null; readonly none: string }) {
  if (call === null) return <p class="note side none">{none}</p>;
  return (
    <div class="side">
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
