/** Why a failing sample failed, first hit in this order. */
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
