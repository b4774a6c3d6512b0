import { ENDINGS, ERROR_CLASSES } from '../../contracts/vocabulary.ts';
import { type AgentCall, type CallElement, isCall } from '../calls/agent-call.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import type { ErrorClass, Report, SampleScore } from './report.ts';
import { countArguments } from './slot.ts';

/** The input for classifying a failed sample; references in `gold` and `predicted` are already replaced. */
export interface FailedSample {
  readonly gold: readonly AgentCall[];
  /** null if the output contains no readable list of calls. */
  readonly predicted: readonly CallElement[] | null;
  readonly tools: ReadonlyMap<string, ToolSchema>;
  /** The names of the tools offered, if fewer than all. */
  readonly offered: ReadonlySet<string> | null;
}

/**
 * The single reason for which a sample failed.
 *
 * Source: Live API-Bench (arXiv 2506.11266), eight hierarchical error classes in the paper's order; the first
 * that applies wins. Its code is not public. Decisions made here: malformed elements count as calls, calls
 * pair by position, every stage looks at all calls before the next stage begins, "required" and "unexpected"
 * follow the tool's schema, and an optional argument given at its default is right. A sample with right calls
 * but a wrong answer has its own class.
 */
export function classifyError({ gold, predicted, tools, offered }: FailedSample): ErrorClass {
  if (predicted === null) return 'instruction_alignment_failure';
  if (predicted.length !== gold.length) return 'wrong_func_count';
  const calls = predicted.filter(isCall);
  if (calls.length !== predicted.length) return 'wrong_func_format';
  const isOffered = (name: string) => tools.has(name) && (offered === null || offered.has(name));
  if (calls.some(({ name }) => !isOffered(name))) return 'hallucinated_func_name';
  if (calls.some(({ name }, i) => name !== gold[i]?.name)) return 'wrong_func_name';
  const pairs = calls.map((call, i) => ({
    call,
    gold: gold[i] as AgentCall,
    schema: tools.get(call.name) as ToolSchema,
  }));
  if (pairs.some(({ call, schema }) => schema.required.some((key) => !Object.hasOwn(call.arguments, key)))) {
    return 'missing_required_parameter';
  }
  if (
    pairs.some(({ call, schema }) =>
      Object.keys(call.arguments).some((key) => !Object.hasOwn(schema.properties, key)),
    )
  ) {
    return 'unexpected_param';
  }
  const differs = pairs.some((pair) => {
    const { fp, fn } = countArguments(pair.gold.arguments, pair.call.arguments, pair.schema);
    return fp + fn > 0;
  });
  return differs ? 'value_error' : 'right_calls_wrong_answer';
}

export function summarizeErrors(samples: readonly SampleScore[]): Report['error_classes'] {
  const counts = Object.fromEntries(
    ERROR_CLASSES.map((name) => [name, 0]),
  ) as Report['error_classes']['counts'];
  const endings: Report['error_classes']['endings'] = {};
  const failed = samples.filter(({ outcome }) => outcome === 'fail' || outcome === 'unparseable');
  let n = 0;
  let without = 0;
  for (const { error_class, ended_by } of failed) {
    const end = ENDINGS.find((each) => each === ended_by);
    if (end !== undefined) endings[end] = (endings[end] ?? 0) + 1;
    else if (error_class === null) without++;
    else {
      counts[error_class]++;
      n++;
    }
  }
  return { n, counts, endings, without_trajectory: without };
}
