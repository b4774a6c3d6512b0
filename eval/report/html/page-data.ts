import { stringify } from 'lossless-json';
import type { Report, TranscriptCall } from '../../../contracts/report.ts';
import type { Row } from '../../../contracts/value.ts';
import {
  type AgentCall,
  type CallElement,
  isCall,
  isMalformed,
  namesOf,
  toCallElement,
} from '../../calls/agent-call.ts';
import { alignNames } from '../../calls/align-names.ts';
import { replaceReferences } from '../../calls/references.ts';
import { sameValue } from '../../calls/same-value.ts';
import type { Json } from '../../json/lossless.ts';

type Sample = Report['samples'][number];

/** A call as the page shows it: arguments as JSON text, each marked if the other side differs. */
interface ShownCall {
  readonly name: string;
  readonly label: string;
  readonly wrong: boolean;
  readonly args: readonly (readonly [key: string, value: string, differs: 0 | 1])[];
}

/** One sample as the page's script reads it. */
export function pageSample(sample: Sample) {
  const { shown, ...scores } = sample;
  return {
    id: sample.epoch === 1 ? sample.sample_id : `${sample.sample_id}#${sample.epoch}`,
    outcome: sample.outcome,
    withheld: sample.withheld,
    formulation: sample.formulation,
    db: sample.db,
    difficulty: sample.difficulty ?? '',
    error: sample.error_class ?? '',
    constructs: sample.constructs,
    flags: sample.flags,
    question: shown.question,
    evidence: shown.evidence,
    query: shown.query,
    goldCalls: sample.gold_calls,
    calls: scores.calls,
    lines: callLines(shown.gold_calls as Json[], shown.predicted_calls as Json[] | null),
    parsed: shown.predicted_calls !== null,
    transcript: shown.transcript.some(isSeen) ? shown.transcript.map(transcriptLine) : [],
    raw: shown.raw_output ?? '',
    sql: shown.sql ?? '',
    goldRows: shown.gold_rows.map(pageRow),
    goldRowCount: shown.gold_row_count,
    ordered: shown.ordered,
    rows: shown.predicted_rows?.map(pageRow) ?? null,
    rowCount: shown.predicted_row_count,
    source: shown.source ?? '',
    note: shown.note ?? '',
    scores: scoreTexts(sample),
  };
}

/** A page's script would round an integer of 64 bits. */
function pageRow(row: Row): Row {
  return row.map((cell) => (typeof cell === 'bigint' ? String(cell) : cell));
}

/** Whether a call has any details. */
function isSeen({ handle, status, latency_ms, error }: TranscriptCall): boolean {
  return handle !== null || status != null || latency_ms != null || error !== null;
}

function transcriptLine(call: TranscriptCall): string[] {
  const { name, handle, status, code, rows, latency_ms, error } = call;
  return [
    name ?? textOf(call.arguments as Json),
    status == null ? '' : String(status),
    code ?? '',
    handle ?? '',
    rows == null ? '' : String(rows),
    latency_ms == null ? '' : `${latency_ms} ms`,
    error ?? '',
  ];
}

/** Gold calls beside predicted calls, line by line. */
function callLines(
  gold: readonly Json[],
  predicted: readonly Json[] | null,
): [ShownCall | null, ShownCall | null][] {
  const goldElements = gold.map(toCallElement);
  const elements = (predicted ?? []).map(toCallElement);
  const goldArgs = canonicalArguments(goldElements);
  const args = canonicalArguments(elements);
  return alignNames(namesOf(goldElements), namesOf(elements)).map(([g, p]) => {
    const alone = g === null || p === null;
    const differs = (key: string) => alone || !sameArgument(goldArgs[g], args[p], key);
    const show = (element: CallElement) =>
      showCall(element, alone, predicted === null ? () => false : differs);
    return [
      g === null ? null : show(goldElements[g] as CallElement),
      p === null ? null : show(elements[p] as CallElement),
    ];
  });
}

function showCall(element: CallElement, alone: boolean, differs: (key: string) => boolean): ShownCall {
  if (isMalformed(element)) return { name: textOf(element.malformed), label: '', wrong: true, args: [] };
  const args = Object.entries(element.arguments).map(([key, value]): ShownCall['args'][number] => [
    key,
    textOf(value),
    differs(key) ? 1 : 0,
  ]);
  return { name: element.name, label: element.label ?? '', wrong: alone, args };
}

/** References replaced, so that other labels for the same result are not a difference. */
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

function scoreTexts(sample: Sample): [string, string][] {
  const f1 = ([tp, fp, fn]: readonly [number, number, number]) => `TP ${tp}, FP ${fp}, FN ${fn}`;
  const texts: [string, string | number | boolean | null | undefined][] = [
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
    ['parsed as', sample.rung],
    ['loops', sample.loops],
    ['redundant calls', sample.redundant_calls],
    ['attempt', sample.epoch === 1 ? null : sample.epoch],
    ['latency, s', sample.latency_s],
    ['input tokens', sample.input_tokens],
    ['output tokens', sample.output_tokens],
    ['cost', sample.cost],
  ];
  return texts.flatMap(([name, value]): [string, string][] =>
    value == null ? [] : [[name, textOfScore(value)]],
  );
}

function textOfScore(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

function textOf(value: Json): string {
  return stringify(value) ?? '';
}
