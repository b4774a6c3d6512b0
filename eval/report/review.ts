import { stringify } from 'lossless-json';
import type { Cell, Row } from '../../contracts/catalog.ts';
import type { ReviewedCall, SampleReview } from '../../contracts/judgement.ts';
import type { RecordChange } from '../../contracts/records.ts';
import { ENDINGS, failureClass } from '../../contracts/vocabulary.ts';
import {
  type AgentCall,
  alignNames,
  type CallElement,
  isCall,
  isMalformed,
  namesOf,
  pairByName,
  replaceReferences,
  toCallElement,
} from '../calls/calls.ts';
import { sameValue } from '../calls/tool-universe.ts';
import { isNumber, type Json, numberValue } from '../json/lossless.ts';
import type { TurnFacts } from '../metrics/dialogues.ts';
import type { ArgumentFault } from '../metrics/failures.ts';
import { flatMetrics, METRICS } from '../metrics/metrics.ts';
import type { ErrorClass, Report, TranscriptCall } from '../metrics/report.ts';

type Sample = Report['samples'][number];

/**
 * An attempt beside its gold, for the console and the report page. Without `gold`, neither the gold is
 * included nor anything that reveals it: which calls are right, or why others are not.
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
    parts: gold ? reviewParts(sample) : [],
    turns: [],
    raw_output: shown.raw_output,
    sql: shown.sql,
    rows: shown.predicted_rows?.map(exactRow) ?? null,
    row_count: shown.predicted_row_count,
    source: shown.source,
    note: shown.note,
    scores: scoreTexts(sample, gold),
    changes: reviewChanges(shown.changes, gold),
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

function reviewParts({ parts, shown }: Sample): SampleReview['parts'] {
  const questions = shown.question.split(/^\d+\. /m).slice(1);
  return (parts ?? []).map(({ expects, passes, dialogue }) => ({
    question: expects === 'answer' ? (questions.shift() ?? '').trim() : 'Nothing can be called.',
    passes,
    facts: dialogue ? turnTexts(dialogue) : [],
  }));
}

function turnTexts({ edit, memory_error, missing, asked, in_vain, not_understood }: TurnFacts): string[] {
  const times = (what: string, n: number) => (n === 0 ? [] : [`${what}: ${n}`]);
  return [
    edit.replaceAll('_', ' '),
    ...(memory_error ? ['gave the answer of an earlier turn'] : []),
    ...(missing ? [asked ? 'asked for what was left out' : 'did not ask for what was left out'] : []),
    ...times('questions in vain', in_vain),
    ...times('questions not understood', not_understood),
  ];
}

function reviewChanges(changes: Sample['shown']['changes'], gold: boolean): SampleReview['changes'] {
  if (changes === null) return null;
  const exact = (diff: readonly RecordChange[]) =>
    diff.map(({ table, key, before, after }) => ({
      table,
      key: exactValues(key),
      before: before && exactValues(before),
      after: after && exactValues(after),
    }));
  return {
    made: exact(changes.made),
    gold: gold ? exact(changes.gold) : null,
    faults: gold ? changes.faults.map((fault) => ({ ...fault, key: exactValues(fault.key) })) : [],
  };
}

function exactValues(values: RecordChange['key']): RecordChange['key'] {
  return Object.fromEntries(Object.entries(values).map(([name, cell]) => [name, exactCell(cell)]));
}

function exactRow(row: Row): Row {
  return row.map(exactCell);
}

/** A browser would round 64-bit integers. */
function exactCell(cell: Cell): Cell {
  const value = isNumber(cell) ? numberValue(cell) : cell;
  return typeof value === 'bigint' ? String(value) : value;
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
  const goldScores: Text[] = [
    ['intent, prefix', sample.intent && f1(sample.intent.prefix)],
    ['slots, canonical', sample.slot && `${f1(sample.slot.canonical)}, ${sample.slot.pairs} pairs`],
    ['slots, raw', sample.slot && f1(sample.slot.raw)],
    ...flatMetrics(METRICS).flatMap(([, { kind, of, reviewed }]): Text[] =>
      kind === 'share' && reviewed !== undefined ? [[reviewed, of(sample)]] : [],
    ),
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
  return [...(gold ? goldScores : []), ...ofItself].flatMap(([name, value]): [string, string][] =>
    value == null ? [] : [[name, typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)]],
  );
}

type Line = SampleReview['lines'][number];

/**
 * Gold calls beside predicted calls, line by line. `faults` are the argument differences found by scoring,
 * for the calls that it pairs; other calls are compared as text.
 */
function callLines(
  gold: readonly Json[],
  predicted: readonly Json[] | null,
  faults: readonly ArgumentFault[],
): Line[] {
  const goldElements = gold.map(toCallElement);
  const elements = (predicted ?? []).map(toCallElement);
  const goldNames = namesOf(goldElements);
  const names = namesOf(elements);
  const goldArgs = canonicalArguments(goldElements);
  const args = canonicalArguments(elements);
  const paired = new Map(pairByName(goldNames, names));
  return alignNames(goldNames, names).map(([g, p]) => {
    const alone = g === null || p === null;
    const differs = (key: string) => {
      if (alone || predicted === null) return false;
      if (paired.get(g) === p) return faults.some(({ call, argument }) => call === g && argument === key);
      return !sameArgument(goldArgs[g], args[p], key);
    };
    const show = (element: CallElement) => reviewCall(element, alone && predicted !== null, differs);
    return {
      gold: g === null ? null : show(goldElements[g] as CallElement),
      predicted: p === null ? null : show(elements[p] as CallElement),
    };
  });
}

/** Index of the first line whose sides differ; null if none does. */
function firstDifference(lines: readonly Line[]): number | null {
  const at = lines.findIndex(
    ({ gold, predicted }) => gold === null || predicted === null || isDifferent(gold, predicted),
  );
  return at < 0 ? null : at;
}

function isDifferent(...sides: readonly ReviewedCall[]): boolean {
  return sides.some((call) => call.alone || call.arguments.some(({ differs }) => differs));
}

/** The calls, without any hint whether they are right. */
function plainLines(predicted: readonly Json[] | null): Line[] {
  return (predicted ?? []).map(toCallElement).map((element) => ({
    gold: null,
    predicted: reviewCall(element, false, () => false),
  }));
}

function reviewCall(element: CallElement, alone: boolean, differs: (key: string) => boolean): ReviewedCall {
  if (isMalformed(element))
    return { name: jsonText(element.malformed), label: '', alone: true, arguments: [] };
  return {
    name: element.name,
    label: element.label ?? '',
    alone,
    arguments: Object.entries(element.arguments).map(([name, value]) => ({
      name,
      value: jsonText(value),
      differs: differs(name),
    })),
  };
}

/** The arguments with references replaced, so that different labels for the same result are not a difference. */
function canonicalArguments(elements: readonly CallElement[]): (AgentCall['arguments'] | undefined)[] {
  const names = { startLabels: [], startHandles: new Map(), handles: [] };
  const canonical = replaceReferences(elements.filter(isCall), names);
  let next = 0;
  return elements.map((element) => (isCall(element) ? canonical[next++]?.arguments : undefined));
}

function sameArgument(
  a: AgentCall['arguments'] | undefined,
  b: AgentCall['arguments'] | undefined,
  key: string,
): boolean {
  if (a === undefined || b === undefined || !Object.hasOwn(a, key) || !Object.hasOwn(b, key)) return false;
  return sameValue(a[key] as Json, b[key] as Json);
}

function jsonText(value: Json): string {
  return stringify(value) ?? '';
}

/** Why a sample failed, in sentences: its error class, then where it first differs from the gold. Empty for a pass. */
function whyFailed(sample: Sample): string[] {
  if (sample.outcome === 'pass') return [];
  const { error_class, confusions, argument_faults, shown } = sample;
  // Faults in a task's changes are shown separately.
  const isOfChanges = shown.changes !== null && error_class === 'right_calls_wrong_answer';
  const end = ENDINGS.find((each) => each === sample.ended_by);
  return [
    ...(error_class === null || isOfChanges ? [] : [CLASSES[error_class]]),
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
