import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { farm as farmSchema } from '../../contracts/farm.ts';
import { type Sample, sample as sampleSchema } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { Split } from '../../contracts/split.ts';
import { task as taskSchema } from '../../contracts/task.ts';
import { openSmallFarm, type SmallFarm } from '../../services/testing/small-farm.ts';
import { type DomainResult, emitFarm } from './emit-farm.ts';
import type { FarmFile } from './write-folder.ts';

let small: SmallFarm;
beforeAll(async () => {
  small = await openSmallFarm();
});
afterAll(() => small.close());

const split = (): Split => ({
  name: 'toys',
  format: 'rookery',
  content_hash: 'c'.repeat(64),
  domains: [],
  questions: [],
  questions_file: 'questions.jsonl',
  unread_files: [],
  data_licence: 'unknown',
});
const result = (service: Service, samples: readonly Sample[]): DomainResult => ({
  service,
  database: `${small.folder}/small.sqlite`,
  samples,
  verdicts: samples.map(({ question_id, formulation }) => ({
    question_id,
    db: service.db,
    formulation,
    kept: true,
    rejection: null,
    flags: [],
    constructs: [],
    calls: 1,
    tools: 1,
  })),
  openapi: [{ formulation: 'rest', document: { openapi: '3.1.0' } }],
  nearLimit: [],
});
const emit = (results: readonly DomainResult[], extraFiles?: () => FarmFile[]) =>
  emitFarm(results, {
    split: split(),
    referenceTime: '2025-01-01 00:00:00',
    generatorVersion: '1.2.3',
    ...(extraFiles ? { extraFiles } : {}),
  });
const bytesOf = (file: FarmFile) => ('moveFrom' in file ? readFileSync(file.moveFrom) : file.content);

test('farm.json fits its schema and has the hash of every other file', async () => {
  const { farm, files } = await emit([result(small.service, small.samples)]);
  // A farm without records and actions says nothing of them, as before there were any.
  const domains = farm.domains.map((each) => ({
    ...each,
    samples: { ...each.samples, records: 0, actions: 0 },
  }));
  expect(farmSchema.parse(farm)).toEqual({ ...farm, domains });
  const others = files.filter(({ path }) => path !== 'farm.json');
  expect(Object.keys(farm.files)).toEqual(others.map(({ path }) => path).sort());
  for (const file of others) {
    expect(farm.files[file.path]).toBe(createHash('sha256').update(bytesOf(file)).digest('hex'));
  }
});

test('farm.json comes after the files that it lists, and before those made from it', async () => {
  const { files } = await emit([result(small.service, small.samples)], () => [{ path: '.env', content: '' }]);
  const paths = files.map(({ path }) => path);
  expect(paths.slice(-2)).toEqual(['farm.json', '.env']);
});

test('files made from farm.json are not listed in it', async () => {
  const { farm } = await emit([result(small.service, [])], () => [{ path: 'compose.yml', content: 'x' }]);
  expect(farm.files).not.toHaveProperty('compose.yml');
});

test('samples are counted by formulation, questions once', async () => {
  const { farm } = await emit([result(small.service, small.samples)]);
  const count = (kind: string) => small.samples.filter(({ formulation }) => formulation === kind).length;
  expect(farm.domains[0]).toMatchObject({
    db: small.service.db,
    questions: new Set(small.samples.map(({ question_id }) => question_id)).size,
    samples: { rest: count('rest'), slot: count('slot'), sel: count('sel') },
  });
});

test('each line of eval is a sample, and its task holds nothing of the gold', async () => {
  const { files } = await emit([result(small.service, small.samples)]);
  const linesOf = (path: string) => {
    const file = files.find((each) => each.path === path);
    return file ? String(bytesOf(file)).trimEnd().split('\n') : [];
  };
  const { db } = small.service;
  const samples = linesOf(`eval/${db}.jsonl`);
  const tasks = linesOf(`tasks/${db}.jsonl`);
  expect(samples).toHaveLength(small.samples.length);
  for (const line of samples) sampleSchema.parse(JSON.parse(line));
  for (const line of tasks) {
    const given = taskSchema.parse(JSON.parse(line));
    expect(Object.keys(given)).not.toEqual(expect.arrayContaining(['gold_answer']));
    expect(line).not.toMatch(/"(query|output|output_after_executing_api|gold_columns)":/);
  }
});

test('the same domains give the same bytes', async () => {
  const one = await emit([result(small.service, small.samples)]);
  const two = await emit([result(small.service, small.samples)]);
  expect(one.files.map(bytesOf)).toEqual(two.files.map(bytesOf));
});
