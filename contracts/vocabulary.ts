/** Why an answered sample failed; the first that applies, in this order. */
export const ERROR_CLASSES = [
  'instruction_alignment_failure',
  'wrong_func_count',
  'wrong_func_format',
  'hallucinated_func_name',
  'wrong_func_name',
  'missing_required_parameter',
  'unexpected_param',
  'value_error',
  'right_calls_wrong_answer',
] as const;

/**
 * How an attempt can end without an answer. `empty`: the last reply is empty; `length`: it was cut off at the
 * length limit. `loops` and `out_of_budget` (calls, tokens, seconds, money) are budgets. `refused`: the model
 * declined; `content_filter`: its provider blocked the reply. `unreadable`: replies that an agent's text
 * format cannot parse.
 */
export const ENDINGS = [
  'empty',
  'length',
  'loops',
  'out_of_budget',
  'context_window',
  'refused',
  'content_filter',
  'broken_arguments',
  'unreadable',
] as const;

/** All reasons for failure, for tables and charts; a failed sample has exactly one. */
export const FAILURE_CLASSES = [...ERROR_CLASSES, ...ENDINGS] as const;

/** Why a sample failed: how its attempt ended, else the error class of its answer; null if it passed or is unknown. */
export function failureClass(sample: {
  readonly outcome: string;
  readonly ended_by: string;
  readonly error_class: (typeof ERROR_CLASSES)[number] | null;
}): (typeof FAILURE_CLASSES)[number] | null {
  if (sample.outcome !== 'fail' && sample.outcome !== 'unparseable') return null;
  return ENDINGS.find((end) => end === sample.ended_by) ?? sample.error_class;
}

/** The formulations, in display order. */
export const FORMULATION_NAMES = ['rest', 'slot', 'sel', 'query', 'hybrid', 'records', 'actions'] as const;

/** Whether the tasks of a formulation change records. */
export function isOfChanges(formulation: (typeof FORMULATION_NAMES)[number]): boolean {
  return formulation === 'records' || formulation === 'actions';
}

/** The tables that a statement reads: visible (`db_only`), hidden (`api_only`), both (`mixed`) or none. */
export const PLAN_CLASSES = ['none', 'db_only', 'mixed', 'api_only'] as const;

/** What the first API of an augmented question computes on: the letters of a text, a number, or a named place. */
export const API_CLASSES = ['lexical', 'numeric', 'geographic'] as const;

/**
 * Why an attempt at a `hybrid` task failed; the first that applies:
 * - `unbound_input`: a statement used an API without its inputs, and there is no answer;
 * - `routing`: it looked for data in the wrong place, and there is no answer;
 * - `not_executed`: the output could not be executed;
 * - `no_answer`: there is no answer;
 * - `invented_value`: an API was called with a value from nowhere;
 * - `lost_rows`: a strict subset of the gold rows; `extra_rows`: a strict superset;
 * - `wrong_aggregation`: as many rows, with the right texts but wrong numbers;
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

export const QUERY_COMPONENTS = [
  'search_query',
  'integer_property_filter',
  'text_property_filter',
  'boolean_property_filter',
  'integer_property_aggregation',
  'text_property_aggregation',
  'boolean_property_aggregation',
  'groupby_property',
] as const;

export const SILENT_FAULT_KINDS = [
  /** The rows of another state of the database. */
  'stale_rows',
  /** A column's values are shifted down one row: the first is null, the last is gone. */
  'shifted_rows',
  'duplicated_rows',
  'dropped_rows',
  /** A column's numbers are divided by 1000. */
  'wrong_unit',
  /** The first half of the rows, with `truncated: false`. */
  'hidden_truncation',
] as const;
