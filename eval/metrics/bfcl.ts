import type { Row } from '../../contracts/catalog.ts';
import { FORMULATIONS } from '../../contracts/formulations/registry.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { FinalRows } from '../attempt/final-rows.ts';
import { checkBfcl, checkBfclFixed, toBfclAnswer, toBfclFunction } from '../bfcl/check.ts';
import { type BfclVerdict, invalid, VALID } from '../bfcl/convert.ts';
import { type AgentCall, asksEndpoints, type CallElement, isCall, isMalformed } from '../calls/agent-call.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import { isNumber, isObject, type Json, numberValue } from '../json/lossless.ts';
import { pythonEquals, pythonType } from '../json/python.ts';
import type { SampleScore } from './report.ts';

/**
 * The checks of executed calls that BFCL retired with its executable categories: they need APIs that answer the same
 * every time, which a farm does. Error types as BFCL had them.
 *
 * Source: `eval_checker/executable_eval/executable_checker.py` of ShishirPatil/gorilla, before April 2025.
 */

/** `exact_match`: the result is the expected one, to Python. */
export function checkExact(result: Json, expected: Json): BfclVerdict {
  return pythonEquals(result, expected) ? VALID : invalid('executable_checker:wrong_result');
}

/** `real_time_match`: both are numbers, and at most a fifth of the expected one lies between them. A negative one never matches. */
export function checkRealTime(result: Json, expected: Json): BfclVerdict {
  if (!isNumber(result) || !isNumber(expected)) return invalid('executable_checker:wrong_result_real_time');
  const [value, gold] = [Number(numberValue(result)), Number(numberValue(expected))];
  const isNear = gold * (1 - TOLERANCE) <= value && value <= gold * (1 + TOLERANCE);
  return isNear ? VALID : invalid('executable_checker:wrong_result_real_time');
}

/** `structural_match`: the same type; of a list the same length, of a dictionary the same keys. */
export function checkStructure(result: Json, expected: Json): BfclVerdict {
  if (pythonType(result) !== pythonType(expected)) return invalid('executable_checker:wrong_result_type');
  if (Array.isArray(result) && Array.isArray(expected) && result.length !== expected.length)
    return invalid('executable_checker:wrong_result_type:list_length');
  if (!isObject(result) || !isObject(expected)) return VALID;
  if (!hasKeysOf(result, expected)) return invalid('executable_checker:wrong_result_type:dict_key_not_found');
  return hasKeysOf(expected, result) ? VALID : invalid('executable_checker:wrong_result_type:dict_extra_key');
}

/** A response: its status, and its JSON body. */
export interface ExecutedResponse {
  readonly status: number;
  readonly body: Json;
}

/** The `rest` category: status 200; the same type; of a dictionary the same keys; of a list as many with the same keys. */
export function checkRest({ status, body }: ExecutedResponse, expected: Json): BfclVerdict {
  if (status !== 200) return invalid('executable_checker_rest:wrong_status_code');
  if (isObject(expected) && isObject(body)) return hasSameKeys(body, expected) ? VALID : WRONG_KEY;
  if (!Array.isArray(expected) || !Array.isArray(body)) return invalid('executable_checker_rest:wrong_type');
  if (body.length !== expected.length) return invalid('value_error:exec_result_rest_count');
  return expected.every((item, i) => hasSameKeys(body[i] as Json, item)) ? VALID : WRONG_KEY;
}

function hasSameKeys(a: Json, b: Json): boolean {
  return isObject(a) && isObject(b) && hasKeysOf(a, b) && hasKeysOf(b, a);
}

/** Whether the first has every key of the second. */
function hasKeysOf(a: object, b: object): boolean {
  return Object.keys(b).every((key) => Object.hasOwn(a, key));
}

const TOLERANCE = 0.2;
const WRONG_KEY = invalid('executable_checker_rest:wrong_key');

/** BFCL scores calls that do not depend on each other; chains of labelled results have no place in its format. */
export function scoreBfcl(
  sample: Sample,
  calls: readonly CallElement[] | null,
  gold: readonly AgentCall[],
  tools: ReadonlyMap<string, ToolSchema>,
): SampleScore['bfcl'] {
  if (FORMULATIONS[sample.formulation].calls !== 'single' || gold.length === 0) return null;
  // Its checker knows no objects in arguments.
  if (!asksEndpoints(sample)) return null;
  const due = gold.flatMap((call) => {
    const tool = tools.get(call.name);
    return tool === undefined ? [] : [{ call, tool }];
  });
  if (due.length < gold.length) return null;
  const undecodable =
    calls === null ? 'decoder_failed' : calls.some(isMalformed) ? 'decoder_wrong_output_format' : null;
  if (undecodable !== null)
    return { faithful: `ast_decoder:${undecodable}`, fixed: `ast_decoder:${undecodable}` };
  const input = {
    functions: due.map(({ call, tool }) => toBfclFunction(call.name, tool)),
    calls: (calls ?? []).filter(isCall),
    answers: due.map(({ call, tool }) => toBfclAnswer(call, tool)),
    category: due.length > 1 ? ('parallel' as const) : ('multiple' as const),
  };
  return { faithful: verdictText(checkBfcl(input)), fixed: verdictText(checkBfclFixed(input)) };
}

function verdictText(verdict: BfclVerdict): string {
  return verdict.valid ? 'ok' : verdict.errorType;
}

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
