import { failureClass } from '../../contracts/error-classes.ts';
import type { Report, TranscriptCall } from '../../contracts/report.ts';
import type { SampleReview } from '../../contracts/sample-review.ts';
import type { Row } from '../../contracts/value.ts';
import { isNumber, type Json, numberValue } from '../json/lossless.ts';
import { callLines, firstDifference, jsonText, plainLines } from './call-lines.ts';
import { whyFailed } from './why-failed.ts';

type Sample = Report['samples'][number];

/**
 * An attempt beside its gold, as the console and the report page show it. Without `gold`, nothing of the gold is told, nor what would
 * give it away: neither which calls are right nor why others are not.
 */
export function reviewSample(sample: Sample, { gold }: { readonly gold: boolean }): SampleReview {
  const { shown } = sample;
  const predicted = shown.predicted_calls as Json[] | null;
  const lines = gold
    ? callLines(shown.gold_calls as Json[], predicted, sample.argument_faults)
    : plainLines(predicted);
  return {
    sample_id: sample.sample_id,
    epoch: sample.epoch,
    db: sample.db,
    formulation: sample.formulation,
    difficulty: sample.difficulty,
    outcome: sample.outcome,
    failed_by: failureClass(sample),
    withheld: sample.withheld,
    question: shown.question,
    evidence: shown.evidence,
    constructs: sample.constructs,
    flags: sample.flags,
    gold_calls: sample.gold_calls,
    calls: sample.calls,
    lines,
    first_difference: gold && predicted !== null && sample.outcome !== 'pass' ? firstDifference(lines) : null,
    why: gold ? whyFailed(sample) : [],
    parsed: predicted !== null,
    transcript: shown.transcript.some(isSeen) ? shown.transcript.map(reviewStep) : [],
    raw_output: shown.raw_output,
    sql: shown.sql,
    rows: shown.predicted_rows?.map(exactRow) ?? null,
    row_count: shown.predicted_row_count,
    source: shown.source,
    note: shown.note,
    scores: scoreTexts(sample, gold),
    gold: gold
      ? {
          query: shown.query,
          rows: shown.gold_rows.map(exactRow),
          row_count: shown.gold_row_count,
          ordered: shown.ordered,
        }
      : null,
  };
}

/** A browser would round an integer of 64 bits. */
function exactRow(row: Row): Row {
  return row.map((cell) => {
    const value = isNumber(cell) ? numberValue(cell) : cell;
    return typeof value === 'bigint' ? String(value) : value;
  });
}

/** Whether a call has any details. */
function isSeen({ handle, status, latency_ms, error }: TranscriptCall): boolean {
  return handle !== null || status != null || latency_ms != null || error !== null;
}

function reviewStep(call: TranscriptCall): SampleReview['transcript'][number] {
  const { name, handle, status, code, rows, latency_ms, fault, error } = call;
  return {
    call: name ?? jsonText(call.arguments as Json),
    status: status ?? null,
    code: code ?? null,
    handle,
    rows: rows ?? null,
    latency_ms: latency_ms ?? null,
    fault: fault ?? null,
    error,
  };
}

function scoreTexts(sample: Sample, gold: boolean): [string, string][] {
  const f1 = ([tp, fp, fn]: readonly [number, number, number]) => `TP ${tp}, FP ${fp}, FN ${fn}`;
  type Text = [string, string | number | boolean | null | undefined];
  const besideGold: Text[] = [
    ['intent, prefix', sample.intent && f1(sample.intent.prefix)],
    ['slots, canonical', sample.slot && `${f1(sample.slot.canonical)}, ${sample.slot.pairs} pairs`],
    ['slots, raw', sample.slot && f1(sample.slot.raw)],
    ['execution accuracy', sample.execution],
    ['exact string', sample.exact_string],
    ['BFCL AST', sample.bfcl?.faithful],
    ['BFCL AST, fixed', sample.bfcl?.fixed],
    ['relevance', sample.relevance],
    ['silent faults met', sample.silent_faults?.met.join(', ')],
    ['silent fault noticed', sample.silent_faults?.noticed],
  ];
  const ofItself: Text[] = [
    ['parsed as', sample.rung],
    ['loops', sample.loops],
    ['redundant calls', sample.redundant_calls],
    ['attempt', sample.epoch === 1 ? null : sample.epoch],
    ['latency, s', sample.latency_s],
    ['input tokens', sample.input_tokens],
    ['output tokens', sample.output_tokens],
    ['cost', sample.cost],
  ];
  return [...(gold ? besideGold : []), ...ofItself].flatMap(([name, value]): [string, string][] =>
    value == null ? [] : [[name, textOfScore(value)]],
  );
}

function textOfScore(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
