/** Why a sample failed whose agent gave an answer, first hit in this order. */
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
 * How an attempt can end other than with an answer of its agent. `empty`: the last reply has nothing in it; `length`: it
 * was cut off where replies end. `loops` and `out_of_budget` (calls, tokens, seconds, money) are budgets. `refused`: the model would not answer,
 * `content_filter`: its provider would not let it. `unreadable`: replies that an agent's text format cannot follow.
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

/** All reasons why samples fail, for tables and charts; a sample has one of them. */
export const FAILURE_CLASSES = [...ERROR_CLASSES, ...ENDINGS] as const;

/** Why a sample failed: how its attempt ended, else the error of its agent; null where it did not, or it is not known. */
export function failureClass(sample: {
  readonly outcome: string;
  readonly ended_by: string;
  readonly error_class: (typeof ERROR_CLASSES)[number] | null;
}): (typeof FAILURE_CLASSES)[number] | null {
  if (sample.outcome !== 'fail' && sample.outcome !== 'unparseable') return null;
  return ENDINGS.find((end) => end === sample.ended_by) ?? sample.error_class;
}

/** The formulations, in the order in which they are shown. */
export const FORMULATION_NAMES = ['rest', 'slot', 'sel', 'query', 'hybrid'] as const;

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

/** The operators of a call of the `query` tool. */
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

/** What can be made wrong with an answer that still looks right. */
export const SILENT_FAULT_KINDS = [
  /** The rows of another state of the database. */
  'stale_rows',
  /** A column's values stand one row too low: the first is null, the last is gone. */
  'shifted_rows',
  /** Some rows are there twice. */
  'duplicated_rows',
  /** Some rows are missing. */
  'dropped_rows',
  /** A column's numbers are a thousandth of what they should be. */
  'wrong_unit',
  /** The first half of the rows, with `truncated: false`. */
  'hidden_truncation',
] as const;
