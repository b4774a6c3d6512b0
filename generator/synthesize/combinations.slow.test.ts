import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sameRows } from '../../contracts/answer-rows.ts';
import type { Row } from '../../contracts/catalog.ts';
import { type Coverage, coverage } from '../../contracts/farm.ts';
import { AGGREGATE_METRICS, FILTER_OPERATORS, type QueryArguments } from '../../contracts/query-tool.ts';
import { collectionsOf } from '../../services/domain/query/collections.ts';
import { generate } from '../generate.ts';
import { Oracle } from '../oracle/oracle.ts';
import { synthesizeCombinations, type ToolSynthesis } from './combinations.ts';
import { findDatabases } from './find-databases.ts';
import { synthesizeSplit } from './synthesize.ts';
import { COMBINATIONS, combinationOf, complexityOf, toolSql } from './tool-calls.ts';

test('there are 63 combinations, in the order of the published data', () => {
  expect(COMBINATIONS).toHaveLength(63);
  const codes = COMBINATIONS.map(({ code }) => code);
  expect(new Set(codes).size).toBe(63);
  const letters = ['i', 't', 'b', '-'];
  codes.forEach((code, i) => {
    const [filter, aggregation] = [letters[Math.floor((i % 32) / 8)], letters[Math.floor((i % 8) / 2)]];
    expect(code).toBe(`${Number(i < 32)}${filter}${aggregation}${Number(i % 2 === 0)}`);
  });
});

test('8 are simple, 22 moderate and 33 complex', () => {
  const count = (complexity: string) =>
    COMBINATIONS.filter((each) => complexityOf(each) === complexity).length;
  expect([count('simple'), count('moderate'), count('complex')]).toEqual([8, 22, 33]);
});

test('half of them search and group, and a quarter have each type of filter and of aggregation', () => {
  const count = (has: (each: (typeof COMBINATIONS)[number]) => boolean) => COMBINATIONS.filter(has).length;
  expect([count(({ search }) => search), count(({ group }) => group)]).toEqual([32, 32]);
  for (const type of ['integer', 'text', 'boolean']) {
    expect([
      count(({ filter }) => filter === type),
      count(({ aggregation }) => aggregation === type),
    ]).toEqual([16, 16]);
  }
});

test('the combination of a call is read from its arguments', () => {
  expect(
    combinationOf({
      collection_name: 'inn',
      search_query: 'quiet',
      text_property_filter: { property_name: 'town', operator: '=', value: 'Bonn' },
      integer_property_aggregation: { property_name: 'beds', metrics: 'SUM' },
    }).code,
  ).toBe('1ti0');
});

const referenceTime = '2025-01-01 00:00:00';
const folder = mkdtempSync(join(tmpdir(), 'rookery-combinations-'));
const file = join(folder, 'inns.sqlite');
let oracle: Oracle;
let made: ToolSynthesis;

beforeAll(async () => {
  const db = new Database(file);
  db.exec(`
    CREATE TABLE inn (name TEXT, town TEXT, kind TEXT, notes TEXT, beds INTEGER, price REAL, open_now TEXT, garden INTEGER);
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 239)
    INSERT INTO inn SELECT
      CASE i % 9 WHEN 0 THEN 'Golden Lion' WHEN 1 THEN 'Red Ox' WHEN 2 THEN 'Swan' WHEN 3 THEN 'Golden Star' WHEN 4 THEN NULL WHEN 5 THEN 'Bear' WHEN 6 THEN 'Swan' ELSE 'Lamb' END,
      CASE (i * 7) % 11 WHEN 0 THEN NULL WHEN 1 THEN 'Metz' WHEN 2 THEN 'Metz' WHEN 3 THEN 'Trier' WHEN 4 THEN 'Basel' ELSE 'Bonn' END,
      CASE WHEN i % 5 = 0 THEN 'hotel' WHEN i % 3 = 0 THEN 'hostel' ELSE 'tavern' END,
      CASE (i * 5) % 13 WHEN 0 THEN 'Guests love hiking from here' WHEN 1 THEN 'Hikers meet in its cellar' WHEN 2 THEN 'A hike to the river, and dancing' WHEN 3 THEN 'Dances on every Saturday' WHEN 4 THEN 'Quiet rooms' ELSE 'Close to the station' END,
      CASE WHEN i % 17 = 0 THEN NULL WHEN i % 3 = 0 THEN 12 ELSE 4 + (i * 13) % 37 END,
      CASE WHEN i % 4 = 1 THEN 65 ELSE 40 + ((i * 29) % 61) * 0.5 END,
      CASE WHEN i % 19 = 0 THEN NULL WHEN (i * 3) % 5 < 2 THEN 'Y' ELSE 'N' END,
      (i * 11) % 7 < 2 FROM n;
    CREATE TABLE note (text TEXT);
    INSERT INTO note VALUES ('one'), ('two');`);
  db.close();
  oracle = new Oracle({ referenceTime, limitMs: 5_000 });
  made = await draw('7');
});

afterAll(async () => {
  await oracle.close();
  rmSync(folder, { recursive: true });
});

async function draw(seed: string, perCombination = 1): Promise<ToolSynthesis> {
  const [domain] = await findDatabases(file);
  if (!domain) throw new Error('no database');
  return synthesizeCombinations(domain, oracle, { perCombination, seed, referenceTime });
}

const argumentsOf = ({ query_arguments }: ToolSynthesis['questions'][number]) =>
  query_arguments as unknown as QueryArguments;

async function rowsOf(sql: string): Promise<readonly Row[]> {
  return (await oracle.run(file, sql)).rows;
}

test('a collection with texts, numbers and booleans gives a question for each combination', () => {
  expect(made.missing).toEqual([]);
  expect(made.questions.map((one) => combinationOf(argumentsOf(one)).code)).toEqual(
    COMBINATIONS.map(({ code }) => code),
  );
  expect(new Set(made.questions.map(({ question }) => question)).size).toBe(63);
});

test('every operator and every metric has its turn, but for the type of values', () => {
  const used = new Set(
    made.questions.flatMap((one) =>
      Object.values(argumentsOf(one) as object).flatMap((value: { operator?: string; metrics?: string }) => [
        value.operator,
        value.metrics,
      ]),
    ),
  );
  for (const each of [...Object.values(FILTER_OPERATORS), ...Object.values(AGGREGATE_METRICS)].flat()) {
    expect(used.has(each), each).toBe(each !== 'TYPE');
  }
});

test('the same seed gives the same questions, another seed gives others', async () => {
  expect((await draw('7')).questions).toEqual(made.questions);
  expect((await draw('8')).questions).not.toEqual(made.questions);
});

test('a question has every value in it that nobody could guess', () => {
  for (const one of made.questions) {
    const { search_query, integer_property_filter, text_property_filter } = argumentsOf(one);
    for (const value of [search_query, integer_property_filter?.value, text_property_filter?.value]) {
      if (value !== undefined) expect(one.question).toContain(String(value));
    }
  }
});

test('without any one of its filters, its aggregation or its group, the answer is another', async () => {
  const [domain] = await findDatabases(file);
  const collection = domain && collectionsOf(domain.catalog).find(({ name }) => name === 'inn');
  if (!collection) throw new Error('no collection');
  for (const one of made.questions) {
    const { search_query, collection_name, ...operators } = argumentsOf(one);
    // A search is put into SQL by what is known of its words, which a call does not tell.
    if (search_query !== undefined) continue;
    const rows = await rowsOf(one.sql);
    for (const name of Object.keys(operators)) {
      const { [name as keyof typeof operators]: _, ...others } = operators;
      const without = toolSql({ collection_name, ...others }, collection, { search: null });
      expect(sameRows(rows, await rowsOf(without), null), `${one.question} without ${name}`).toBe(false);
    }
  }
});

test('what a collection lacks is the reason for each combination that is missing', async () => {
  const plain = join(folder, 'plain.sqlite');
  const db = new Database(plain);
  db.exec(`CREATE TABLE stock (item TEXT, pieces INTEGER);
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
    INSERT INTO stock SELECT CASE i % 4 WHEN 0 THEN 'hammer' WHEN 1 THEN 'saw' ELSE 'nail' END, (i * 7) % 60 FROM n;`);
  db.close();
  const [domain] = await findDatabases(plain);
  if (!domain) throw new Error('no database');
  const { missing } = await synthesizeCombinations(domain, oracle, {
    perCombination: 1,
    seed: '7',
    referenceTime,
  });
  const ofBooleans = missing.filter(({ combination }) => combination.startsWith('0b'));
  expect(ofBooleans).toHaveLength(8);
  for (const { reason } of ofBooleans) expect(reason).toContain('a boolean property to filter by');
});

describe('as a farm', () => {
  let kept: Coverage;

  beforeAll(async () => {
    const split = join(folder, 'split');
    const options = {
      out: split,
      questions: 0,
      perCombination: 1,
      seed: '7',
      like: 'bird',
      referenceTime,
    } as const;
    await synthesizeSplit(file, { ...options, timeoutMs: 5_000 });
    const farm = join(folder, 'farm');
    await generate(split, { out: farm, referenceTime, timeoutMs: 5_000, jobs: 2 });
    kept = coverage.parse(JSON.parse(readFileSync(join(farm, 'coverage.json'), 'utf8')));
  });

  test('every call is proven, and questions that name their call are of no other formulation', () => {
    expect(kept.verdicts.filter((one) => !one.kept)).toEqual([]);
    expect(kept.verdicts.map(({ formulation }) => formulation)).toEqual(Array(63).fill('query'));
  });
});
