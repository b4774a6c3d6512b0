import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { coverage } from '../../contracts/farm.ts';
import { DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { placeSources } from '../../services/base/scalars/gazetteer.ts';
import { computedAnswers, registerScalars } from '../../services/base/scalars/workspace.ts';
import { generate } from '../generate.ts';
import { readSplit } from '../read/read-split.ts';
import { augmentSplit } from './augment-split.ts';
import type { AugmentedDomain } from './ideas.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-augment-'));
const split = join(folder, 'depots');
const OPTIONS = {
  seed: '5',
  perQuestion: 12,
  every: 1,
  referenceTime: DEFAULT_REFERENCE_TIME,
  timeoutMs: 30_000,
  jobs: 2,
};

const QUESTIONS = [
  ['Which depots have a capacity above 40?', 'SELECT name FROM depot WHERE capacity > 40'],
  ['How many depots are there?', 'SELECT count(*) FROM depot'],
  [
    'Which vans belong to a depot? Give their makers.',
    'SELECT v.maker FROM van AS v JOIN depot AS d ON d.depot_id = v.depot_id',
  ],
  ['Which names do depots and vans have?', 'SELECT name FROM depot UNION SELECT maker FROM van'],
  [
    'Which depot has the largest capacity?',
    'SELECT name FROM depot WHERE capacity = (SELECT max(capacity) FROM depot)',
  ],
  ['What are all the codes?', 'SELECT code FROM lock'],
] as const;

beforeAll(async () => {
  mkdirSync(split);
  const db = new Database(join(split, 'depots.sqlite'));
  db.exec(`CREATE TABLE depot (depot_id INTEGER PRIMARY KEY, name TEXT, city TEXT, country TEXT, capacity INTEGER,
      latitude REAL, longitude REAL);
    CREATE TABLE van (van_id INTEGER PRIMARY KEY, depot_id INTEGER REFERENCES depot (depot_id), maker TEXT);
    CREATE TABLE lock (code TEXT);
    INSERT INTO depot VALUES (1, 'Mill Yard', 'Acton', 'England', 48, 51.5, -0.3), (2, 'Old Quay', 'Ribe', 'Denmark', 36, 55.3, 8.8),
      (3, 'Elm Gate', 'Regina', 'Canada', 61, 50.4, -104.6), (4, 'Salt Row', 'Turku', 'Finland', 97, 60.5, 22.3),
      (5, 'Harbour Side', 'Odense', 'Denmark', 55, 55.4, 10.4), (6, 'Fern Bank', 'Leeds', 'England', 80, 53.8, -1.5),
      (7, 'Amber Hall', 'Oulu', 'Finland', 13, 65.0, 25.5);
    INSERT INTO van VALUES (1, 1, 'Brisk'), (2, 1, 'Tallow'), (3, 3, 'Cavendish'), (4, 4, 'Orrin'), (5, 6, 'Tallow');
    INSERT INTO lock VALUES ('X1'), ('Z9'), ('Q7')`);
  db.close();
  const lines = QUESTIONS.map(
    ([question, sql], i) => `${JSON.stringify({ question_id: i, db_id: 'depots', question, sql })}\n`,
  );
  writeFileSync(join(split, 'questions.jsonl'), lines.join(''));
  made = await augmentSplit(split, { ...OPTIONS, out: join(folder, 'out') });
  few = await augmentSplit(split, { ...OPTIONS, perQuestion: 2, out: join(folder, 'few') });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

let made: readonly AugmentedDomain[] = [];
/** The same with fewer of each question. */
let few: readonly AugmentedDomain[] = [];
const kept = () => made.flatMap(({ questions }) => questions);

test('questions of every class and depth are made', () => {
  const kinds = new Set(kept().map(({ augmentation: { class: kind, depth } }) => `${kind} ${depth}`));
  expect([...kinds].sort()).toEqual(
    [
      'lexical 1',
      'lexical 2',
      'lexical 3',
      'numeric 1',
      'geographic 1',
      'geographic 2',
      'geographic 3',
    ].sort(),
  );
  expect(new Set(kept().map(({ augmentation: { augmenter } }) => augmenter))).toEqual(
    new Set(['filter', 'projection', 'aggregation', 'order']),
  );
});

test('lists are conditions, met once a row, and results', () => {
  const ways = kept().flatMap(({ augmentation: { augmenter, apis }, sql }) => {
    const [, kind] = /^list_(.*)/.exec(apis[0] ?? '') ?? [];
    if (kind === undefined) return [];
    expect(sql).toContain(
      augmenter === 'filter' ? `EXISTS (SELECT 1 FROM "list_${kind}"` : `LEFT JOIN "list_${kind}"`,
    );
    return [`${augmenter} ${kind}`];
  });
  const expected = ['filter words', 'filter prime_factors', 'projection prime_factors'];
  expect(expected.filter((way) => !ways.includes(way))).toEqual([]);
});

test('each says in its words what is added, and tells what it was made of', () => {
  for (const { question, augmentation, question_id } of kept()) {
    const { original } = augmentation;
    expect(String(question_id)).toMatch(new RegExp(`^${original.question_id}\\.\\d+$`));
    expect(question).toContain(original.question.replace(/[?.]$/, ''));
    expect(question.length).toBeGreaterThan(original.question.length + 10);
    expect(augmentation.apis).toHaveLength(augmentation.depth);
  }
});

test('no question has the answer that it had, nor its own without one of its APIs', async () => {
  const [domain] = (await readSplit(split)).domains;
  if (!domain) throw new Error('no domain');
  const db = new Database(domain.file, { readonly: true });
  registerScalars(db, computedAnswers(domain.file, placeSources(domain.catalog)));
  const answer = (sql: string) => {
    try {
      return JSON.stringify(db.prepare(sql).raw().all());
    } catch (error) {
      return String(error);
    }
  };
  for (const { sql, augmentation } of kept()) {
    expect(answer(augmentation.virtual_sql), sql).not.toBe(answer(augmentation.original.sql));
    for (const api of augmentation.apis.filter((name) => sql.includes(`${name}(`))) {
      // A function of its first argument that gives it back.
      const without = sql.replaceAll(`${api}(`, 'coalesce(NULL, ');
      expect(answer(without), `${sql} without ${api}`).not.toBe(answer(sql));
    }
  }
  db.close();
});

test('says why nothing could be made of a question', () => {
  const reasons = new Map(
    made.flatMap(({ eliminated }) =>
      eliminated.map(({ question_id, rejection }) => [question_id, rejection.code]),
    ),
  );
  expect(reasons.get(3)).toBe('NOT_AUGMENTABLE');
  expect(reasons.get(4)).toBe('NOT_AUGMENTABLE');
  expect(reasons.get(5)).toBe('COLUMN_UNFIT');
});

test('the same seed makes the same questions, another one others', async () => {
  const texts = (domains: readonly AugmentedDomain[]) =>
    domains.flatMap(({ questions }) => questions.map((question) => JSON.stringify(question)));
  const first = (most: number) =>
    texts(made).filter((text) => Number(JSON.parse(text).question_id.split('.')[1]) <= most);
  const other = await augmentSplit(split, {
    ...OPTIONS,
    perQuestion: 1,
    seed: '8',
    out: join(folder, 'other'),
  });
  expect(texts(few)).toEqual(first(2));
  expect(texts(other)).not.toEqual(first(1));
}, 120_000);

describe('a farm of an augmented split', () => {
  const farm = join(folder, 'farm');
  const asked = () => few.flatMap(({ questions }) => questions);
  beforeAll(async () => {
    const { referenceTime, timeoutMs } = OPTIONS;
    const hidden = [{ share: 60, seed: 0 }];
    await generate(join(folder, 'few'), { out: farm, referenceTime, timeoutMs, hidden });
  }, 120_000);

  test('has each question as a hybrid task that tells how it was made', () => {
    const { samples } = readFarm(farm);
    expect(samples.map(({ question_id }) => question_id).sort()).toEqual(
      asked()
        .map(({ question_id }) => question_id)
        .sort(),
    );
    const of = new Map(asked().map((question) => [question.question_id, question.augmentation]));
    for (const { augmentation, formulation, question_id, plan } of samples) {
      expect(formulation).toBe('hybrid');
      expect(augmentation).toEqual(of.get(question_id));
      expect(plan?.calls).toBeGreaterThanOrEqual(augmentation?.depth ?? 9);
    }
  });

  test('rejects it in the other formulations by a code of its own', () => {
    const { verdicts } = coverage.parse(JSON.parse(readFileSync(join(farm, 'coverage.json'), 'utf8')));
    const others = verdicts.filter(({ formulation }) => formulation !== 'hybrid');
    expect(others).toHaveLength(asked().length * 3);
    expect(new Set(others.map(({ rejection }) => rejection?.code))).toEqual(new Set(['NEEDS_SCALAR_APIS']));
  });
});
