import { sameRows } from '../../contracts/same-rows.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Cell, Row } from '../../contracts/value.ts';

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
    about: 'always gives the answer that is right most often, if one is right more than once',
    study: (samples) => {
      const rows = mostFrequent(samples);
      return rows ? gives(rows) : () => 0;
    },
  },
  everything: {
    about:
      'hybrid, where extra columns are forgiven: always gives one wide row of the values that are right most often',
    study: (samples) => {
      const row = widestGuess(samples);
      return (sample) => (isWithin(sample, row) ? 1 : 0);
    },
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

/** null where no answer is right twice: which of them to give, nobody could know. */
function mostFrequent(samples: readonly Sample[]): readonly Row[] | null {
  const counts = new Map<string, { readonly rows: readonly Row[]; count: number }>();
  for (const sample of samples) {
    const key = answerKey(sample);
    const entry = counts.get(key);
    if (entry) entry.count++;
    else counts.set(key, { rows: sample.gold_answer, count: 1 });
  }
  const [best] = [...counts.values()].sort((a, b) => b.count - a.count);
  return best && best.count > 1 ? best.rows : null;
}

/** No gold answer that counts has more columns. */
const MOST_COLUMNS = 16;

/** Whether a row has all values of a gold answer of one row, and at most as many others, which is what is forgiven. */
function isWithin({ plan, gold_answer: [gold, ...more] }: Sample, row: Row): boolean {
  if (!plan || !gold || more.length > 0 || row.length > 2 * gold.length) return false;
  const left = row.map(cellKey);
  return gold.every((cell) => {
    const at = left.indexOf(cellKey(cell));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Of each width, the values that most samples have which forgive it; that row of all which is right most often; empty if none is right twice. */
function widestGuess(samples: readonly Sample[]): Row {
  let best: { readonly row: Row; readonly right: number } = { row: [], right: 1 };
  for (let width = 1; width <= MOST_COLUMNS; width++) {
    const counts = new Map<string, { readonly cell: Cell; count: number }>();
    for (const { plan, gold_answer } of samples) {
      const [gold, ...more] = gold_answer;
      if (!plan || !gold || more.length > 0 || width > 2 * gold.length) continue;
      for (const cell of gold) {
        const entry = counts.get(cellKey(cell));
        if (entry) entry.count++;
        else counts.set(cellKey(cell), { cell, count: 1 });
      }
    }
    const row = [...counts.values()]
      .filter(({ count }) => count > 1)
      .sort((a, b) => b.count - a.count)
      .slice(0, width)
      .map(({ cell }) => cell);
    const right = samples.filter((sample) => isWithin(sample, row)).length;
    if (right > best.right) best = { row, right };
  }
  return best.row;
}

function cellKey(cell: Cell): string {
  return typeof cell === 'bigint' ? `${cell}n` : JSON.stringify(cell);
}

/** Whether one call without arguments is all that a sample needs. */
export function isBareCall({ output }: Sample): boolean {
  const [only, ...more] = output;
  return only !== undefined && more.length === 0 && Object.keys(only.arguments).length === 0;
}
