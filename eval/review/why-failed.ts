import { ENDINGS } from '../../contracts/error-classes.ts';
import type { ArgumentFault, ErrorClass, Report } from '../../contracts/report.ts';

type Sample = Report['samples'][number];

/** Why a sample failed, in sentences: its class first, then where it parts from the gold. Empty for a pass. */
export function whyFailed(sample: Sample): string[] {
  if (sample.outcome === 'pass') return [];
  const { error_class, confusions, argument_faults } = sample;
  const end = ENDINGS.find((each) => each === sample.ended_by);
  return [
    ...(error_class === null ? [] : [CLASSES[error_class]]),
    ...(end === undefined ? [] : [ENDS[end]]),
    ...confusions.map(({ expected, called, offered }) => {
      if (called === null) return `${expected} was not called.`;
      return `${expected} was due, ${called} was called${offered ? '' : ', which is no tool here'}.`;
    }),
    ...argument_faults.map(faultText),
  ];
}

function faultText({ call, tool, argument, kind, fault }: ArgumentFault): string {
  const place = `Gold call ${call + 1}, ${tool}`;
  if (kind === 'missing') return `${place}: ${argument} is missing.`;
  if (kind === 'unexpected') return `${place}: ${argument} should not be there.`;
  return `${place}: ${argument} has another value${fault === null || fault === 'other' ? '' : ` (${FAULTS[fault]})`}.`;
}

const FAULTS: Readonly<Record<NonNullable<ArgumentFault['fault']>, string>> = {
  reference: 'it refers to another result',
  type: 'the same, of another type',
  case: 'the same but for case and blanks',
  date: 'another date',
  unit: 'another unit',
  other: 'another value',
};

const ENDS: Readonly<Record<(typeof ENDINGS)[number], string>> = {
  empty: 'The last reply has nothing in it.',
  length: 'The last reply was cut off at its greatest length.',
  loops: 'Its loops were used up.',
  out_of_budget: 'Its budget was used up.',
  context_window: 'The conversation grew too long for the model.',
  refused: 'The model refused to answer.',
  content_filter: 'The filter of the provider refused an answer.',
  broken_arguments: 'A call had arguments that are no JSON object.',
  unreadable: 'Its replies could not be followed.',
};

const CLASSES: Readonly<Record<ErrorClass, string>> = {
  instruction_alignment_failure: 'There is no call in what the agent wrote.',
  wrong_func_count: 'The number of calls is wrong.',
  wrong_func_format: 'A call has not the form of one.',
  hallucinated_func_name: 'A tool was called that does not exist.',
  wrong_func_name: 'The wrong tool was called.',
  missing_required_parameter: 'An argument is missing.',
  unexpected_param: 'There is an argument that the gold call has not.',
  value_error: 'An argument has the wrong value.',
  right_calls_wrong_answer: 'The calls are right, the answer is not.',
};
