import { sameRows } from '../../contracts/same-rows.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Row } from '../../contracts/value.ts';

/** What a farm answers to those who do not think. */
export interface Guessing {
  /** The samples whose gold answer is a whole table or one whole column. */
  readonly dumps: ReadonlySet<Sample>;
  /** By the path of a list of tools: what the last of its tools that take no arguments answers. */
  readonly lastAnswers: ReadonlyMap<string, readonly Row[]>;
}

/** An agent that looks at no question. */
export interface Thoughtless {
  readonly about: string;
  /** How likely it is right about a sample, 0 to 1, having chosen what is best for all of these. */
  readonly study: (samples: readonly Sample[], guessing: Guessing) => (sample: Sample) => number;
}

/** The agents of the integrity card, by name. */
export const THOUGHTLESS = {
  nothing: {
    about: 'answers without any row',
    study: () => gives([]),
  },
  null: {
    about: 'always answers NULL',
    study: () => gives([[null]]),
  },
  zero: {
    about: 'always answers 0',
    study: () => gives([[0]]),
  },
  constant: {
    about: 'always gives the answer that is right most often',
    study: (samples) => gives(mostFrequent(samples)),
  },
  dump: {
    about: 'gives a whole table or one whole column as it is stored, the right one by luck',
    study:
      (_, { dumps }) =>
      (sample) =>
        dumps.has(sample) ? 1 : 0,
  },
  bare_call: {
    about: 'gives the answer of a tool drawn from the list, called without arguments',
    study: () => (sample) => (isBareCall(sample) ? 1 / sample.toolset.size : 0),
  },
  every_tool: {
    about: 'calls every tool of the list once, without arguments: what the last of them answers counts',
    study:
      (_, { lastAnswers }) =>
      (sample) =>
        rightAbout(sample, lastAnswers.get(sample.toolset.path) ?? null),
  },
} as const satisfies Record<string, Thoughtless>;

export type ThoughtlessName = keyof typeof THOUGHTLESS;

export const THOUGHTLESS_NAMES = Object.keys(THOUGHTLESS) as ThoughtlessName[];

function gives(rows: readonly Row[]): (sample: Sample) => number {
  return (sample) => rightAbout(sample, rows);
}

function rightAbout({ gold_answer, order_groups }: Sample, rows: readonly Row[] | null): number {
  return rows !== null && sameRows(gold_answer, rows, order_groups) ? 1 : 0;
}

/** Answers that differ in the order of their rows alone are one. */
export function answerKey({ gold_answer }: Sample): string {
  const rows = gold_answer.map((row) =>
    JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
  );
  return rows.sort().join('\n');
}

function mostFrequent(samples: readonly Sample[]): readonly Row[] {
  const counts = new Map<string, { readonly rows: readonly Row[]; count: number }>();
  for (const sample of samples) {
    const key = answerKey(sample);
    const entry = counts.get(key);
    if (entry) entry.count++;
    else counts.set(key, { rows: sample.gold_answer, count: 1 });
  }
  return [...counts.values()].reduce((best, entry) => (entry.count > best.count ? entry : best), {
    rows: [],
    count: 0,
  }).rows;
}

/** Whether one call without arguments is all that a sample needs. */
export function isBareCall({ output }: Sample): boolean {
  const [only, ...more] = output;
  return only !== undefined && more.length === 0 && Object.keys(only.arguments).length === 0;
}
