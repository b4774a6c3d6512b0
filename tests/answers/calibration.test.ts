import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sample } from '../../contracts/sample.ts';
import { judgeAnswer } from '../../eval/answer/judge-answer.ts';
import { type Json, parseJson, plain } from '../../eval/json/lossless.ts';

/** An answer to a bundled question, and the verdict on which two independent readers agree. */
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
  expect(right.length).toBeGreaterThan(350);
  expect(wrong.length).toBeGreaterThan(200);
});

test('no answer that both readers call wrong is accepted', () => {
  expect(shown(wrong.filter(({ verdict }) => verdict.fair))).toEqual([]);
});

test('at least 97 % of the answers that both readers call right are accepted', () => {
  const refused = right.filter(({ verdict }) => !verdict.fair);
  expect(refused.length / right.length, shown(refused).join('\n')).toBeLessThanOrEqual(0.03);
});

test('what is strictly right is fair', () => {
  expect(shown(cases.filter(({ verdict }) => verdict.strict && !verdict.fair))).toEqual([]);
});
