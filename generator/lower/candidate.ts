import type { Call, Formulation } from '../../contracts/sample.ts';
import type { Question } from '../../contracts/split.ts';

/** Calls that should give the gold rows of a question; verification decides. */
export interface Candidate {
  readonly question: Question;
  readonly formulation: Formulation;
  readonly initialization_step: Call | null;
  readonly output: readonly Call[];
}

/** One call, and the position of each argument's literal in the gold SQL. */
export interface RestCandidate extends Candidate {
  readonly formulation: 'rest';
  readonly endpoint: string;
  readonly bindings: readonly ParameterBinding[];
}

/** How to try another value for one parameter, both in the call and in the gold SQL. */
export interface ParameterBinding {
  readonly parameter: string;
  /** The literals that the parameter replaces: one per occurrence, and for arrays per element. */
  readonly literals: readonly {
    readonly start: number;
    readonly end: number;
    /** Literal text around the value: `%` … `%` for LIKE. */
    readonly prefix: string;
    readonly suffix: string;
  }[];
  /** Where to draw other values from; null draws values near the given one. */
  readonly column: { readonly table: string; readonly column: string } | null;
}
