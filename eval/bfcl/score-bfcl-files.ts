import { BFCL_REPORT_FORMAT, type BfclCategoryScore, type BfclReport } from '../../contracts/bfcl-report.ts';
import type { PriceTable } from '../metrics/efficiency.ts';
import { type BfclResult, invalid, readAnswers, readQuestions, readResults } from './bfcl-files.ts';
import type { BfclTask, BfclTasks } from './find-files.ts';
import { type BfclScoreOptions, type JudgedResult, scoreCategory } from './score-category.ts';
import { spentBy } from './spent.ts';

export interface BfclRunOptions extends BfclScoreOptions {
  /** Accept results of some of the questions; else each must have one, as in BFCL. */
  readonly partial: boolean;
  readonly prices: PriceTable | null;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Scores result files of BFCL against its questions and possible answers. Throws BFCL_FILE_INVALID. */
export function scoreBfclFiles({ tasks, leftOut }: BfclTasks, options: BfclRunOptions): BfclReport {
  const models = new Map<string, { categories: BfclCategoryScore[]; results: BfclResult[] }>();
  for (const [i, task] of tasks.entries()) {
    const model = models.get(task.model) ?? { categories: [], results: [] };
    const { score, results } = scoreTask(task, options);
    if (model.categories.some(({ category }) => category === score.category))
      throw invalid(task.results, `is a second file of ${task.category.name} for ${task.model}; keep one`);
    model.categories.push(score);
    model.results.push(...results);
    models.set(task.model, model);
    options.onProgress?.(i + 1, tasks.length);
  }
  return {
    format: BFCL_REPORT_FORMAT,
    models: [...models].map(([model, { categories, results }]) => ({
      model,
      categories,
      ...spentBy(model, results, options.prices),
    })),
    left_out: [...leftOut],
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
