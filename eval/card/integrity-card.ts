import { sameRows } from '../../contracts/same-rows.ts';
import { type Flag, type Formulation, formulation, type Sample } from '../../contracts/sample.ts';
import type { Row } from '../../contracts/value.ts';

/** Agents that look at no question. */
export const THOUGHTLESS = {
  nothing: 'answers without any row',
  constant: 'always gives the answer that is right most often',
  dump: 'gives a whole table or one whole column, the right one by luck',
  bare_call: 'gives the answer of a tool drawn from the list, called without arguments',
} as const;

export type Thoughtless = keyof typeof THOUGHTLESS;

/** What agents that do not think score on the samples of one formulation: the less, the more any score says. */
export interface CardRow {
  readonly formulation: Formulation;
  readonly samples: number;
  /** Samples that each of them passes; of what is drawn, the expected number. */
  readonly passes: Readonly<Record<Thoughtless, number>>;
}

export interface IntegrityCard {
  readonly all: readonly CardRow[];
  /** Without the samples whose gold says nothing: no rows, NULL only, a single 0. */
  readonly telling: readonly CardRow[];
}

/** Whether rows are a whole table of a domain, or one whole column of it. */
export type IsDump = (db: string, rows: readonly Row[]) => boolean;

/** Flags of gold that many wrong calls have too. */
const GUESSABLE: readonly Flag[] = ['empty_gold', 'null_gold', 'zero_gold'];

/** The card of a farm. */
export function integrityCard(samples: readonly Sample[], isDump: IsDump): IntegrityCard {
  const telling = samples.filter(({ flags }) => !flags.some((flag) => GUESSABLE.includes(flag)));
  return { all: cardRows(samples, isDump), telling: cardRows(telling, isDump) };
}

function cardRows(samples: readonly Sample[], isDump: IsDump): CardRow[] {
  return formulation.options.flatMap((kind): CardRow[] => {
    const own = samples.filter((sample) => sample.formulation === kind);
    if (own.length === 0) return [];
    const constant = mostFrequent(own);
    const count = (passes: (sample: Sample) => boolean) => own.filter(passes).length;
    const passes = {
      nothing: count(({ gold_answer }) => gold_answer.length === 0),
      constant: count(({ gold_answer }) => sameRows(gold_answer, constant, null)),
      dump: count(({ dataset_name, gold_answer }) => isDump(dataset_name, gold_answer)),
      bare_call: own.filter(isBareCall).reduce((sum, { toolset }) => sum + 1 / toolset.size, 0),
    };
    return [{ formulation: kind, samples: own.length, passes }];
  });
}

function isBareCall({ output }: Sample): boolean {
  const [only, ...more] = output;
  return only !== undefined && more.length === 0 && Object.keys(only.arguments).length === 0;
}

function mostFrequent(samples: readonly Sample[]): readonly Row[] {
  const counts = new Map<string, { readonly rows: readonly Row[]; count: number }>();
  for (const { gold_answer } of samples) {
    const key = JSON.stringify(gold_answer, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    const entry = counts.get(key);
    if (entry) entry.count++;
    else counts.set(key, { rows: gold_answer, count: 1 });
  }
  return [...counts.values()].reduce((best, entry) => (entry.count > best.count ? entry : best)).rows;
}
