import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { readLines } from '../farm/json-lines.ts';
import { isObject, type Json, parseJson, plain } from '../json/lossless.ts';
import type { BfclAnswer, BfclFunction } from '../metrics/bfcl/types.ts';

/** One line of a question file. */
export interface BfclQuestion {
  readonly id: string;
  readonly functions: readonly BfclFunction[];
}

/** One line of a result file. */
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
    if (!question.success) throw invalid(place, `is not a question: ${describe(question.error)}`);
    const { id, function: functions } = question.data;
    return { id, functions: Array.isArray(functions) ? functions : [functions] };
  });
}

/** Reads `possible_answer/BFCL_v4_<category>.json`: the gold calls of each line. Throws BFCL_FILE_INVALID. */
export function readAnswers(file: string): BfclAnswer[][] {
  return [...linesOf(file)].map(({ place, value }) => {
    const answer = answerSchema.safeParse(value);
    if (!answer.success) throw invalid(place, `is not an answer: ${describe(answer.error)}`);
    return answer.data.ground_truth.map((call) => {
      const [[name, parameters] = ['', {}]] = Object.entries(call);
      return { name, parameters };
    });
  });
}

/** Reads `BFCL_v4_<category>_result.json`. Throws BFCL_FILE_INVALID, also for a second result of a question. */
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

function* linesOf(file: string): Generator<{ place: string; value: Json }> {
  for (const { number, text } of readLines(file)) {
    const place = `${file}:${number}`;
    try {
      yield { place, value: parseJson(text) };
    } catch (cause) {
      if (cause instanceof UserError) throw cause;
      throw invalid(
        place,
        `is not JSON (${(cause as Error).message}); the file has one object a line`,
        cause,
      );
    }
  }
}

/** Tokens or seconds; BFCL writes lists for several turns, and 0 where it does not know. */
function amount(value: Json | undefined): number | null {
  const number = value === undefined ? null : plain(value);
  return typeof number === 'number' && number > 0 ? number : null;
}

function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.message ?? 'a fault'} at ${issue?.path.join('.') || 'the top'}`;
}

/** BFCL_FILE_INVALID, with the place and what is wrong there. */
export function invalid(place: string, fault: string, cause?: unknown): UserError {
  return new UserError('BFCL_FILE_INVALID', place, fault, { cause });
}
