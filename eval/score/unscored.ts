import type { SampleScore } from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { GoldFacts } from '../farm/read-farm.ts';
import { goldKindOf } from './gold-kind.ts';

/** A sample that was not scored: `not_run`, with null for every metric. */
export function unscored(sample: Sample, { constructs, findings }: GoldFacts, epoch = 1): SampleScore {
  return {
    sample_id: sample.sample_id,
    db: sample.dataset_name,
    formulation: sample.formulation,
    question_id: sample.question_id,
    difficulty: sample.difficulty,
    constructs: [...constructs],
    findings: [...findings],
    flags: sample.flags,
    gold_calls: sample.output.length,
    gold_kind: goldKindOf(sample),
    epoch,
    withheld: false,
    outcome: 'not_run',
    passes_strictly: null,
    error_class: null,
    rung: null,
    strict: null,
    relevance: null,
    confusions: [],
    argument_faults: [],
    intent: null,
    slot: null,
    execution: null,
    exact_string: null,
    bfcl: null,
    executed: null,
    silent_faults: null,
    query: null,
    hybrid: null,
    parts: null,
    ended_by: null,
    out_of_budget: null,
    stuck_name: null,
    stuck_exact: null,
    unclassified: null,
    calls: null,
    redundant_calls: null,
    loops: null,
    latency_s: null,
    input_tokens: null,
    output_tokens: null,
    cached_tokens: null,
    reasoning_tokens: null,
    cost: null,
  };
}
