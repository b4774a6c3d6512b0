import { QueryError } from '../../contracts/errors.ts';
import type { Call, Formulation } from '../../contracts/sample.ts';
import type { Question } from '../../contracts/split.ts';

/** What a lowering proposes for one question: calls that should give the gold rows. Verification decides. */
export interface Candidate {
  readonly question: Question;
  readonly formulation: Formulation;
  readonly initialization_step: Call | null;
  readonly output: readonly Call[];
}

/** A REST candidate: one call, and the position of each argument's literal in the gold SQL. */
export interface RestCandidate extends Candidate {
  readonly formulation: 'rest';
  /** Name of the endpoint called. */
  readonly endpoint: string;
  readonly bindings: readonly ParameterBinding[];
}

/** How another value can be tried for one parameter: in the call and, by its spans, in the gold SQL. */
export interface ParameterBinding {
  readonly parameter: string;
  /**
   * Every literal of the gold SQL that this parameter replaces. Array parameters: one entry for each element, and one
   * run of entries for each occurrence of the array.
   */
  readonly literals: readonly {
    readonly start: number;
    readonly end: number;
    /** How the argument's value is written here: prefix + value + suffix, e.g. `%` … `%` in LIKE. */
    readonly prefix: string;
    readonly suffix: string;
  }[];
  /** The column from which to draw other values, if any; otherwise values near the given one are tried. */
  readonly column: { readonly table: string; readonly column: string } | null;
}

/** Called for each bug of rookery that costs a question. */
export type OnBug = (question: Question, error: unknown) => void;

/**
 * Runs a step of one question that does no I/O. Any error except a QueryError is a bug of rookery: with `onBug` it
 * costs that question (a QueryError, GENERATOR_BUG), without it the whole run.
 */
export function isolateBugs<T>(question: Question, onBug: OnBug | undefined, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof QueryError || !onBug) throw error;
    onBug(question, error);
    throw new QueryError('GENERATOR_BUG', error instanceof Error ? error.message : String(error));
  }
}
