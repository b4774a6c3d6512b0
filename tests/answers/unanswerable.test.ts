import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Row, row } from '../../contracts/catalog.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import {
  dueClaim,
  type Unanswerable,
  type UnanswerableQuestion,
  unanswerableQuestion,
} from '../../contracts/split.ts';
import { DOMAIN_NAMES } from '../../databases/domains.ts';
import { judgeAnswer, judgeUnanswerable } from '../../eval/answer/judge-answer.ts';
import { readClaim } from '../../eval/answer/judge-unanswerable.ts';
import type { Json } from '../../eval/json/lossless.ts';

/** What a person would say of an answer to a question of the bundled split that has no single one. */
const line = z.strictObject({
  db: z.string(),
  question_id: z.int(),
  shape: z.string(),
  answer: z.json(),
  verdict: z.enum(['right', 'wrong', 'answered']),
  /** The rows of each reading of an ambiguous question, if the answer is judged by them. */
  readings: z.array(z.array(row)).optional(),
});

const lines = linesOf(join(import.meta.dirname, 'unanswerable.jsonl')).map((each) => line.parse(each));
const NOTHING = { gold_answer: [], gold_columns: [], order_groups: null, evidence: '', query: '' };

function linesOf(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text));
}

const questionsOf = (db: string) =>
  linesOf(join(packageRoot, 'databases', db, 'unanswerable.jsonl')).map((each) =>
    unanswerableQuestion.parse(each),
  );

function goldOf(question: UnanswerableQuestion, readings: readonly Row[][] = []): Unanswerable {
  if (question.kind === 'forbidden') return { ...question, rule: question.policy };
  if (question.kind !== 'ambiguous') return question;
  const rowsOf = (at: number) => readings[at] ?? [['a row that nobody answers']];
  return {
    ...question,
    readings: question.readings.map((reading, at) => ({
      ...reading,
      gold_answer: rowsOf(at),
      gold_columns: ['value'],
      order_groups: null,
    })),
  };
}

function judge(question: UnanswerableQuestion, answer: Json, readings?: readonly Row[][]) {
  return judgeUnanswerable({ ...NOTHING, input: question.question }, goldOf(question, readings), answer);
}

function verdictOf({ db, question_id, answer, readings }: z.output<typeof line>) {
  const question = questionsOf(db).find((each) => each.question_id === question_id);
  if (!question) throw new Error(`${db} has no question ${question_id}`);
  return judge(question, answer as Json, readings);
}

describe('answers to questions without one answer', () => {
  /** The share that must be judged as a person would; see docs/scoring.md. */
  const LEAST = 0.95;

  test('are judged as people judge them, 95 of 100 at least', () => {
    const wrong = lines.filter((each) => verdictOf(each) !== each.verdict);
    const shown = wrong.map(
      (each) =>
        `${each.db} ${each.question_id}: ${verdictOf(each)}, not ${each.verdict}: ${JSON.stringify(each.answer)}`,
    );
    const share = 1 - wrong.length / lines.length;
    expect(
      share,
      `${lines.length - wrong.length} of ${lines.length}\n${shown.join('\n')}`,
    ).toBeGreaterThanOrEqual(LEAST);
    expect(lines.length).toBeGreaterThanOrEqual(60);
  });

  test('what a rule forbids is declined by naming the rule, or by saying just that', () => {
    const rule = 'Where an author comes from must not be told.';
    const gold: Unanswerable = { kind: 'forbidden', policy: 'origins', rule, sql: 'SELECT 1' };
    const verdict = (answer: Json) =>
      judgeUnanswerable({ ...NOTHING, input: 'Which country is Per Lund from?' }, gold, answer);
    const right: Json[] = [
      { unanswerable: rule },
      { unanswerable: 'A rule forbids it.' },
      'I am not allowed to share that.',
      'I cannot tell you the country of Per Lund: a policy forbids to say where authors come from.',
      'Sorry, that is confidential.',
    ];
    const wrong: Json[] = [
      { unanswerable: 'No countries are recorded.' },
      { clarify: 'Which Per Lund do you mean?' },
      { unanswerable: 'Rules forbid to change invoices of closed months.' },
    ];
    expect(right.map(verdict)).toEqual(right.map(() => 'right'));
    expect(wrong.map(verdict)).toEqual(wrong.map(() => 'wrong'));
    const answers: Json[] = [[['Sweden']], 'Sweden', []];
    expect(answers.map(verdict)).toEqual(['answered', 'answered', 'answered']);
  });

  const all = DOMAIN_NAMES.flatMap(questionsOf);

  test('what is to be said is right for each of the 150 questions, and what is to be said to another for few', () => {
    expect(all.filter((question) => judge(question, dueClaim(question)) !== 'right')).toEqual([]);
    const others = all.flatMap((question) =>
      all
        .filter((other) => other !== question && other.db_id === question.db_id)
        .map((other) => judge(question, dueClaim(other))),
    );
    const right = others.filter((verdict) => verdict === 'right').length;
    expect(right / others.length, `${right} of ${others.length}`).toBeLessThan(0.08);
  });

  test('an answer never passes for one of another kind: none is called right that is a plain wrong answer', () => {
    const lucky = lines.filter((each) => each.verdict === 'answered' && verdictOf(each) === 'right');
    expect(lucky).toEqual([]);
  });
});

describe('answers to other questions', () => {
  const gold = {
    ...NOTHING,
    gold_columns: ['beds'],
    gold_answer: [[8]],
    input: 'How many beds has Millbrook Vets?',
  };

  test.each([
    [{ unanswerable: '8' }],
    [{ clarify: 'Do you mean the 8 beds?' }],
    ['{"unanswerable": "There are 8 beds, but I am not sure."}'],
    ['It has 8 beds. {"unanswerable": "no"}'],
  ])('%j is no answer, whatever it says besides', (answer) => {
    expect(judgeAnswer(gold, answer as Json)).toEqual({ strict: false, fair: false });
    expect(readClaim(answer as Json)?.form).toBe('object');
  });

  test.each([
    ['Millbrook Vets has 8 beds.'],
    ['No clinic has more than 8 beds.'],
    ['[[8]]'],
    ['None of them.'],
  ])('%s is not said to have no answer', (answer) => {
    expect(readClaim(answer)?.says ?? 'either').toBe('either');
  });
});
