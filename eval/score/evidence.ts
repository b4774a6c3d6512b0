import type { Cell, Row } from '../../contracts/catalog.ts';
import type { Prediction } from '../../contracts/prediction.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { FinalRows } from '../attempt/final-rows.ts';
import { type CallElement, isMalformed } from '../calls/agent-call.ts';
import type { Evidence, TranscriptCall } from '../metrics/report.ts';

/** The calls of an attempt in order, with observations of the run or else of its replay. */
export function transcriptOf(
  elements: readonly CallElement[] | null,
  replayed: Pick<FinalRows, 'handles' | 'refusals'> | null,
): TranscriptCall[] {
  return (elements ?? []).map((element, i) => {
    if (isMalformed(element)) {
      return { name: null, arguments: element.malformed, label: null, handle: null, error: null };
    }
    const { name, arguments: args, label, handle, seen } = element;
    return {
      ...seen,
      name,
      arguments: args,
      label,
      handle: handle ?? replayed?.handles[i] ?? null,
      error: replayed?.refusals[i] ?? null,
    };
  });
}

/** Maximum rows shown of a result; its count is exact. */
const MOST_ROWS = 20;
const LONGEST_CELL = 300;
const LONGEST_NOTE = 2000;
const LONGEST_OUTPUT = 20_000;

export interface ShownParts {
  readonly prediction?: Prediction;
  readonly calls?: readonly CallElement[] | null;
  readonly final?: FinalRows;
  readonly note?: string | null;
}

export function showSample(
  sample: Sample,
  { prediction, calls = null, final, note = null }: ShownParts = {},
): Evidence {
  const rows = final?.readings[0] ?? null;
  const text = note ?? final?.note ?? null;
  const written = prediction?.raw_output ?? null;
  return {
    question: sample.input,
    evidence: sample.evidence,
    query: sample.query,
    gold_calls: sample.output,
    gold_rows: shownRows(sample.gold_answer),
    gold_row_count: sample.gold_answer.length,
    ordered: sample.ordered,
    predicted_calls: calls?.map(showCall) ?? null,
    predicted_rows: rows === null ? null : shownRows(rows),
    predicted_row_count: rows?.length ?? null,
    transcript: transcriptOf(calls, final ?? null),
    raw_output: written === null ? null : shorten(written, LONGEST_OUTPUT),
    sql: prediction?.sql ?? null,
    source: final?.source ?? null,
    note: text === null ? null : shorten(text, LONGEST_NOTE),
  };
}

function showCall(element: CallElement): unknown {
  if (isMalformed(element)) return element.malformed;
  const { name, arguments: args, label } = element;
  return label === null ? { name, arguments: args } : { name, arguments: args, label };
}

function shownRows(rows: readonly Row[]): Row[] {
  return rows.slice(0, MOST_ROWS).map((row) => row.map(shownCell));
}

function shownCell(cell: Cell): Cell {
  if (typeof cell === 'string') return shorten(cell, LONGEST_CELL);
  // An answer may be 1e400, i.e. infinite, which JSON cannot represent.
  return typeof cell === 'number' && !Number.isFinite(cell) ? String(cell) : cell;
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
