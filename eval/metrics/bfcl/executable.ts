import { isNumber, isObject, type Json, numberValue } from '../../json/lossless.ts';
import { pythonEquals, pythonType } from '../../json/python.ts';
import { type BfclVerdict, invalid, VALID } from './types.ts';

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
