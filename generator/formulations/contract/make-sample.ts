import type { Verdict } from '../../../contracts/coverage.ts';
import type { Formulation, Sample } from '../../../contracts/sample.ts';
import type { Question } from '../../../contracts/split.ts';
import type { Candidate } from '../../lower/candidate.ts';
import type { Proof, Refutation } from '../../verify/verify-candidate.ts';

/** The sample of a proven candidate. */
export function makeSample(
  candidate: Candidate,
  proof: Proof,
  { split, toolset }: { readonly split: string; readonly toolset: Sample['toolset'] },
): Sample {
  const { question, formulation } = candidate;
  const { gold } = proof;
  return {
    sample_id: `${split}/${question.db_id}/${question.question_id}/${formulation}`,
    dataset_name: question.db_id,
    question_id: question.question_id,
    formulation,
    input: question.question,
    evidence: question.evidence,
    difficulty: question.difficulty,
    query: question.sql,
    gold_answer: gold.rows.map((row) => [...row]),
    gold_columns: [...gold.columns],
    ordered: gold.orderGroups !== null,
    order_groups: gold.orderGroups === null ? null : [...gold.orderGroups],
    ...proof.ties,
    initialization_step: candidate.initialization_step,
    output: [...candidate.output],
    output_after_executing_api: proof.body,
    toolset,
    flags: [...proof.flags],
    ...(question.origin ? { origin: question.origin } : {}),
    ...(question.canary ? { canary: question.canary } : {}),
    ...(question.augmentation ? { augmentation: question.augmentation } : {}),
    ...(question.correction ? { correction: question.correction } : {}),
  };
}

/** The outcome of a question in one formulation. */
export function makeVerdict(
  question: Question,
  formulation: Formulation,
  outcome: Pick<Proof, 'kept' | 'flags'> | Pick<Refutation, 'kept' | 'rejection' | 'flags'>,
  facts: Pick<Verdict, 'constructs' | 'calls' | 'tools'>,
): Verdict {
  return {
    question_id: question.question_id,
    db: question.db_id,
    formulation,
    kept: outcome.kept,
    rejection: outcome.kept ? null : outcome.rejection,
    flags: [...outcome.flags],
    constructs: facts.constructs,
    calls: outcome.kept ? facts.calls : 0,
    tools: outcome.kept ? facts.tools : 0,
  };
}

/** The part of a verdict about calls, for a question that has none. */
export const NOTHING_MADE: Pick<Verdict, 'constructs' | 'calls' | 'tools'> = {
  constructs: [],
  calls: 0,
  tools: 0,
};
