import type { Json } from '../json/lossless.ts';
import { type BfclInput, checkBfcl, checkBfclFixed } from '../metrics/bfcl/bfcl.ts';
import type { BfclAnswer, BfclVerdict } from '../metrics/bfcl/types.ts';
import { type BfclQuestion, type BfclResult, invalid } from './bfcl-files.ts';
import type { FileCategory } from './categories.ts';
import { decodeResult } from './decode/decode-result.ts';
import type { Decoded } from './decode/decoded.ts';
import type { LanguageParsers } from './decode/language-parsers.ts';
import { readLeniently } from './decode/read-leniently.ts';

/** One result, judged: `ok`, or the error type as in BFCL's score files. */
export interface JudgedResult {
  readonly id: string;
  readonly official: string;
  readonly fixed: string;
}

export interface CategoryInput {
  readonly category: FileCategory;
  readonly questions: readonly BfclQuestion[];
  /** Line by line as the questions; null where the category has none. */
  readonly answers: readonly (readonly BfclAnswer[])[] | null;
  readonly results: readonly BfclResult[];
  /** The result file, for errors. */
  readonly place: string;
}

export interface BfclScoreOptions {
  /** `bfcl`: BFCL's own decoders; `lenient`: texts that these cannot read go down the ladder. */
  readonly parse: 'bfcl' | 'lenient';
  /** Whether names have `_` for `.`; `auto`: if the model is a function-calling one, and calls no name with a dot. */
  readonly dots: 'auto' | 'kept' | 'underscores';
  /** null where no category is in Java or JavaScript. */
  readonly parsers: LanguageParsers | null;
}

/**
 * Judges the results of a category as BFCL does (`official`), and by its mended rules (`fixed`): defaults may be given,
 * parallel calls match as well as they can, and an inference that failed is wrong, also where no call was right.
 *
 * @throws BFCL_FILE_INVALID for a result of no question.
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

/** BFCL writes the error in place of a result when a request failed. */
function isFailedInference(result: Json): boolean {
  return typeof result === 'string' && result.startsWith('Error during inference:');
}
