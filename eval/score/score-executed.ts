import { FORMULATIONS } from '../../contracts/formulations/registry.ts';
import type { SampleScore } from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Row } from '../../contracts/value.ts';
import { type CallElement, isCall } from '../calls/agent-call.ts';
import { asksEndpoints } from '../calls/asks-endpoints.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import type { Json } from '../json/lossless.ts';
import { checkExact, checkRealTime, checkRest, checkStructure } from '../metrics/bfcl/executable.ts';
import type { BfclVerdict } from '../metrics/bfcl/types.ts';
import type { FinalRows } from './final-rows.ts';

/**
 * BFCL's retired checks of executed calls, on a task of one call whose calls were carried out; null for others. A table
 * of one cell is that cell. Where several calls were made, the last that answered counts.
 */
export function scoreExecuted(
  sample: Sample,
  calls: readonly CallElement[],
  final: FinalRows,
  tools: ReadonlyMap<string, ToolSchema>,
): SampleScore['executed'] {
  const [gold, ...others] = sample.output;
  if (FORMULATIONS[sample.formulation].calls !== 'single' || gold === undefined || others.length > 0)
    return null;
  if (final.source === 'answer' || !asksEndpoints(sample)) return null;
  const [rows] = final.readings;
  const columns = tools.get(gold.name)?.columns ?? [];
  const expected = responseBody(sample.gold_answer, columns);
  const isRefused = final.refusals.length > 0 && final.refusals.every((refusal) => refusal !== null);
  if (rows === undefined || isRefused) {
    const failed = 'executable_checker:execution_error';
    const rest = text(checkRest({ status: 400, body: null }, expected));
    return { exact: failed, real_time: failed, structural: failed, rest };
  }
  const called = calls.filter(isCall).at(-1);
  const own = called === undefined ? columns : (tools.get(called.name)?.columns ?? columns);
  const [result, wanted] = [unwrapped(rows), unwrapped(sample.gold_answer)];
  return {
    exact: text(checkExact(result, wanted)),
    real_time: text(checkRealTime(result, wanted)),
    structural: text(checkStructure(result, wanted)),
    rest: text(checkRest({ status: 200, body: responseBody(rows, own) }, expected)),
  };
}

function unwrapped(rows: readonly Row[]): Json {
  const [row, ...others] = rows;
  const [cell] = row ?? [];
  return row?.length === 1 && others.length === 0 && cell !== undefined
    ? cell
    : rows.map((each) => [...each]);
}

/** The rows as an endpoint answers them. */
function responseBody(rows: readonly Row[], columns: readonly string[]): Json {
  return rows.map((row) =>
    Object.fromEntries(row.map((cell, i): [string, Json] => [columns[i] ?? String(i), cell])),
  );
}

function text(verdict: BfclVerdict): string {
  return verdict.valid ? 'ok' : verdict.errorType;
}
