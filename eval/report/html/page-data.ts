import type { Report } from '../../../contracts/report.ts';
import type { ReviewedCall, SampleReview } from '../../../contracts/sample-review.ts';
import { reviewSample } from '../../review/review-sample.ts';

/** A call as the page shows it: arguments as JSON text, each marked if the other side differs. */
interface ShownCall {
  readonly name: string;
  readonly label: string;
  readonly wrong: boolean;
  readonly args: readonly (readonly [key: string, value: string, differs: 0 | 1])[];
}

/** One sample as the page's script reads it. */
export function pageSample(sample: Report['samples'][number]) {
  const review = reviewSample(sample, { gold: true });
  return {
    id: sample.epoch === 1 ? sample.sample_id : `${sample.sample_id}#${sample.epoch}`,
    outcome: review.outcome,
    withheld: review.withheld,
    formulation: review.formulation,
    db: review.db,
    difficulty: review.difficulty ?? '',
    error: review.error_class ?? '',
    constructs: review.constructs,
    flags: review.flags,
    question: review.question,
    evidence: review.evidence,
    query: review.gold?.query ?? '',
    goldCalls: review.gold_calls,
    calls: review.calls,
    lines: review.lines.map(({ gold, predicted }) => [showCall(gold), showCall(predicted)] as const),
    parsed: review.parsed,
    transcript: review.transcript.map(transcriptLine),
    raw: review.raw_output ?? '',
    sql: review.sql ?? '',
    goldRows: review.gold?.rows ?? [],
    goldRowCount: review.gold?.row_count ?? 0,
    ordered: review.gold?.ordered ?? false,
    rows: review.rows,
    rowCount: review.row_count,
    source: review.source ?? '',
    note: review.note ?? '',
    scores: review.scores,
  };
}

function showCall(call: ReviewedCall | null): ShownCall | null {
  if (call === null) return null;
  const { name, label, alone, arguments: args } = call;
  return { name, label, wrong: alone, args: args.map((arg) => [arg.name, arg.value, arg.differs ? 1 : 0]) };
}

function transcriptLine(step: SampleReview['transcript'][number]): string[] {
  const { call, status, code, handle, rows, latency_ms, error } = step;
  return [
    call,
    status === null ? '' : String(status),
    code ?? '',
    handle ?? '',
    rows === null ? '' : String(rows),
    latency_ms === null ? '' : `${latency_ms} ms`,
    error ?? '',
  ];
}
