import type { Sample } from '../../contracts/sample.ts';
import type { Question, Unanswerable, UnanswerableQuestion } from '../../contracts/split.ts';

/** `hybrid` and `records` have tasks of their own making. */
export const TAKEN = ['rest', 'slot', 'sel', 'query'] as const;

/** A question without one answer, with the formulation, the tools and the start tables of another sample. */
export function sampleWithoutAnswer(
  { question_id, db_id, question, evidence, canary }: Question | UnanswerableQuestion,
  unanswerable: Unanswerable,
  { formulation, initialization_step, toolset }: Sample,
  sample_id: string,
): Sample {
  return {
    sample_id,
    dataset_name: db_id,
    question_id,
    formulation,
    input: question,
    evidence,
    difficulty: null,
    query: '',
    gold_answer: [],
    gold_columns: [],
    ordered: false,
    order_groups: null,
    initialization_step,
    output: [],
    output_after_executing_api: null,
    toolset,
    flags: [],
    ...(canary ? { canary } : {}),
    unanswerable,
  };
}
