import { z } from 'zod';
import { type BfclInput, checkBfcl, checkBfclFixed } from '../../eval/bfcl/check.ts';
import type { BfclAnswer, BfclVerdict } from '../../eval/bfcl/convert.ts';
import type { Json } from '../../eval/json/lossless.ts';
import type { PriceTable } from '../../eval/metrics/trajectory.ts';
import { type Decoded, decodeResult, type LanguageParsers, readLeniently } from './decode.ts';
import {
  type BfclQuestion,
  type BfclResult,
  type BfclScoreFile,
  type BfclTask,
  type BfclTasks,
  type FileCategory,
  invalid,
  readAnswers,
  readQuestions,
  readResults,
} from './files.ts';

export const BFCL_REPORT_FORMAT = 'rookery-bfcl-report/1';

const count = z.number().int().nonnegative();
/** `correct` of `total` results are right. The accuracy is a fraction, as in BFCL's score files. */
const accuracy = z.object({ accuracy: z.number(), correct: count, total: count });

/** The results of a category by BFCL's own rules and by the corrected ones, with the error types of its score files. */
export const bfclCategoryScore = z.object({
  category: z.string(),
  official: accuracy,
  fixed: accuracy,
  errors: z.record(z.string(), count),
  /** Questions without a result. BFCL excludes them from the accuracy of partial runs. */
  not_run: count,
  samples: z.array(z.object({ id: z.string(), official: z.string(), fixed: z.string() })),
  /** The score file of BFCL's own evaluator that both accuracies were taken from; it has no verdicts of right results. */
  taken_from: z.string().optional(),
});
export type BfclCategoryScore = z.infer<typeof bfclCategoryScore>;

export const bfclModelScore = z.object({
  model: z.string(),
  categories: z.array(bfclCategoryScore),
  /** Seconds; null where BFCL writes N/A: no result has it, or only one does, for the deviation. */
  latency: z.object({
    mean: z.number().nullable(),
    deviation: z.number().nullable(),
    p95: z.number().nullable(),
  }),
  input_tokens: count,
  output_tokens: count,
  /** In the currency of the given prices. */
  cost: z.number().nullable(),
});
export type BfclModelScore = z.infer<typeof bfclModelScore>;

/** Output of `rookery score bfcl --out`. */
export const bfclReport = z.object({
  format: z.literal(BFCL_REPORT_FORMAT),
  models: z.array(bfclModelScore),
  left_out: z.array(z.object({ file: z.string(), reason: z.string() })),
});
export type BfclReport = z.infer<typeof bfclReport>;

/**
 * Cost and latency of a model's results, by BFCL's rules: zeros and missing values are left out; p95 is interpolated.
 */
export function spentBy(
  model: string,
  results: readonly BfclResult[],
  prices: PriceTable | null,
): Pick<BfclModelScore, 'latency' | 'input_tokens' | 'output_tokens' | 'cost'> {
  const latencies = results.flatMap(({ latency_s }) => latency_s ?? []).sort((a, b) => a - b);
  const input = sum(results.flatMap(({ input_tokens }) => input_tokens ?? []));
  const output = sum(results.flatMap(({ output_tokens }) => output_tokens ?? []));
  const price = prices?.[model];
  const cost =
    price === undefined || input === 0 || output === 0
      ? null
      : (input * price.input_per_million + output * price.output_per_million) / 1_000_000;
  return { latency: latencyOf(latencies), input_tokens: input, output_tokens: output, cost };
}

function latencyOf(sorted: readonly number[]): BfclModelScore['latency'] {
  const n = sorted.length;
  if (n === 0) return { mean: null, deviation: null, p95: null };
  const mean = sum(sorted) / n;
  const deviation = n < 2 ? null : Math.sqrt(sum(sorted.map((value) => (value - mean) ** 2)) / (n - 1));
  const at = 0.95 * (n - 1);
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return { mean, deviation, p95: below + (above - below) * (at - Math.floor(at)) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The verdict on a result: `ok`, or an error type of BFCL's score files. */
export interface JudgedResult {
  readonly id: string;
  readonly official: string;
  readonly fixed: string;
}

export interface CategoryInput {
  readonly category: FileCategory;
  readonly questions: readonly BfclQuestion[];
  /** In the order of the questions; null if the category has none. */
  readonly answers: readonly (readonly BfclAnswer[])[] | null;
  readonly results: readonly BfclResult[];
  /** The result file, for error messages. */
  readonly place: string;
}

export interface BfclScoreOptions {
  /** `bfcl`: BFCL's own decoders. `lenient`: the parse ladder reads texts that these cannot decode. */
  readonly parse: 'bfcl' | 'lenient';
  /** Whether names have `_` for `.`. `auto`: if it is a function-calling model, and no name that it calls has a dot. */
  readonly dots: 'auto' | 'kept' | 'underscores';
  /** null if no category is in Java or JavaScript. */
  readonly parsers: LanguageParsers | null;
}

/**
 * Judges the results of a category by BFCL's rules (`official`) and by corrected ones (`fixed`): arguments may state
 * defaults, parallel calls are matched optimally, and a failed inference is wrong even if no call was expected. Throws
 * BFCL_FILE_INVALID for a result without a question.
 */
export function scoreCategory(input: CategoryInput, options: BfclScoreOptions): JudgedResult[] {
  const { category, questions, answers, results, place } = input;
  const lines = new Map(questions.map(({ id }, line) => [id, line]));
  const isNative = results.some(({ result }) => Array.isArray(result));
  const entries = results.map(({ id, result }) => {
    const line = lines.get(id);
    const question = line === undefined ? undefined : questions[line];
    if (line === undefined || question === undefined)
      throw invalid(place, `has a result for ${id}, which is no question`);
    return {
      id,
      result,
      question,
      answers: answers?.[line] ?? [],
      decoded: decode(result, question, category, isNative, options),
    };
  });
  const hasDots = entries.some(
    ({ decoded }) => typeof decoded !== 'string' && decoded.some(({ name }) => name.includes('.')),
  );
  const underscoreToDot = options.dots === 'auto' ? isNative && !hasDots : options.dots === 'underscores';
  return entries.map(({ id, result, question, answers: gold, decoded }) => {
    const judge = (check: (checked: BfclInput) => BfclVerdict): string => {
      const { checker, language } = category;
      if (checker === 'relevance' || checker === 'irrelevance') return judgeRelevance(checker, decoded);
      return judgeCalls(decoded, (calls) =>
        check({
          functions: question.functions,
          calls: calls.map((call) => ({ ...call, label: null })),
          answers: gold,
          category: checker,
          underscoreToDot,
          language,
        }),
      );
    };
    return {
      id,
      official: judge(checkBfcl),
      fixed: isFailedInference(result) ? 'inference_error' : judge(checkBfclFixed),
    };
  });
}

function decode(
  result: Json,
  question: BfclQuestion,
  category: FileCategory,
  isNative: boolean,
  { parse, parsers }: BfclScoreOptions,
): Decoded {
  const decoded = decodeResult(result, category.language, isNative, parsers);
  if (parse === 'bfcl' || typeof decoded !== 'string' || typeof result !== 'string') return decoded;
  return readLeniently(result, question.functions) ?? decoded;
}

function judgeRelevance(checker: 'relevance' | 'irrelevance', decoded: Decoded): string {
  const hasCall = typeof decoded !== 'string' && decoded.length > 0;
  if (checker === 'irrelevance') return hasCall ? 'irrelevance_error:decoder_success' : 'ok';
  return hasCall ? 'ok' : 'relevance_error:decoder_failed';
}

function judgeCalls(decoded: Decoded, check: (calls: Exclude<Decoded, string>) => BfclVerdict): string {
  if (typeof decoded === 'string') return `ast_decoder:${decoded}`;
  const verdict = check(decoded);
  return verdict.valid ? 'ok' : verdict.errorType;
}

/** BFCL writes the error in place of the result of a failed request. */
function isFailedInference(result: Json): boolean {
  return typeof result === 'string' && result.startsWith('Error during inference:');
}

export interface BfclRunOptions extends BfclScoreOptions {
  /** Accept results of only some questions. Otherwise each question must have one, as in BFCL. */
  readonly partial: boolean;
  readonly prices: PriceTable | null;
  /** Scores of BFCL's evaluator, for categories without results to score here. */
  readonly scores?: readonly BfclScoreFile[];
  readonly onProgress?: (done: number, total: number) => void;
}

/** Scores BFCL result files against BFCL's questions and possible answers. Throws BFCL_FILE_INVALID. */
export function scoreBfclFiles({ tasks, leftOut }: BfclTasks, options: BfclRunOptions): BfclReport {
  const models = new Map<string, { categories: BfclCategoryScore[]; results: BfclResult[] }>();
  const has = (model: string, name: string) =>
    models.get(model)?.categories.some(({ category }) => category === name) ?? false;
  const open = (name: string) => {
    const model = models.get(name) ?? { categories: [], results: [] };
    models.set(name, model);
    return model;
  };
  for (const [i, task] of tasks.entries()) {
    const model = open(task.model);
    const { score, results } = scoreTask(task, options);
    if (has(task.model, score.category))
      throw invalid(task.results, `is a second file of ${task.category.name} for ${task.model}; keep one`);
    model.categories.push(score);
    model.results.push(...results);
    options.onProgress?.(i + 1, tasks.length);
  }
  for (const { model, category, file, correct, total } of options.scores ?? []) {
    if (has(model, category)) continue;
    const taken = { accuracy: correct / total, correct, total };
    const score = {
      category,
      official: taken,
      fixed: taken,
      errors: {},
      not_run: 0,
      samples: [],
      taken_from: file,
    };
    open(model).categories.push(score);
  }
  return {
    format: BFCL_REPORT_FORMAT,
    models: [...models].map(([model, { categories, results }]) => ({
      model,
      categories,
      ...spentBy(model, results, options.prices),
    })),
    left_out: leftOut
      .filter(({ model, category }) => !has(model, category))
      .map(({ file, reason }) => ({ file, reason })),
  };
}

function scoreTask(
  task: BfclTask,
  options: BfclRunOptions,
): { score: BfclCategoryScore; results: BfclResult[] } {
  const questions = readQuestions(task.questions);
  const answers = task.answers === null ? null : readAnswers(task.answers);
  if (answers !== null && answers.length !== questions.length)
    throw invalid(
      task.answers ?? task.questions,
      `has ${answers.length} answers to the ${questions.length} questions of ${task.questions}; they are joined line by line`,
    );
  const results = readResults(task.results);
  const missing = questions.length - results.length;
  if (missing > 0 && !options.partial)
    throw invalid(
      task.results,
      `has results for ${results.length} of ${questions.length} questions; score them with --partial-eval`,
    );
  const samples = scoreCategory(
    { category: task.category, questions, answers, results, place: task.results },
    options,
  );
  return { score: { ...summarize(samples), category: task.category.name, not_run: missing }, results };
}

function summarize(samples: readonly JudgedResult[]): Omit<BfclCategoryScore, 'category' | 'not_run'> {
  const accuracy = (key: 'official' | 'fixed') => {
    const correct = samples.filter((sample) => sample[key] === 'ok').length;
    return { accuracy: samples.length === 0 ? 0 : correct / samples.length, correct, total: samples.length };
  };
  const errors: Record<string, number> = {};
  for (const { official } of samples) if (official !== 'ok') errors[official] = (errors[official] ?? 0) + 1;
  return { official: accuracy('official'), fixed: accuracy('fixed'), errors, samples: [...samples] };
}
