import { flag, type Sample } from '../../contracts/sample.ts';
import { findGuessable } from './find-guessable.ts';
import { type CardDomain, guessingOf } from './guessing-of.ts';

/** Each sample of a whole farm that an agent passes without a thought, with the flag `guessable` added. */
export function markGuessable(domains: readonly CardDomain[]): Map<Sample, Sample> {
  const samples = domains.flatMap((domain) => domain.samples);
  const marked = [...findGuessable(samples, guessingOf(domains))].map((sample): [Sample, Sample] => [
    sample,
    {
      ...sample,
      flags: flag.options.filter((each) => each === 'guessable' || sample.flags.includes(each)),
    },
  ]);
  return new Map(marked);
}
