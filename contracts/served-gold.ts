import { z } from 'zod';
import { sample } from './sample.ts';

/** `GET /tasks/<sample_id>/gold`, for the harness: what the question asks for, and calls that are proven to get it. */
export const servedGold = sample.pick({
  sample_id: true,
  query: true,
  gold_columns: true,
  gold_answer: true,
  ordered: true,
  order_groups: true,
  initialization_step: true,
  output: true,
  flags: true,
});
export type ServedGold = z.infer<typeof servedGold>;

/** The body of `POST /tasks/<sample_id>/judgement`, for the harness. */
export const judgedAnswer = z.strictObject({
  /** Rows, a list, a scalar or text. */
  answer: z.unknown(),
});

/** What it is worth by the contract of docs/scoring.md. */
export const answerVerdict = z.object({
  /** The rows in JSON, exactly as the contract asks for them. */
  strict: z.boolean(),
  /** The gold's information and nothing else, in any form that a person would accept. True wherever `strict` is. */
  fair: z.boolean(),
});
export type AnswerVerdict = z.infer<typeof answerVerdict>;
