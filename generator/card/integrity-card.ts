import { type Formulation, formulation, type Sample } from '../../contracts/sample.ts';
import { type Guessing, THOUGHTLESS, THOUGHTLESS_NAMES, type ThoughtlessName } from './thoughtless.ts';

/** What agents that do not think score on the samples of one formulation: the less, the more any score says. */
export interface CardRow {
  readonly formulation: Formulation;
  readonly samples: number;
  /** Samples that each of them passes; of what is drawn, the expected number. */
  readonly passes: Readonly<Record<ThoughtlessName, number>>;
}

/** The card of samples; no row for a formulation that has none. */
export function integrityCard(samples: readonly Sample[], guessing: Guessing): CardRow[] {
  return formulation.options.flatMap((kind): CardRow[] => {
    const own = samples.filter((sample) => sample.formulation === kind);
    if (own.length === 0) return [];
    const passes = Object.fromEntries(
      THOUGHTLESS_NAMES.map((name) => {
        const chance = THOUGHTLESS[name].study(own, guessing);
        return [name, own.reduce((sum, sample) => sum + chance(sample), 0)];
      }),
    ) as Record<ThoughtlessName, number>;
    return [{ formulation: kind, samples: own.length, passes }];
  });
}
