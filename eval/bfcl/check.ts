import { LosslessNumber } from 'lossless-json';
import type { AgentCall } from '../calls/calls.ts';
import { type PropertySchema, type ToolSchema, typesOf } from '../calls/tool-universe.ts';
import { isNumber, isObject, type Json, type JsonObject, numberText } from '../json/lossless.ts';
import { PythonTuple, type PythonType, pythonEquals, pythonType } from '../json/python.ts';
import {
  type BfclAnswer,
  type BfclFunction,
  type BfclLanguage,
  type BfclProperty,
  type BfclVerdict,
  bfclType,
  convertJava,
  convertJavascript,
  hasItems,
  invalid,
  VALID,
} from './convert.ts';

export interface TypeCheck {
  readonly verdict: BfclVerdict;
  /** Whether the value is treated as a variable: of the gold value's type instead of the schema's. */
  readonly isVariable: boolean;
}

/** BFCL's `type_checker`: the exact type, one level into lists, or else the type of the first gold value. */
export function checkType(
  value: Json,
  acceptable: readonly Json[],
  expected: PythonType,
  nested: PythonType | null,
): TypeCheck {
  const first = acceptable.find((item) => item !== '');
  const goldType = first === undefined ? null : pythonType(first);
  const type = pythonType(value);
  let verdict = VALID;
  if (type === expected) {
    const isVariable = goldType !== null && goldType !== expected;
    if (nested === null) return { verdict: VALID, isVariable };
    const elements = value as readonly Json[];
    for (const item of acceptable) {
      const fits =
        !Array.isArray(item) || elements.every((e) => checkType(e, item, nested, null).verdict.valid);
      if (fits) return { verdict: VALID, isVariable };
    }
    verdict = invalid('type_error:nested');
  }
  if (goldType !== null && type === goldType) return { verdict, isVariable: true };
  return { verdict: invalid('type_error:simple'), isVariable: false };
}

/** BFCL's string comparison ignores case, blanks, some punctuation and the kind of quote. */
export function standardize(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"');
}

export function checkString(value: string, acceptable: readonly Json[]): BfclVerdict {
  const gold = acceptable.filter((item) => typeof item === 'string').map(standardize);
  return gold.includes(standardize(value)) ? VALID : invalid('value_error:string');
}

/** Order matters; strings directly in the list are standardized, nested ones are not. */
export function checkList(value: readonly Json[], acceptable: readonly Json[]): BfclVerdict {
  const standardized = value.map(standardizeItem);
  // `""` (optional) has no elements, so BFCL treats it as an empty list.
  const gold = acceptable.map((item) =>
    Array.isArray(item) ? item.map(standardizeItem) : item === '' ? [] : null,
  );
  return isAmong(standardized, gold) ? VALID : invalid('value_error:list/tuple');
}

export function checkDict(value: JsonObject, acceptable: readonly Json[]): BfclVerdict {
  let verdict = invalid('dict_checker:unclear');
  for (const gold of acceptable) {
    if (!isObject(gold)) continue;
    verdict = checkOneDict(value, gold);
    if (verdict.valid) return VALID;
  }
  return verdict;
}

/** The same number of dictionaries, in the same order. */
export function checkListOfDicts(value: readonly Json[], acceptable: readonly Json[]): BfclVerdict {
  let verdict = invalid('list_dict_checker:unclear');
  for (const gold of acceptable) {
    const items = Array.isArray(gold) ? gold : [];
    if (items.length !== value.length) {
      verdict = invalid('value_error:list_dict_count');
      continue;
    }
    verdict = VALID;
    for (const [i, item] of value.entries()) {
      verdict = isObject(item) ? checkDict(item, [items[i] as Json]) : invalid('value_error:dict_value');
      if (!verdict.valid) break;
    }
    if (verdict.valid) return VALID;
  }
  return verdict;
}

/** Python's `value in list`. */
export function isAmong(value: Json, list: readonly Json[]): boolean {
  return list.some((item) => pythonEquals(value, item));
}

/** A gold dictionary lists the acceptable values of each key; `""` among them makes the key optional. */
function checkOneDict(value: JsonObject, gold: JsonObject): BfclVerdict {
  let verdict = VALID;
  for (const [key, item] of Object.entries(value)) {
    if (!Object.hasOwn(gold, key)) verdict = invalid('value_error:dict_key');
    else if (!isAmong(standardizeItem(item), valuesOf(gold[key] as Json).map(standardizeItem))) {
      verdict = invalid('value_error:dict_value');
    }
    if (!verdict.valid) break;
  }
  // BFCL checks for missing keys even after an error, and reports those instead.
  for (const [key, values] of Object.entries(gold)) {
    if (!Object.hasOwn(value, key) && !valuesOf(values).includes('')) return invalid('value_error:dict_key');
  }
  return verdict;
}

function valuesOf(values: Json): readonly Json[] {
  return Array.isArray(values) ? values : [values];
}

function standardizeItem(item: Json): Json {
  return typeof item === 'string' ? standardize(item) : item;
}

export interface CheckOptions {
  /** Accepts an optional parameter that the answer does not list, at its schema's default. BFCL: an error. */
  readonly acceptDefaults: boolean;
  /** The model writes names with `_` where the function has `.`. */
  readonly underscoreToDot: boolean;
  readonly language: BfclLanguage;
  readonly isSame: SameArgument | undefined;
}

/** Whether a function takes two values of a parameter for the same. */
export type SameArgument = (fn: string, parameter: string, a: Json, b: Json) => boolean;

/** BFCL's `simple_function_checker`: one call against one gold call; returns the first error. */
export function checkCall(
  fn: BfclFunction,
  call: AgentCall,
  answer: BfclAnswer,
  { acceptDefaults, underscoreToDot, language, isSame }: CheckOptions,
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
    const isEquivalent = () => acceptable.some((each) => isSame?.(fn.name, parameter, each, value));
    if (!verdict.valid && !isEquivalent()) return verdict;
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

/** The value in Python: for Java and JavaScript it is the text of an expression. */
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

/** Answers have no tuples, so a tuple counts as a list where one is expected. */
function withoutTuple(given: Json, type: string): Json {
  return type === 'tuple' && given instanceof PythonTuple ? [...given] : given;
}

/** Python's `float(value)` for an int; other values unchanged. */
export function toFloat(value: Json): Json {
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

/** The checker that BFCL's category name selects. */
export type BfclCategory = 'simple' | 'multiple' | 'parallel';

export interface BfclInput {
  readonly functions: readonly BfclFunction[];
  readonly calls: readonly AgentCall[];
  readonly answers: readonly BfclAnswer[];
  readonly category: BfclCategory;
  readonly underscoreToDot?: boolean;
  /** Default: python. */
  readonly language?: BfclLanguage;
}

/**
 * The AST check of the Berkeley Function-Calling Leaderboard.
 *
 * Source: `bfcl_eval/eval_checker/ast_eval/ast_checker.py` of ShishirPatil/gorilla. Types are strict and
 * follow the JSON source text (`5` is not `5.0`, but an integer is accepted for a float parameter); strings
 * ignore case, blanks and `,./-_*^`; lists are ordered; an optional parameter may be omitted only if the
 * answer allows it, and given only if the answer lists it; parallel calls are matched greedily in the order
 * of the gold calls.
 */
export function checkBfcl(input: BfclInput): BfclVerdict {
  return check(input, optionsOf(input), matchGreedily);
}

/**
 * The same check without its known bugs: matches parallel calls optimally, and accepts explicit defaults, and values
 * that the function takes for an acceptable one.
 */
export function checkBfclFixed(input: BfclInput, isSame?: SameArgument): BfclVerdict {
  return check(input, { ...optionsOf(input), acceptDefaults: true, isSame }, matchOptimally);
}

function optionsOf({ underscoreToDot = false, language = 'python' }: BfclInput): CheckOptions {
  return { acceptDefaults: false, underscoreToDot, language, isSame: undefined };
}

type Accepts = (gold: number, call: number) => boolean;

function check(
  { functions, calls, answers, category }: BfclInput,
  options: CheckOptions,
  match: (size: number, accepts: Accepts) => boolean,
): BfclVerdict {
  if (category !== 'parallel') {
    const [call] = calls;
    const [answer] = answers;
    if (call === undefined || answer === undefined || calls.length !== 1)
      return invalid(`${category}_function_checker:wrong_count`);
    // For a simple question BFCL uses the first function, whatever name the answer gives.
    const [only] = functions;
    return category === 'simple' && only !== undefined
      ? checkCall(only, call, answer, options)
      : checkPair(functions, call, answer, options);
  }
  if (calls.length !== answers.length) return invalid('parallel_function_checker_no_order:wrong_count');
  // A question that cannot be checked does not count against the call.
  let broken: BfclVerdict | null = null;
  const accepts: Accepts = (gold, call) => {
    const verdict = checkPair(functions, calls[call] as AgentCall, answers[gold] as BfclAnswer, options);
    if (!verdict.valid && verdict.errorType.startsWith('schema_error')) broken ??= verdict;
    return verdict.valid;
  };
  const matches = match(answers.length, accepts);
  if (broken !== null) return broken;
  return matches ? VALID : invalid('parallel_function_checker_no_order:cannot_find_match');
}

function checkPair(
  functions: readonly BfclFunction[],
  call: AgentCall,
  answer: BfclAnswer,
  options: CheckOptions,
): BfclVerdict {
  const fn = functions.find(({ name }) => name === answer.name);
  return fn === undefined ? invalid('schema_error:unknown_function') : checkCall(fn, call, answer, options);
}

/** Each gold call takes the first unmatched call that it accepts. */
function matchGreedily(size: number, accepts: Accepts): boolean {
  const taken = new Set<number>();
  for (let gold = 0; gold < size; gold++) {
    let call = 0;
    while (call < size && (taken.has(call) || !accepts(gold, call))) call++;
    if (call === size) return false;
    taken.add(call);
  }
  return true;
}

/** Finds a perfect matching, if there is one, by augmenting paths. */
function matchOptimally(size: number, accepts: Accepts): boolean {
  const edges = Array.from({ length: size }, (_, gold) =>
    Array.from({ length: size }, (__, call) => call).filter((call) => accepts(gold, call)),
  );
  const takenBy = new Map<number, number>();
  const assign = (gold: number, seen: Set<number>): boolean =>
    (edges[gold] as number[]).some((call) => {
      if (seen.has(call)) return false;
      seen.add(call);
      const holder = takenBy.get(call);
      if (holder !== undefined && !assign(holder, seen)) return false;
      takenBy.set(call, gold);
      return true;
    });
  return edges.every((_, gold) => assign(gold, new Set()));
}

/**
 * Relevance detection: with the gold tool withheld, the right answer is to call nothing.
 *
 * Source: BFCL's irrelevance categories: right if and only if the output decodes to no call (prose, or an
 * empty list), whatever a call contains.
 */
export function scoreRelevance(calls: readonly unknown[] | null): boolean {
  return calls === null || calls.length === 0;
}

/** A tool as a BFCL function: `dict` for objects, `float` for numbers, no null types, every parameter described. */
export function toBfclFunction(name: string, tool: ToolSchema): BfclFunction {
  const properties = Object.entries(tool.properties).map(([key, schema]) => [
    key,
    toBfclProperty(key, schema),
  ]);
  return {
    name,
    description: tool.description ?? name,
    parameters: { type: 'dict', properties: Object.fromEntries(properties), required: [...tool.required] },
  };
}

/**
 * A gold call as a BFCL answer: each argument's value and the others that are accepted; an optional argument may be left
 * at its default.
 */
export function toBfclAnswer(
  { name, arguments: args }: AgentCall,
  tool: ToolSchema,
  others: Readonly<Record<string, readonly Json[]>> = {},
): BfclAnswer {
  const parameters: Record<string, Json[]> = {};
  for (const [key, schema] of Object.entries(tool.properties)) {
    const isDefault = (value: Json) =>
      schema.default !== undefined && pythonEquals(value, schema.default as Json);
    const value = args[key];
    if (value !== undefined) {
      const optional = isDefault(value) ? [''] : [];
      parameters[key] = [value, ...(own(others, key) ?? []), ...optional];
    } else if (!tool.required.includes(key))
      parameters[key] = schema.default === undefined ? [''] : [schema.default as Json, ''];
  }
  return { name, parameters };
}

function toBfclProperty(name: string, schema: PropertySchema): BfclProperty {
  return {
    type: toBfclType(schema),
    description: schema.description || name,
    ...(schema.enum === undefined ? {} : { enum: schema.enum.filter((value) => value !== null) as Json[] }),
    ...(schema.default === undefined ? {} : { default: schema.default as Json }),
    ...(toBfclType(schema) === 'array' ? { items: { type: toBfclType(schema.items ?? {}) } } : {}),
  };
}

function toBfclType(schema: PropertySchema): string {
  const [type, ...others] = typesOf(schema).filter((name) => name !== 'null');
  if (type === undefined || others.length > 0) return 'any';
  return BFCL_TYPES.get(type) ?? type;
}

const BFCL_TYPES = new Map([
  ['number', 'float'],
  ['object', 'dict'],
]);
