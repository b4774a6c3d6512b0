import { LosslessNumber } from 'lossless-json';
import type { AgentCall } from '../../calls/agent-call.ts';
import { isNumber, type Json, type JsonObject, numberText } from '../../json/lossless.ts';
import { PythonTuple, pythonEquals, pythonType } from '../../json/python.ts';
import { checkType } from './check-type.ts';
import { checkDict, checkList, checkListOfDicts, checkString, isAmong } from './check-value.ts';
import { convertJava } from './convert-java.ts';
import { convertJavascript } from './convert-javascript.ts';
import { type BfclLanguage, bfclType, hasItems } from './language.ts';
import {
  type BfclAnswer,
  type BfclFunction,
  type BfclProperty,
  type BfclVerdict,
  invalid,
  VALID,
} from './types.ts';

export interface CheckOptions {
  /** An optional parameter that the answer does not list is right at its schema's default. BFCL: an error. */
  readonly acceptDefaults: boolean;
  /** The model's names have `_` where the function's have `.`. */
  readonly underscoreToDot: boolean;
  readonly language: BfclLanguage;
}

/** BFCL's `simple_function_checker`: one call against one gold call; the first error found is the verdict. */
export function checkCall(
  fn: BfclFunction,
  call: AgentCall,
  answer: BfclAnswer,
  { acceptDefaults, underscoreToDot, language }: CheckOptions,
): BfclVerdict {
  const name = underscoreToDot ? fn.name.replaceAll('.', '_') : fn.name;
  if (call.name !== name) return invalid('simple_function_checker:wrong_func_name');
  const given = call.arguments;
  if (fn.parameters.required.some((parameter) => !Object.hasOwn(given, parameter))) {
    return invalid('simple_function_checker:missing_required');
  }
  for (const [parameter, value] of Object.entries(given)) {
    const property = own(fn.parameters.properties, parameter);
    const acceptable = own(answer.parameters, parameter);
    if (acceptDefaults && acceptable === undefined && isDefault(value, property)) continue;
    if (property === undefined || acceptable === undefined)
      return invalid('simple_function_checker:unexpected_param');
    const verdict = checkArgument(value, acceptable, property, language);
    if (!verdict.valid) return verdict;
  }
  for (const [parameter, acceptable] of Object.entries(answer.parameters)) {
    if (!Object.hasOwn(given, parameter) && !acceptable.includes('')) {
      return invalid('simple_function_checker:missing_optional');
    }
  }
  return VALID;
}

function checkArgument(
  given: Json,
  acceptable: readonly Json[],
  property: BfclProperty,
  language: BfclLanguage,
): BfclVerdict {
  const expected = bfclType(property.type, language);
  const hasElements = hasItems(property.type, language);
  const nested = hasElements ? bfclType(property.items?.type ?? '', language) : null;
  // BFCL's own evaluation crashes here.
  if (expected === null || (hasElements && nested === null)) return invalid('schema_error:unknown_type');
  const read = readValue(given, property, language);
  if ('errorType' in read) return read;
  const { value } = read;
  const { verdict, isVariable } = checkType(value, acceptable, expected, nested);
  if (!verdict.valid) return verdict;
  if (!isVariable) {
    if (expected === 'dict') return checkDict(value as JsonObject, acceptable);
    if (expected === 'list' && nested === 'dict') return checkListOfDicts(value as Json[], acceptable);
    if (expected === 'str') return checkString(value as string, acceptable);
    if (expected === 'list') return checkList(value as Json[], acceptable);
  }
  return isAmong(value, acceptable) ? VALID : invalid('value_error:others');
}

/** The value in Python: Java and JavaScript give the text of an expression. */
function readValue(
  given: Json,
  { type, items }: BfclProperty,
  language: BfclLanguage,
): { readonly value: Json } | Extract<BfclVerdict, { valid: false }> {
  if (language === 'python') return { value: type === 'float' ? toFloat(given) : withoutTuple(given, type) };
  if (typeof given !== 'string')
    return { valid: false, errorType: language === 'java' ? 'type_error:java' : 'type_error:js' };
  const convert = language === 'java' ? convertJava : convertJavascript;
  return { value: convert(given, type, hasItems(type, language) ? (items?.type ?? null) : null) };
}

/** Answers have no tuples, so a tuple is a list where one is asked for. */
function withoutTuple(given: Json, type: string): Json {
  return type === 'tuple' && given instanceof PythonTuple ? [...given] : given;
}

/** Python's `float(value)` of an int; anything else as it is. */
function toFloat(value: Json): Json {
  return isNumber(value) && pythonType(value) === 'int'
    ? new LosslessNumber(`${numberText(value)}.0`)
    : value;
}

function isDefault(value: Json, property: BfclProperty | undefined): boolean {
  return property?.default !== undefined && pythonEquals(value, property.default);
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
