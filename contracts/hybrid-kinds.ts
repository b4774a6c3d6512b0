/**
 * Which tables a statement reads: visible ones only (`db_only`), hidden ones only (`api_only`), both (`mixed`) or none.
 */
export const PLAN_CLASSES = ['none', 'db_only', 'mixed', 'api_only'] as const;

/** What the APIs of an augmented question look at first: the letters of a text, a number, or the place that a name stands for. */
export const API_CLASSES = ['lexical', 'numeric', 'geographic'] as const;

/**
 * Why an attempt at a `hybrid` task failed, the first that holds:
 * - `unbound_input`: a statement used an API without its inputs, and there is no answer;
 * - `routing`: data were looked for where they are not, and there is no answer;
 * - `not_executed`: what was written could not be carried out;
 * - `no_answer`: there is none;
 * - `invented_value`: an API was asked for a value that nothing had told;
 * - `lost_rows`: some of the gold rows, and no others; `extra_rows`: all of them, and others;
 * - `wrong_aggregation`: as many rows, whose texts are right and whose numbers are not;
 * - `wrong_rows`: anything else.
 */
export const HYBRID_FAILURES = [
  'unbound_input',
  'routing',
  'not_executed',
  'no_answer',
  'invented_value',
  'lost_rows',
  'extra_rows',
  'wrong_aggregation',
  'wrong_rows',
] as const;
