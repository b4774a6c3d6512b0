import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sample } from '../../contracts/sample.ts';
import { judgeAnswer } from '../../eval/answer/judge-answer.ts';
import { type Json, parseJson, plain } from '../../eval/json/lossless.ts';

/** An answer to a question on a bundled database, in reading 5 on an invented one, and the verdict of the readers. */
const calibrated = sample
  .pick({
    input: true,
    evidence: true,
    query: true,
    gold_columns: true,
    gold_answer: true,
    order_groups: true,
  })
  .extend({
    id: z.string(),
    /** In which of five rounds it was written. Two readers agree on the verdicts of 1 and 2; the others are one reader's. */
    reading: z.literal([1, 2, 3, 4, 5]),
    shape: z.string(),
    right: z.boolean(),
    tied_rows: sample.shape.tied_rows,
    other_answers: sample.shape.other_answers,
    output_after_executing_api: z.unknown(),
  });

export const cases = readFileSync(new URL('./calibration.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const value = parseJson(line) as { readonly answer: Json };
    const gold = calibrated.parse(plain(value as Json));
    return { ...gold, answer: value.answer, verdict: judgeAnswer(gold, value.answer) };
  });
