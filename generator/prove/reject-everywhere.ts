import type { Verdict } from '../../contracts/coverage.ts';
import { formulationsOf } from '../../contracts/formulations/registry.ts';
import { makeVerdict, NOTHING_MADE } from '../formulations/contract/make-sample.ts';
import type { Unreadable } from './read-gold.ts';

/** The verdicts on a question that no formulation keeps, of each that it is put in. */
export function rejectEverywhere({ question, rejection }: Unreadable, facts = NOTHING_MADE): Verdict[] {
  return formulationsOf(question).map((kind) =>
    makeVerdict(question, kind, { kept: false, rejection, flags: [] }, facts),
  );
}
