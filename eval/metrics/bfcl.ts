import type { Row } from '../../contracts/catalog.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { FinalRows } from '../attempt/attempt.ts';
import { checkBfcl, checkBfclFixed, type SameArgument, toBfclAnswer, toBfclFunction } from '../bfcl/check.ts';
import { type BfclVerdict, invalid, VALID } from '../bfcl/convert.ts';
import { type AgentCall, asksEndpoints, type CallElement, isCall, isMalformed } from '../calls/calls.ts';
import { sameValue, type ToolSchema, wireOf } from '../calls/tool-universe.ts';
import { isNumber, isObject, type Json, type JsonObject, numberText, numberValue } from '../json/lossless.ts';
import { pythonEquals, pythonType } from '../json/python.ts';
import type { SampleScore } from './report.ts';

/**
 * The checks of executed calls that BFCL retired with its executable categories: they need APIs with
 * reproducible responses, as a farm's are. Error types are BFCL's.
 *
 * Source: `eval_checker/executable_eval/executable_checker.py` of ShishirPatil/gorilla, before April 2025.
 */

/** `exact_match`: equal in Python. */
export function checkExact(result: Json, expected: Json): BfclVerdict {
  return pythonEquals(result, expected) ? VALID : invalid('executable_checker:wrong_result');
}

/** `real_time_match`: both are numbers that differ by at most 20 % of the expected one, which is positive. */
export function checkRealTime(result: Json, expected: Json): BfclVerdict {
  if (!isNumber(result) || !isNumber(expected)) return invalid('executable_checker:wrong_result_real_time');
  const [value, gold] = [Number(numberValue(result)), Number(numberValue(expected))];
  const isNear = gold * (1 - TOLERANCE) <= value && value <= gold * (1 + TOLERANCE);
  return isNear ? VALID : invalid('executable_checker:wrong_result_real_time');
}

/** `structural_match`: the same type; for a list the same length, for a dictionary the same keys. */
export function checkStructure(result: Json, expected: Json): BfclVerdict {
  if (pythonType(result) !== pythonType(expected)) return invalid('executable_checker:wrong_result_type');
  if (Array.isArray(result) && Array.isArray(expected) && result.length !== expected.length)
    return invalid('executable_checker:wrong_result_type:list_length');
  if (!isObject(result) || !isObject(expected)) return VALID;
  if (!hasKeysOf(result, expected)) return invalid('executable_checker:wrong_result_type:dict_key_not_found');
  return hasKeysOf(expected, result) ? VALID : invalid('executable_checker:wrong_result_type:dict_extra_key');
}

export interface ExecutedResponse {
  readonly status: number;
  readonly body: Json;
}

/** The `rest` category: status 200 and the same type, with equal keys (for a list, of its elements). */
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

function hasKeysOf(a: object, b: object): boolean {
  return Object.keys(b).every((key) => Object.hasOwn(a, key));
}

const TOLERANCE = 0.2;
const WRONG_KEY = invalid('executable_checker_rest:wrong_key');

/** The BFCL check of calls that are due for these samples; null for chains, since BFCL scores independent calls only. */
export function scoreBfcl(
  samples: readonly Sample[],
  calls: readonly CallElement[] | null,
  tools: ReadonlyMap<string, ToolSchema>,
): SampleScore['bfcl'] {
  if (samples.some(({ formulation }) => FORMULATIONS[formulation].calls !== 'single')) return null;
  // BFCL's checker does not support objects as arguments.
  if (!samples.every(asksEndpoints)) return null;
  const golds = samples.flatMap(({ output, accepted_values }) =>
    output.map(({ name, arguments: args }) => ({
      call: { name, arguments: args as JsonObject, label: null },
      accepted: accepted_values as Record<string, Json[]> | undefined,
    })),
  );
  const due = golds.flatMap((gold) => {
    const tool = tools.get(gold.call.name);
    return tool === undefined ? [] : [{ ...gold, tool }];
  });
  if (due.length < golds.length || due.length === 0) return null;
  const undecodable =
    calls === null ? 'decoder_failed' : calls.some(isMalformed) ? 'decoder_wrong_output_format' : null;
  if (undecodable !== null)
    return { faithful: `ast_decoder:${undecodable}`, fixed: `ast_decoder:${undecodable}` };
  const input = {
    functions: due.map(({ call, tool }) => toBfclFunction(call.name, tool)),
    calls: (calls ?? []).filter(isCall),
    answers: due.map(({ call, tool, accepted }) => toBfclAnswer(call, tool, accepted)),
    category: due.length > 1 ? ('parallel' as const) : ('multiple' as const),
  };
  const isSame: SameArgument = (name, parameter, a, b) => {
    const tool = tools.get(name);
    return sameValue(a, b, tool?.properties[parameter], wireOf(tool));
  };
  return { faithful: verdictText(checkBfcl(input)), fixed: verdictText(checkBfclFixed(input, isSame)) };
}

function verdictText(verdict: BfclVerdict): string {
  return verdict.valid ? 'ok' : verdict.errorType;
}

/**
 * BFCL's retired checks of executed calls, for tasks of one call whose calls were executed; null for others.
 * A table with one cell is compared as that cell. If several calls were made, the last successful one counts.
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
    const rest = verdictText(checkRest({ status: 400, body: null }, expected));
    return { exact: failed, real_time: failed, structural: failed, rest };
  }
  const called = calls.filter(isCall).at(-1);
  const own = called === undefined ? columns : (tools.get(called.name)?.columns ?? columns);
  const [result, wanted] = [unwrapped(rows), unwrapped(sample.gold_answer)];
  return {
    exact: verdictText(checkExact(result, wanted)),
    real_time: verdictText(checkRealTime(result, wanted)),
    structural: verdictText(checkStructure(result, wanted)),
    rest: verdictText(checkRest({ status: 200, body: responseBody(rows, own) }, expected)),
  };
}

function unwrapped(rows: readonly Row[]): Json {
  const [row, ...others] = rows;
  const [cell] = row ?? [];
  return row?.length === 1 && others.length === 0 && cell !== undefined
    ? cell
    : rows.map((each) => [...each]);
}

/** The rows as an endpoint would return them. */
function responseBody(rows: readonly Row[], columns: readonly string[]): Json {
  return rows.map((row) =>
    Object.fromEntries(row.map((cell, i): [string, Json] => [columns[i] ?? String(i), cell])),
  );
}

/**
 * Exact string match of the final call.
 *
 * Source: the NFCL baselines of function-calling studies over NL2SQL data, which compare the text of the last
 * call, nested or not. Here the text is `name(a=1, b="x")` with arguments in the given order; an argument
 * that is exactly `$label$` is replaced by the text of the call it refers to, so a chain becomes one nested
 * call. An empty list matches only an empty list.
 */
export function scoreExactString(
  gold: readonly AgentCall[],
  predicted: readonly CallElement[] | null,
): boolean {
  if (predicted === null || predicted.some(isMalformed)) return false;
  const calls = predicted.filter(isCall);
  if (gold.length === 0 || calls.length === 0) return gold.length === calls.length;
  return finalCallText(gold) === finalCallText(calls);
}

/** The last call as text, with references replaced by the calls they name. */
export function finalCallText(calls: readonly AgentCall[]): string {
  const texts = new Map<string, string>();
  let last = '';
  for (const { name, arguments: args, label } of calls) {
    const items = Object.entries(args).map(([key, value]) => `${key}=${valueText(value, texts)}`);
    last = `${name}(${items.join(', ')})`;
    if (label !== null) texts.set(label, last.length <= LONGEST ? last : `#${texts.size}`);
  }
  return last;
}

/** A result used twice in every step would double the text each time. */
const LONGEST = 20_000;

function valueText(value: Json, calls: ReadonlyMap<string, string>): string {
  if (typeof value === 'string')
    return calls.get(WHOLE_REFERENCE.exec(value)?.[1] ?? '') ?? JSON.stringify(value);
  if (isNumber(value)) return numberText(value);
  if (Array.isArray(value)) return `[${value.map((item) => valueText(item, calls)).join(', ')}]`;
  if (!isObject(value)) return String(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${valueText(item, calls)}`)
    .join(', ')}}`;
}

const WHOLE_REFERENCE = /^\$([^$]+)\$$/;
