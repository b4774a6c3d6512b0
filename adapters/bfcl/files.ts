import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { faultIn } from '../../contracts/wording.ts';
import type { BfclCategory } from '../../eval/bfcl/check.ts';
import type { BfclAnswer, BfclFunction, BfclLanguage } from '../../eval/bfcl/convert.ts';
import { readLines } from '../../eval/farm/read-farm.ts';
import { isObject, type Json, parseJson, plain } from '../../eval/json/lossless.ts';

/** A category of BFCL and its checker. */
export interface FileCategory {
  /** Its name in BFCL v4. */
  readonly name: string;
  /** Checker of its calls. The last two only check whether there is a call. */
  readonly checker: BfclCategory | 'relevance' | 'irrelevance';
  readonly language: BfclLanguage;
}

/** The category of a name by BFCL's rules, or why it is left out. Names of BFCL v3 map to those of v4. */
export function categoryOf(name: string): FileCategory | { readonly leftOut: string } {
  const reason = LEFT_OUT.find(([pattern]) => pattern.test(name))?.[1];
  if (reason !== undefined) return { leftOut: reason };
  const current = RENAMED.get(name) ?? name;
  return { name: current, checker: checkerOf(current), language: languageOf(current) };
}

/** The category in the name of a question, answer or result file (`BFCL_v4_<category>_result.json`), or null. */
export function categoryNameOf(file: string): string | null {
  return /BFCL_v\d+_(\w+?)(?:_score|_result)?\.jsonl?$/.exec(file)?.[1] ?? null;
}

function checkerOf(name: string): FileCategory['checker'] {
  if (name.includes('irrelevance')) return 'irrelevance';
  if (name.includes('relevance')) return 'relevance';
  if (name.includes('parallel')) return 'parallel';
  return name.includes('multiple') ? 'multiple' : 'simple';
}

export function languageOf(name: string): BfclLanguage {
  if (name.includes('javascript')) return 'javascript';
  return name.includes('java') ? 'java' : 'python';
}

const RENAMED = new Map([
  ['simple', 'simple_python'],
  ['java', 'simple_java'],
  ['javascript', 'simple_javascript'],
]);

const GIVE_SCORES = '; `--scores` takes what BFCL’s evaluator found';

const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:farm_)?multi_turn/,
    `its calls are executed on BFCL’s own Python classes over several turns${GIVE_SCORES}`,
  ],
  [/^memory/, `it needs BFCL’s memory back ends${GIVE_SCORES}`],
  [/^web_search/, `it needs the web${GIVE_SCORES}`],
  [/^format_sensitivity/, 'BFCL does not score it; it repeats other categories with other prompts'],
  [/^(?:exec_|rest$|sql$|chatable$)/, 'BFCL has retired it'],
];

export interface BfclQuestion {
  readonly id: string;
  readonly functions: readonly BfclFunction[];
}

export interface BfclResult {
  readonly id: string;
  readonly result: Json;
  readonly latency_s: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

/** Reads `BFCL_v4_<category>.json`. Throws BFCL_FILE_INVALID with the line. */
export function readQuestions(file: string): BfclQuestion[] {
  return [...linesOf(file)].map(({ place, value }) => {
    const question = questionSchema.safeParse(value);
    if (!question.success) throw invalid(place, `is not a question: ${faultIn(question.error)}`);
    const { id, function: functions } = question.data;
    return { id, functions: Array.isArray(functions) ? functions : [functions] };
  });
}

/** Reads `possible_answer/BFCL_v4_<category>.json`: the gold calls of each line. Throws BFCL_FILE_INVALID. */
export function readAnswers(file: string): BfclAnswer[][] {
  return [...linesOf(file)].map(({ place, value }) => {
    const answer = answerSchema.safeParse(value);
    if (!answer.success) throw invalid(place, `is not an answer: ${faultIn(answer.error)}`);
    return answer.data.ground_truth.map((call) => {
      const [[name, parameters] = ['', {}]] = Object.entries(call);
      return { name, parameters };
    });
  });
}

/** Reads `BFCL_v4_<category>_result.json`. Throws BFCL_FILE_INVALID, also for a duplicate result. */
export function readResults(file: string): BfclResult[] {
  const ids = new Set<string>();
  return [...linesOf(file)].map(({ place, value }) => {
    if (!isObject(value) || typeof value.id !== 'string' || value.result === undefined)
      throw invalid(place, 'is not a result: it has no id, or no result');
    if (ids.has(value.id)) throw invalid(place, `is a second result for ${value.id}; keep one`);
    ids.add(value.id);
    return {
      id: value.id,
      result: value.result,
      latency_s: amount(value.latency),
      input_tokens: amount(value.input_token_count),
      output_tokens: amount(value.output_token_count),
    };
  });
}

const json = z.custom<Json>((value) => value !== undefined);
const property = z.looseObject({
  type: z.string().catch('unknown'),
  default: json.optional(),
  items: z
    .looseObject({ type: z.string().catch('unknown') })
    .optional()
    .catch(undefined),
});
const fn = z.looseObject({
  name: z.string(),
  parameters: z.looseObject({
    type: z.unknown().transform(() => 'dict' as const),
    properties: z.record(z.string(), property).default({}),
    required: z.array(z.string()).default([]),
  }),
});
const questionSchema = z.looseObject({ id: z.string(), function: z.union([z.array(fn), fn]) });
const answerSchema = z.looseObject({
  ground_truth: z.array(
    z
      .record(z.string(), z.record(z.string(), z.array(json)))
      .refine((call) => Object.keys(call).length === 1, 'a gold call has one function'),
  ),
});

/** The values of a file, one a line. Throws the error that `refuse` makes. */
export function* linesOf(file: string, refuse = invalid): Generator<{ place: string; value: Json }> {
  for (const { number, text } of readLines(file)) {
    const place = `${file}:${number}`;
    let value: Json;
    try {
      value = parseJson(text);
    } catch (cause) {
      throw refuse(place, `is not JSON (${(cause as Error).message}); the file has one object a line`, cause);
    }
    yield { place, value };
  }
}

/** Tokens or seconds. BFCL writes lists for several turns, and 0 for unknown. */
function amount(value: Json | undefined): number | null {
  const number = value === undefined ? null : plain(value);
  return typeof number === 'number' && number > 0 ? number : null;
}

export function invalid(place: string, fault: string, cause?: unknown): UserError {
  return new UserError('BFCL_FILE_INVALID', place, fault, { cause });
}

/** A result file, with the files to score it against. */
export interface BfclTask {
  readonly model: string;
  readonly category: FileCategory;
  readonly questions: string;
  /** null if the category has no answers. */
  readonly answers: string | null;
  readonly results: string;
}

interface LeftOut {
  readonly model: string;
  readonly category: string;
  readonly file: string;
  readonly reason: string;
}

export interface BfclTasks {
  readonly tasks: readonly BfclTask[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Pairs result files with questions and answers by the category in their names. Each path is a file or a folder; a
 * folder of results may hold several models, as in BFCL's `<model>/<group>/BFCL_v4_<category>_result.json`. Throws
 * BFCL_FILE_INVALID if a file is missing, or its name has no category.
 */
export function findTasks(questions: string, answers: string, results: string): BfclTasks {
  const tasks: BfclTask[] = [];
  const leftOut: LeftOut[] = [];
  for (const file of filesOf(results, 'result')) {
    const model = modelOf(results, file);
    const name = categoryNameOf(file);
    if (name === null)
      throw invalid(file, 'has no category in its name; BFCL calls it BFCL_v4_<category>_result.json');
    const category = categoryOf(name);
    if ('leftOut' in category) {
      leftOut.push({ model, category: name, file, reason: category.leftOut });
      continue;
    }
    const hasAnswers = category.checker !== 'relevance' && category.checker !== 'irrelevance';
    tasks.push({
      model,
      category,
      questions: fileFor(questions, category, 'questions'),
      answers: hasAnswers ? fileFor(answers, category, 'possible answers') : null,
      results: file,
    });
  }
  if (tasks.length === 0 && leftOut.length === 0)
    throw invalid(results, 'holds no result file BFCL_v4_<category>_result.json');
  return { tasks, leftOut };
}

/** A category as BFCL's own evaluator scored it. */
export interface BfclScoreFile {
  readonly model: string;
  readonly category: string;
  readonly file: string;
  readonly correct: number;
  readonly total: number;
}

const scoreHeader = z.looseObject({
  correct_count: z.number().int(),
  total_count: z.number().int().positive(),
});

/** Reads the first lines of `score/<model>/…/BFCL_v4_<category>_score.json`, as `bfcl evaluate` writes them. */
export function readScoreFiles(place: string): BfclScoreFile[] {
  const files = filesOf(place, 'score');
  if (files.length === 0) throw invalid(place, 'holds no score file BFCL_v4_<category>_score.json');
  return files.map((file) => {
    const [first] = linesOf(file);
    const header = scoreHeader.safeParse(first === undefined ? undefined : plain(first.value));
    if (!header.success) throw invalid(file, `is no score file: ${faultIn(header.error, 'its first line')}`);
    const name = categoryNameOf(file) ?? '';
    return {
      model: modelOf(place, file),
      category: RENAMED.get(name) ?? name,
      file,
      correct: header.data.correct_count,
      total: header.data.total_count,
    };
  });
}

function filesOf(place: string, kind: 'result' | 'score'): string[] {
  if (!existsSync(place)) throw invalid(place, 'is not there');
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.replace(/l$/, '').endsWith(`_${kind}.json`) && categoryNameOf(name) !== null)
    .sort()
    .map((name) => join(place, name));
}

/** The file itself, or the folder's file for the category. */
function fileFor(place: string, category: FileCategory, what: string): string {
  if (!existsSync(place)) throw invalid(place, 'is not there');
  if (!statSync(place).isDirectory()) return place;
  const name = readdirSync(place)
    .sort()
    .find((each) => isFor(each, category));
  if (name === undefined)
    throw invalid(place, `holds no ${what} of ${category.name}: BFCL_v4_${category.name}.json`);
  return join(place, name);
}

function isFor(file: string, { name }: FileCategory): boolean {
  const found = categoryNameOf(file);
  const category = found === null || /_(?:result|score)\.jsonl?$/.test(file) ? null : categoryOf(found);
  return category !== null && 'name' in category && category.name === name;
}

/**
 * The folders between the results folder and the file, without BFCL's groups; if there are none, the results folder
 * itself.
 */
function modelOf(results: string, file: string): string {
  const folders = relative(results, file).split(sep).slice(0, -1);
  const own = folders.filter((folder) => !GROUPS.has(folder));
  const above = file === results ? basename(file).replace(/\.jsonl?$/, '') : basename(results);
  return own.length > 0 ? own.join('/') : above;
}

const GROUPS = new Set([
  'non_live',
  'live',
  'multi_turn',
  'agentic',
  'memory',
  'kv',
  'vector',
  'rec_sum',
  'web_search',
  'format_sensitivity',
]);
