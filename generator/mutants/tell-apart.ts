import { combinationsOf, MAX_VISITS } from '../search/find-rows.ts';
import { type ProposalContext, proposeEdge } from '../search/proposals.ts';
import type { Target } from '../search/target.ts';

const GUESSES = 60;
/** Rows that the guesses at one query and its mutants may visit. */
const VISITS = 3_000_000;

/** A mutant of a query, as it is run. */
export interface RunnableMutant {
  readonly index: number;
  readonly sql: string;
}

/**
 * The mutants that can be told from a query: guesses at changes of the rows that the query reads, each taken back, until
 * one makes the answers differ. Seeded, and bounded by rows visited.
 */
export function tellApart(
  gold: Target,
  mutants: readonly RunnableMutant[],
  isOrdered: boolean,
  { draft, ...context }: ProposalContext,
): number[] {
  const told: number[] = [];
  let left = [...mutants];
  const compare = () => {
    const right = draft.answer(gold.sql, MAX_VISITS, isOrdered);
    if (!right) return;
    left = left.filter(({ index, sql }) => {
      const wrong = draft.answer(sql, MAX_VISITS, isOrdered);
      if (!wrong || wrong.digest === right.digest) return true;
      told.push(index);
      return false;
    });
  };
  const budget = draft.spent + VISITS;
  const found = gold.parts.map((part) => combinationsOf(draft, part));
  for (let guess = 0; guess < GUESSES && left.length > 0 && draft.spent < budget; guess++) {
    const at = context.random.below(Math.max(gold.parts.length, 1));
    const [part, chosen] = [gold.parts[at], context.random.pick(found[at] ?? [])];
    if (!part || !chosen) continue;
    draft.attempt(proposeEdge(part, chosen.rows, { draft, ...context }), () => {
      compare();
      return false;
    });
  }
  return told;
}
