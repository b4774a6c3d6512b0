import type { Call, Sample } from '../../contracts/sample.ts';

/** Predictions as a middling agent makes them: each sixth sample of another kind. */
export function mixedPredictions(samples: readonly Sample[]): object[] {
  return samples.map((sample, i) => {
    const base = {
      sample_id: sample.sample_id,
      loops: 1 + (i % 10),
      latency_s: 0.5,
      input_tokens: 2000,
      output_tokens: 100,
    };
    return { ...base, ...(KINDS[i % KINDS.length] as (of: Sample) => object)(sample) };
  });
}

const KINDS: readonly ((sample: Sample) => object)[] = [
  // Right: nothing is replayed.
  ({ output }) => ({ calls: output }),
  // An answer, and the calls that led to it.
  ({ output, gold_answer }) => ({ calls: output, answer: gold_answer }),
  // A wrong value, replayed.
  ({ output }) => ({ calls: output.map(wrongValue) }),
  // A call is missing, replayed.
  ({ output }) => ({ calls: output.slice(1) }),
  // Text to parse, with one argument too many, replayed.
  ({ output }) => ({
    raw_output: `I will call:\n\`\`\`json\n${JSON.stringify(output.map(extraArgument))}\n\`\`\``,
  }),
  ({ output }) => ({ raw_output: `[${output.map(callText).join(', ')}]` }),
];

function wrongValue(call: Call): Call {
  const args = Object.entries(call.arguments).map(([key, value]) => [
    key,
    typeof value === 'number' ? value + 1 : value,
  ]);
  return { ...call, arguments: Object.fromEntries(args) };
}

function extraArgument(call: Call): Call {
  return { ...call, arguments: { ...call.arguments, format: 'json' } };
}

function callText({ name, arguments: args }: Call): string {
  return `${name}(${Object.entries(args)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ')})`;
}
