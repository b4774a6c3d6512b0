import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coverage } from '../../contracts/farm.ts';
import type { QueryArguments } from '../../contracts/query-tool.ts';
import { DEFAULT_REFERENCE_TIME, type Question } from '../../contracts/split.ts';
import { generate } from '../../generator/generate.ts';
import { openReadonly } from '../../generator/read/open-database.ts';
import { readSplit } from '../../generator/read/read-split.ts';
import { COMBINATIONS, combinationOf } from '../../generator/synthesize/tool-calls.ts';
import { collectionsOf } from '../../services/domain/query/collections.ts';
import { queryToolSpec } from '../../services/domain/query/query-tool.ts';
import { CANARY, USE_CASES } from '../domains.ts';
import { writeUseCases } from '../write-split.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-use-cases-test-'));
const split = join(folder, 'split');
let questions: readonly Question[];

beforeAll(async () => {
  mkdirSync(split);
  writeUseCases(split);
  questions = (await readSplit(split)).questions;
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the databases have the same bytes every time', () => {
  const again = join(folder, 'again');
  mkdirSync(again);
  writeUseCases(again);
  const files = readdirSync(split, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => statSync(join(split, name)).isFile())) {
    expect(readFileSync(join(again, file)).equals(readFileSync(join(split, file))), file).toBe(true);
  }
});

test('each use case has three collections of two hundred to two thousand items', async () => {
  const { domains } = await readSplit(split);
  expect(domains.map(({ db }) => db).sort()).toEqual([...USE_CASES].sort());
  for (const { catalog } of domains) {
    expect(catalog.tables).toHaveLength(3);
    for (const { rows, columns } of catalog.tables) {
      expect(rows).toBeGreaterThan(200);
      expect(rows).toBeLessThan(2000);
      expect(columns).toHaveLength(6);
    }
  }
});

test('each tool description lists its collections, within every provider’s limits', async () => {
  for (const { catalog } of (await readSplit(split)).domains) {
    const names = catalog.tables.map(({ name }) => name);
    const { description } = queryToolSpec(collectionsOf(catalog, names));
    expect(description.length).toBeLessThanOrEqual(1024);
    for (const name of names) expect(description).toContain(`Collection Name: ${name}\nProperties:`);
  }
});

test('search terms do not occur in the texts, so words alone never answer a search', async () => {
  for (const { db, catalog, file } of (await readSplit(split)).domains) {
    const connection = openReadonly(file);
    for (const { name, columns } of catalog.tables) {
      const facets = columns.flatMap((column) => column.facets ?? []);
      expect(facets).toHaveLength(14);
      const texts = connection.prepare(`SELECT * FROM "${name}"`).raw().all().flat().join(' ').toLowerCase();
      const words = new Set(texts.match(/[a-z]+/g));
      for (const term of facets.flatMap(({ terms }) => terms)) {
        for (const form of [term, `${term}s`, term.replace(/s$/, '')]) {
          expect(words, `${db} ${name}`).not.toContain(form);
        }
      }
    }
    connection.close();
  }
});

test('each has a question for every combination: 40 simple, 110 moderate and 165 complex', () => {
  for (const db of USE_CASES) {
    const own = questions.filter((question) => question.db_id === db);
    const codes = own.map((one) => combinationOf(one.query_arguments as unknown as QueryArguments).code);
    expect(codes).toEqual(COMBINATIONS.map(({ code }) => code));
  }
  const count = (difficulty: string) => questions.filter((one) => one.difficulty === difficulty).length;
  expect([count('simple'), count('moderate'), count('complex')]).toEqual([40, 110, 165]);
});

test('every collection is asked about, no question twice, and each has the canary', () => {
  const asked = new Set(questions.map((one) => one.query_arguments?.collection_name));
  expect(asked.size).toBe(15);
  expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length);
  expect(questions.every(({ canary }) => canary === CANARY)).toBe(true);
});

// The others: use-cases.long.test.ts.
test('the questions of one are all proven', async () => {
  const farm = join(folder, 'farm');
  const options = { referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000, jobs: 2 };
  await generate(split, { out: farm, only: ['visual_arts'], ...options });
  const { verdicts } = coverage.parse(JSON.parse(readFileSync(join(farm, 'coverage.json'), 'utf8')));
  expect(verdicts.filter(({ kept }) => !kept)).toEqual([]);
  expect(verdicts).toHaveLength(63);
});
