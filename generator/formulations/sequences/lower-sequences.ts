import type { Catalog } from '../../../contracts/catalog.ts';
import { QueryError } from '../../../contracts/errors.ts';
import type { Question } from '../../../contracts/split.ts';
import type { StartTable } from '../../../contracts/start-table.ts';
import type { Query } from '../../../sql/index.ts';
import { type Candidate, isolateBugs, type OnBug } from '../../lower/candidate.ts';
import { lowerSel, startKeysOf } from '../../lower/lower-sel.ts';
import { lowerSlot } from '../../lower/slot/lower-slot.ts';
import type { GoldQuery } from '../../verify/gold-answers.ts';
import type { Refutation } from '../../verify/verify-candidate.ts';

/** The formulations that a lowered query is written in. */
export const SEQUENCE_FORMULATIONS = ['slot', 'sel'] as const;

/** A gold query as SLOT and SEL candidates, with their start tables. */
export interface Attempt {
  readonly candidates: readonly Candidate[];
  readonly startTables: readonly StartTable[];
}

/** The candidates for a gold query, the best first; or the reason why there are none. */
export type LoweredSequences =
  | { readonly gold: GoldQuery; readonly attempts: readonly [Attempt, ...Attempt[]] }
  | { readonly gold: GoldQuery; readonly refutation: Refutation };

/**
 * Lowers gold queries to SLOT sequences, and these to SEL. Where SQL does not determine the answer, `others` has for
 * each gold query other versions that spell out what SQLite may have done. They are further candidates in case the
 * first one fails.
 */
export function lowerSequences(
  golds: readonly GoldQuery[],
  others: readonly (readonly Query[])[],
  { catalog, onBug }: { readonly catalog: Catalog; readonly onBug?: OnBug | undefined },
): LoweredSequences[] {
  return golds.map((gold, i): LoweredSequences => {
    const { question, query } = gold;
    try {
      const attempts = isolateBugs(question, onBug, (): [Attempt, ...Attempt[]] => {
        const first = lowerQuery(question, query, catalog);
        const more = (others[i] ?? []).flatMap((other) => tryLower(question, other, catalog) ?? []);
        return [first, ...more];
      });
      return { gold, attempts };
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return { gold, refutation: { kept: false, rejection: error.toRejection(), flags: [] } };
    }
  });
}

function lowerQuery(question: Question, query: Query, catalog: Catalog): Attempt {
  const slot = lowerSlot(query, catalog);
  const { initialization_step, startTables } = slot;
  const sel = lowerSel(slot, startKeysOf(slot, catalog));
  return {
    startTables,
    candidates: [
      { question, formulation: 'slot', initialization_step, output: slot.output },
      { question, formulation: 'sel', initialization_step, output: sel.output },
    ],
  };
}

function tryLower(question: Question, query: Query, catalog: Catalog): Attempt | null {
  try {
    return lowerQuery(question, query, catalog);
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}
