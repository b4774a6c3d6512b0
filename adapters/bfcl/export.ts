import { stringify } from 'lossless-json';
import { z } from 'zod';
import { type Prediction, predictedTurn, taskPart } from '../../contracts/prediction.ts';
import type { AcceptedValues, Call, Sample } from '../../contracts/sample.ts';
import { toBfclAnswer, toBfclFunction, toFloat } from '../../eval/bfcl/check.ts';
import type { BfclFunction } from '../../eval/bfcl/convert.ts';
import type { AgentCall } from '../../eval/calls/calls.ts';
import type { ToolSchema, ToolUniverse } from '../../eval/calls/tool-universe.ts';
import { isObject, type Json, type JsonObject, parseJson, plain } from '../../eval/json/lossless.ts';
import { chooseTools, type ExportedFile, exportedTasks, questionText, type Toolset } from '../exports.ts';
import { type Imported, importInvalid } from '../imports.ts';
import { decodePython, NOT_DECODABLE } from './decode.ts';
import { linesOf } from './files.ts';
import { PYTHON_KEYWORDS } from './python.ts';

/** The name as a Python argument: a keyword gets a trailing underscore, as in Python's style guide, a digit a leading one. */
export function pythonSafe(name: string): string {
  if (/^\d/.test(name)) return `_${name}`;
  return PYTHON_KEYWORDS.has(name) ? `${name}_` : name;
}

/** The inverse of `pythonSafe`. */
export function pythonUnsafe(name: string): string {
  if (/^_\d/.test(name)) return name.slice(1);
  return name.endsWith('_') && PYTHON_KEYWORDS.has(name.slice(0, -1)) ? name.slice(0, -1) : name;
}

/**
 * Category names. BFCL chooses the checker by substrings of the name, and silently skips names that contain `rest`,
 * `exec` or `sql`.
 */
export const BFCL_CATEGORIES = { call: 'farm_multiple', withheld: 'farm_irrelevance' } as const;

export interface BfclExportOptions extends Toolset {
  readonly evidence: boolean;
}

const sampleLine = z.object({
  id: z.string(),
  sample_id: z.string(),
  withheld: z.boolean(),
  /** Of a request with several questions. */
  parts: z.array(taskPart).optional(),
  /** Of a dialogue: what is due in each of BFCL's turns, and the farm's names of functions that have others. */
  turns: z.array(predictedTurn.pick({ sample_id: true, expects: true })).optional(),
  names: z.record(z.string(), z.string()).optional(),
});

/** A line of `farm_samples.jsonl`: the sample of a question. */
export type BfclSampleLine = z.infer<typeof sampleLine>;

/**
 * REST tasks as BFCL question and answer files: `farm_multiple` (several functions, one call) and `farm_irrelevance`
 * (the same without the gold function). BFCL pairs questions and answers by line. The format cannot express SLOT and
 * SEL sequences, so they are left out.
 */
export function exportBfcl(
  samples: readonly Sample[],
  universe: ToolUniverse,
  options: BfclExportOptions,
): ExportedFile[] {
  const tasks = exportedTasks(samples);
  const questions: string[] = [];
  const answers: string[] = [];
  const irrelevant: string[] = [];
  const map: BfclSampleLine[] = [];
  for (const [i, sample] of tasks.entries()) {
    const call = sample.output[0] as Sample['output'][number];
    const tools = chooseTools(sample, universe, options);
    const gold = tools.find(([name]) => name === call.name)?.[1];
    if (gold === undefined) continue;
    const question = [[{ role: 'user', content: questionText(sample, options.evidence) }]];
    const ids = { call: `${BFCL_CATEGORIES.call}_${i}`, withheld: `${BFCL_CATEGORIES.withheld}_${i}` };
    questions.push(line({ id: ids.call, question, function: tools.map(toFunction) }));
    const others = tools.filter(([name]) => name !== call.name);
    irrelevant.push(line({ id: ids.withheld, question, function: others.map(toFunction) }));
    answers.push(line({ id: ids.call, ground_truth: [groundTruth(call, gold, sample.accepted_values)] }));
    map.push({ id: ids.call, sample_id: sample.sample_id, withheld: false });
    map.push({ id: ids.withheld, sample_id: sample.sample_id, withheld: true });
  }
  return [
    ...categoryFiles(BFCL_CATEGORIES.call, questions, answers),
    { path: `BFCL_v4_${BFCL_CATEGORIES.withheld}.json`, content: irrelevant.join('') },
    { path: 'farm_samples.jsonl', content: map.map(line).join('') },
  ];
}

export function toFunction([name, tool]: readonly [string, ToolSchema]): BfclFunction {
  const { parameters, ...rest } = toBfclFunction(name, tool);
  const properties = Object.entries(parameters.properties).map(([key, property]) => [
    pythonSafe(key),
    property,
  ]);
  return {
    ...rest,
    parameters: {
      type: 'dict',
      properties: Object.fromEntries(properties),
      required: parameters.required.map(pythonSafe),
    },
  };
}

export function groundTruth(
  { name, arguments: args }: Call,
  tool: ToolSchema,
  accepted?: AcceptedValues,
): Record<string, Record<string, Json[]>> {
  const call: AgentCall = { name, arguments: args as JsonObject, label: null };
  const others = accepted as Record<string, Json[]> | undefined;
  const { properties } = toBfclFunction(name, tool).parameters;
  const parameters = Object.entries(toBfclAnswer(call, tool, others).parameters).map(
    ([key, values]): [string, Json[]] => {
      const property = properties[key];
      const isFloat = property?.type === 'float';
      const hasFloats = property?.items?.type === 'float';
      const typed = (value: Json): Json => {
        // Python reads `5` as an int, but a float parameter's answer must be a float.
        if (isFloat) return toFloat(value);
        return hasFloats && Array.isArray(value) ? value.map(toFloat) : value;
      };
      return [pythonSafe(key), values.map(typed)];
    },
  );
  return { [name]: Object.fromEntries(parameters) };
}

/** The question and answer files of a category, which BFCL pairs by line. */
export function categoryFiles(
  category: string,
  questions: readonly string[],
  answers: readonly string[],
): ExportedFile[] {
  return [
    { path: `BFCL_v4_${category}.json`, content: questions.join('') },
    { path: `possible_answer/BFCL_v4_${category}.json`, content: answers.join('') },
  ];
}

export function line(value: object): string {
  return `${stringify(value)}\n`;
}

/**
 * Reads a BFCL result file (`BFCL_v4_<category>_result.json`, one JSON object per line) of a category exported by
 * `rookery export bfcl`. Results of function-calling models are `[{name: "<arguments as JSON>"}]`, those of prompted
 * models text; of several turns, a list of such steps for each. Throws IMPORT_INVALID.
 *
 * @param samplesFile the `farm_samples.jsonl` of the export.
 * @param read decodes results that are in another language than Python.
 */
export function importBfcl(
  resultFile: string,
  samplesFile: string,
  read: (id: string, result: Json) => Json = (_, result) => result,
): Imported {
  const samples = new Map<string, BfclSampleLine>();
  for (const { place, value } of linesOf(samplesFile, importInvalid)) {
    const line = sampleLine.safeParse(value);
    if (!line.success) throw importInvalid(place, 'is not a line of farm_samples.jsonl');
    samples.set(line.data.id, line.data);
  }
  const predictions: Prediction[] = [];
  const unmatched: string[] = [];
  for (const { place, value: record } of linesOf(resultFile, importInvalid)) {
    if (!isObject(record) || typeof record.id !== 'string' || record.result === undefined) {
      throw importInvalid(place, 'is not a BFCL result: it has no id, or no result');
    }
    const sample = samples.get(record.id);
    if (sample === undefined) unmatched.push(record.id);
    else predictions.push(toPrediction(place, sample, { ...record, result: read(record.id, record.result) }));
  }
  return { predictions, unmatched };
}

function toPrediction(
  place: string,
  { sample_id, withheld, parts, turns, names = {} }: BfclSampleLine,
  record: { [key: string]: Json },
): Prediction {
  return {
    sample_id,
    ...(withheld ? { withheld } : {}),
    ...(parts ? { parts } : {}),
    ...(turns
      ? readTurns(place, record.result as Json, { turns, names })
      : readResult(place, record.result as Json)),
    latency_s: amount(record.latency),
    input_tokens: amount(record.input_token_count),
    output_tokens: amount(record.output_token_count),
  };
}

function readResult(place: string, result: Json): Pick<Prediction, 'calls' | 'raw_output' | 'error'> {
  if (typeof result === 'string')
    return result.startsWith(INFERENCE_ERROR) ? { error: result } : { raw_output: result };
  if (!Array.isArray(result) || result.some(Array.isArray)) {
    throw importInvalid(place, 'has a result of several turns, of a question with one');
  }
  return { calls: result.map(readCall) };
}

/** The turns that BFCL's runner reached, each a list of steps. */
function readTurns(
  place: string,
  result: Json,
  { turns, names }: Required<Pick<BfclSampleLine, 'turns' | 'names'>>,
): Pick<Prediction, 'turns' | 'calls' | 'error'> {
  if (typeof result === 'string' && result.startsWith(INFERENCE_ERROR)) return { turns, error: result };
  if (!Array.isArray(result) || !result.every(Array.isArray))
    throw importInvalid(place, 'has no result of several turns: it is no list of lists of steps');
  const real = (call: Json) =>
    isObject(call) && typeof call.name === 'string' ? { ...call, name: names[call.name] ?? call.name } : call;
  const reached = (result as Json[][]).map((steps) => steps.flatMap(readStep).map(real));
  // A task that is no dialogue has one turn.
  if (turns.length === 1) return { calls: reached[0] ?? [] };
  return {
    turns: turns.map((turn, i) => (reached[i] === undefined ? turn : { ...turn, calls: reached[i] })),
  };
}

/** The calls of a step; none of a text that is not a list of calls, which ends a turn. */
function readStep(step: Json): Json[] {
  if (Array.isArray(step)) return step.map(readCall);
  if (typeof step !== 'string') return [step];
  const calls = decodePython(step);
  if (calls === NOT_DECODABLE) return [];
  return calls.map(({ name, arguments: args }) => ({ name, arguments: underRealNames(args) }));
}

/** BFCL's result of a failed request. */
const INFERENCE_ERROR = 'Error during inference:';

/** Parses `{name: "{…}"}`; anything else is unchanged, and scored as malformed. */
function readCall(item: Json): Json {
  const [entry, ...others] = isObject(item) ? Object.entries(item) : [];
  if (entry === undefined || others.length > 0) return item;
  const args = decode(entry[1]);
  if (!isObject(args)) return item;
  return { name: entry[0], arguments: underRealNames(args) };
}

function underRealNames(args: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]): [string, Json] => [pythonUnsafe(key), value]),
  );
}

function decode(args: Json): Json {
  if (typeof args !== 'string') return args;
  try {
    return parseJson(args);
  } catch {
    return args;
  }
}

function amount(value: Json | undefined): number | null {
  // Of several turns, BFCL has an amount for each step.
  const each = [value].flat(2).map((one) => (one === undefined ? null : plain(one)));
  const isAmount = (one: unknown) => typeof one === 'number' && one >= 0;
  return each.every(isAmount) ? (each as number[]).reduce((sum, one) => sum + one, 0) : null;
}
