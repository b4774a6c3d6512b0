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
