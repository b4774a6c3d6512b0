import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Coverage } from '../contracts/farm.ts';
import type { Sample } from '../contracts/sample.ts';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { parsePredictions } from '../eval/farm/read-farm.ts';
import type { Report } from '../eval/metrics/report.ts';
import { scoreFarm } from '../eval/score/score-farm.ts';
import { generate } from '../generator/generate.ts';
import { initSplit } from '../generator/init-split.ts';
import { starterFarm } from './support/farms.ts';
import { servedFarm } from './support/served-farm.ts';
import { scratchFolder, writeFiles } from './support/split-fixture.ts';

const LONGEST = 'SELECT title FROM book ORDER BY pages DESC LIMIT 1';
const MOST_LENT =
  'SELECT b.title FROM book b JOIN loan l ON l.book_id = b.book_id GROUP BY b.book_id ORDER BY COUNT(*) DESC LIMIT 1';
const ambiguous = (question_id: number, ...queries: string[]) => ({
  question_id,
  question: `What is our biggest book? (${question_id})`,
  kind: 'ambiguous',
  readings: queries.map((sql, at) => ({
    meaning: ['the book with the most pages', 'the book lent most often'][at],
    sql,
  })),
  clarification: 'Biggest by pages or by loans?',
});
const premise = (question_id: number, check_sql: string) => ({
  question_id,
  question: `Which of the Norwegian authors wrote most books? (${question_id})`,
  kind: 'false_premise',
  premise: 'Some authors are Norwegian.',
  refutation: 'No author comes from Norway.',
  check_sql,
});
const missing = {
  question_id: 104,
  question: 'Who borrowed the most books?',
  kind: 'not_in_data',
  missing: 'Who borrowed a book: readers are not recorded.',
  nearest: 'loan, which has the book and its days',
};
const QUESTIONS = [
  ambiguous(100, LONGEST, MOST_LENT),
  ambiguous(101, LONGEST, LONGEST.replace(' LIMIT', '  LIMIT')),
  premise(102, "SELECT name FROM author WHERE country = 'Norway'"),
  premise(103, "SELECT name FROM author WHERE country = 'Ireland'"),
  missing,
  ambiguous(105, LONGEST, 'SELECT cover FROM book'),
];

const outer = scratchFolder();
const out = join(outer, 'farm');
let plain: string;

const served = servedFarm({
  async make() {
    const split = join(outer, 'split');
    await initSplit(split);
    plain = await starterFarm();
    const lines = QUESTIONS.map((each) => `${JSON.stringify({ db_id: 'library', ...each })}\n`);
    writeFiles(split, { 'unanswerable/library.jsonl': lines.join('') });
    await generate(split, { out, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000, jobs: 1 });
    return out;
  },
});

const text = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8');

test('those that hold are samples of their own in each formulation, the others rejected with the reason', () => {
  const { unanswerable = [] } = JSON.parse(text(out, 'coverage.json')) as Coverage;
  expect(
    unanswerable.map(({ question_id, formulations, rejection }) => [
      question_id,
      formulations.length,
      rejection?.reason ?? null,
    ]),
  ).toEqual([
    [100, 4, null],
    [101, 0, 'readings 1 and 2 give the same rows'],
    [102, 4, null],
    [103, 0, 'check_sql finds rows'],
    [104, 4, null],
    [105, 0, expect.stringContaining('cover')],
  ]);
  const samples = text(out, 'eval/unanswerable/library.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample);
  const kinds = samples.map(({ formulation }) => formulation);
  expect(kinds).toEqual([0, 1, 2].flatMap(() => ['rest', 'slot', 'sel', 'query']));
  expect(samples.every(({ output, gold_answer }) => output.length + gold_answer.length === 0)).toBe(true);
});

test('the samples of other questions are byte for byte those of a split without them', () => {
  expect(text(out, 'eval/library.jsonl')).toBe(text(plain, 'eval/library.jsonl'));
  expect(text(out, 'services/library.json')).toBe(text(plain, 'services/library.json'));
  expect(text(out, 'tasks/library.jsonl').startsWith(text(plain, 'tasks/library.jsonl'))).toBe(true);
});

describe('tasks', () => {
  const ids = async (query: string) => {
    const page = await served.farm.client.get<{ tasks: { question_id: number }[] }>(
      `/tasks?formulation=rest${query}`,
    );
    return page.tasks.map(({ question_id }) => question_id);
  };

  test('are theirs only where they are asked for, mixed with as many others', async () => {
    expect((await ids('&all=true')).every((id) => id < 100)).toBe(true);
    expect(await ids('&unanswerable=only')).toEqual([100, 102, 104]);
    const mixed = await ids('&unanswerable=mixed&all=true');
    expect(mixed.filter((id) => id >= 100)).toEqual([100, 102, 104]);
    expect(mixed).toHaveLength(6);
  });

  test('say nothing of it to an agent, who may not ask for them either', async () => {
    const { client } = served.farm;
    const { tasks } = await client.get<{ tasks: Record<string, unknown>[] }>(
      '/tasks?formulation=slot&unanswerable=mixed&all=true',
    );
    expect(new Set(tasks.map((task) => Object.keys(task).join()))).toHaveProperty('size', 1);
    expect(JSON.stringify(tasks)).not.toContain('unanswerable');
    const refused = await fetch(client.address('/tasks?unanswerable=only'));
    expect(refused.status).toBe(403);
  });
});

describe('verdicts', () => {
  const scoreOf = async (
    answers: Readonly<Record<string, unknown>>,
    formulation = 'rest',
  ): Promise<Report> => {
    const lines = Object.entries(answers).map(([id, answer], at) => ({
      number: at + 1,
      text: JSON.stringify({ sample_id: `split/library/${id}/${formulation}`, answer, calls: [] }),
    }));
    const farm = served.farm.scored;
    if (!farm) throw new Error('the farm is a folder');
    const { universe, replay } = served.open;
    return scoreFarm({
      farm,
      predictions: parsePredictions('answers', lines, farm),
      universe,
      replay,
      options: { selection: 'all' },
    });
  };
  const verdicts = ({ samples }: Report) =>
    samples.flatMap(({ question_id, unanswerable }) =>
      unanswerable ? [[question_id, unanswerable.verdict]] : [],
    );

  test('are of their own, and no answer to them moves completion', async () => {
    const right = await scoreOf({
      1: [['The Long Tide'], ['A Winter Ledger'], ['The Glass Orchard']],
      2: { unanswerable: 'No author has a country.' },
      100: [['The Long Tide']],
      102: 0,
      104: { unanswerable: 'Readers are not recorded.' },
    });
    expect(verdicts(right)).toEqual([
      [100, 'right'],
      [102, 'answered'],
      [104, 'right'],
    ]);
    expect(right.metrics.unanswerable.right).toMatchObject({ count: 2, n: 3 });
    expect(right.metrics.refused).toMatchObject({ count: 1, n: 2 });
    const alone = await scoreOf({ 1: [['The Long Tide'], ['A Winter Ledger'], ['The Glass Orchard']], 2: 1 });
    expect(alone.metrics.completion.n).toBe(right.metrics.completion.n);
    expect(right.metrics.completion.count).toBe(1);
    expect(right.ledger.total).toBe(alone.ledger.total);
  });

  test.each([
    [{ clarify: 'By pages or by loans?' }, 'right'],
    [[['A Winter Ledger']], 'right'],
    [[['Cedar']], 'answered'],
    [{ clarify: 'Which library?' }, 'wrong'],
    [null, 'silent'],
  ])('%j to an ambiguous question is %s', async (answer, verdict) => {
    expect(verdicts(await scoreOf({ 100: answer }, 'sel'))).toEqual([[100, verdict]]);
  });

  test.each(['rest', 'slot', 'sel'] as const)('the oracle says what is due, in %s', async (formulation) => {
    const { report } = await served.run({
      agent: 'oracle',
      formulation,
      select: { unanswerable: 'mixed', all: true },
    });
    expect(report.metrics.unanswerable.right).toMatchObject({ count: 3, n: 3 });
    expect(report.metrics.completion).toMatchObject({ count: 3, n: 3 });
    expect(report.metrics.refused).toMatchObject({ count: 0, n: 3 });
  });

  test.each(['tools', 'react', 'mcp'])('so does a perfect model with --agent %s', async (agent) => {
    const select = { unanswerable: 'mixed', all: true } as const;
    const { report } = await served.run({ agent, model: 'mock/gold', formulation: 'slot', select });
    expect(report.metrics.unanswerable.right).toMatchObject({ count: 3, n: 3 });
    expect(report.metrics.completion).toMatchObject({ count: 3, n: 3 });
  });

  test('an agent that answers by calls alone answers anyway', async () => {
    const { report } = await served.run({
      agent: 'random',
      formulation: 'rest',
      select: { unanswerable: 'only' },
    });
    expect(report.metrics.unanswerable.answered).toMatchObject({ count: 3, n: 3 });
    expect(report.metrics.completion).toMatchObject({ n: 0, value: null });
  });
});
