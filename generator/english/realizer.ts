import type { Clauses, Condition, Given, Term, Thing } from './clauses/clause.ts';
import type { NounPhrase } from './noun-phrase.ts';

/**
 * How clauses are said: a `summary` has "a given value", a `description` the parameters' names, a `question` the
 * values themselves.
 */
export type Style = 'summary' | 'description' | 'question';

/** How much of a summary is said; what is left out is told to be. */
export interface Detail {
  /** Sort keys of rows that are not cut. */
  readonly order: boolean;
  /** How many columns beside what rows are known by. */
  readonly columns: number;
  /** How many conditions. */
  readonly conditions: number;
  /** Whether of columns that only one table has it is told whose they are. */
  readonly whose: boolean;
  /** Whether queries inside conditions are told with their own conditions. */
  readonly nested: boolean;
}

export const EVERYTHING: Detail = { order: true, columns: 5, conditions: 99, whose: true, nested: true };

/**
 * What conditions come after: `for` rows, `one` row, `with` a noun inside another phrase, `among` a number that tells
 * of other conditions already: percentage of films with a given type among those with a score above a given value.
 */
export type Lead = 'for' | 'with' | 'one' | 'among';

/** What the parts of a sentence need of the whole. */
export interface Realizer {
  readonly style: Style;
  readonly detail: Detail;
  /** What is spoken of, whose name goes without saying. */
  readonly subject: Thing | null;
  /** The same sentence where it speaks of something else. */
  about(subject: Thing | null): Realizer;
  /** A value that is chosen, after what it is compared with; as the thing itself ("a given year") or as a value of it. */
  given(given: Given, about: NounPhrase, as: 'thing' | 'value'): string;
  noun(term: Term): NounPhrase;
  /** Conditions after a noun: for a given year with a score above a given value. */
  adjuncts(conditions: readonly Condition[], lead?: Lead): string;
  clause(condition: Condition): string;
  /** Says something unless that turns out to be impossible (null): then nothing counts as said. */
  attempt<T>(say: () => T | null): T | null;
  /** A query as a noun phrase with no article; of its rows only one where it is read as one value. */
  query(clauses: Clauses, one?: boolean): string;
}
