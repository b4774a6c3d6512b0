import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sample } from '../../contracts/sample.ts';
import { judgeAnswer } from '../../eval/answer/judge-answer.ts';
import { type Json, parseJson, plain } from '../../eval/json/lossless.ts';

/** An answer to a question on a bundled database, and the verdict of the readers. */
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
    /** In which of three rounds it was written. Two readers agree on the verdicts of 1 and 2; those of 3 are one reader's. */
    reading: z.literal([1, 2, 3]),
    shape: z.string(),
    right: z.boolean(),
    tied_rows: sample.shape.tied_rows,
    other_answers: sample.shape.other_answers,
    output_after_executing_api: z.unknown(),
  });

const cases = readFileSync(new URL('./calibration.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const value = parseJson(line) as { readonly answer: Json };
    const gold = calibrated.parse(plain(value as Json));
    return { ...gold, answer: value.answer, verdict: judgeAnswer(gold, value.answer) };
  });
const right = cases.filter((each) => each.right);
const wrong = cases.filter((each) => !each.right);
const shown = (list: typeof cases) => list.map(({ id, shape }) => `${id}: ${shape}`);

test('there are as many answers as a verdict on the judge takes', () => {
  expect(right.length).toBeGreaterThan(750);
  expect(wrong.length).toBeGreaterThan(550);
});

test('no wrong answer is accepted', () => {
  expect(shown(wrong.filter(({ verdict }) => verdict.fair))).toEqual([]);
});

test.each([
  { reading: 1, floor: 96 },
  { reading: 2, floor: 98 },
  { reading: 3, floor: 99 },
])('of the right answers of reading $reading at least $floor % are accepted', ({ reading, floor }) => {
  const all = right.filter((each) => each.reading === reading);
  const refused = all.filter(({ verdict }) => !verdict.fair);
  const share = (100 * (all.length - refused.length)) / all.length;
  expect(share, shown(refused).join('\n')).toBeGreaterThanOrEqual(floor);
});

test('what is strictly right is fair', () => {
  expect(shown(cases.filter(({ verdict }) => verdict.strict && !verdict.fair))).toEqual([]);
});
