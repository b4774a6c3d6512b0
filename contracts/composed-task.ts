import { z } from 'zod';

/** A proven sample as a part of a composed task. */
export const taskPart = z.strictObject({
  sample_id: z.string(),
  /**
   * Arguments in place of those of the sample's only gold call, where the part asks the same for other values. Its gold
   * rows are then what the endpoint answers to them: it was proven equal to its SQL for other values too.
   */
  arguments: z.record(z.string(), z.unknown()).optional(),
});
export type TaskPart = z.infer<typeof taskPart>;

/** What is right in a turn of a conversation: an answer, or no call since a function or a value is missing. */
export const turnExpects = z.enum(['answer', 'no_call']);
export type TurnExpects = z.infer<typeof turnExpects>;

/** What an agent did in one turn of a conversation. A turn that was never reached has neither calls, answer nor output. */
export const predictedTurn = z.strictObject({
  /** The sample that the turn asks for. */
  sample_id: z.string(),
  expects: turnExpects,
  /** Made in this turn; as in a prediction. */
  calls: z.array(z.unknown()).nullish(),
  answer: z.unknown().optional(),
  raw_output: z.string().nullish(),
});
export type PredictedTurn = z.infer<typeof predictedTurn>;
