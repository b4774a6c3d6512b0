import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { coverage } from '../../contracts/farm.ts';
import { DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { generate } from '../generate.ts';
import { initSplit } from '../init-split.ts';
import { readSplit } from '../read/read-split.ts';
import { proveSplit } from './prove-split.ts';
import { packProofs, readProofs } from './shipped-proofs.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-prove-'));
const split = join(folder, 'split');

/** Never ends, and is not kept. */
const RUNAWAY =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n, ship';

/** Runs, since nothing is computed for ship 0. A tool that computes it for all rows fails. */
const GUARDED = 'SELECT CASE WHEN id > 0 THEN abs(id - 9223372036854775807 - 1) END FROM ship';

beforeAll(async () => {
  await initSplit(split);
  for (const name of ['harbour', 'yard']) {
    const db = new Database(join(split, `${name}.sqlite`));
    db.exec('CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT, length REAL, log BLOB)');
    const insert = db.prepare('INSERT INTO ship VALUES (?, ?, ?, ?)');
    for (let i = 0; i < 12; i++) insert.run(i, `${name} ${i}`, i * 7.5, Buffer.from([i, 255]));
    db.close();
  }
  const questions = ['harbour', 'yard'].flatMap((db_id) => [
    {
      db_id,
      question_id: `${db_id}-1`,
      question: 'Which are long?',
      sql: 'SELECT name, log FROM ship WHERE length > 40',
    },
    { db_id, question_id: `${db_id}-2`, question: 'How many are there?', sql: 'SELECT COUNT(*) FROM ship' },
  ]);
  questions.push({
    db_id: 'yard',
    question_id: 'yard-3',
    question: 'How many would there be?',
    sql: RUNAWAY,
  });
  questions.push({
    db_id: 'yard',
    question_id: 'yard-4',
    question: 'How far is each from the end?',
    sql: GUARDED,
  });
  const file = join(split, 'questions.jsonl');
  writeFileSync(
    file,
    readFileSync(file, 'utf8') + questions.map((question) => `${JSON.stringify(question)}\n`).join(''),
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function farmOf(jobs: number) {
  const out = join(folder, `farm-${jobs}`);
  const progress: string[] = [];
  const { nearLimit } = await generate(split, {
    out,
    jobs,
    verdictsPerProcess: 1,
    referenceTime: DEFAULT_REFERENCE_TIME,
    timeoutMs: 600,
    onProgress: ({ stage, done, total, label }) =>
      stage === 'prove' && progress.push(`${done}/${total} ${label}`),
  });
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return {
    nearLimit,
    progress,
    files: files.map((file) => [file.slice(out.length), readFileSync(file).toString('base64')]),
  };
}

it('gives the same farm, and tells the same, in one process and in several', async () => {
  const [one, several] = [await farmOf(1), await farmOf(3)];
  expect(several.files).toEqual(one.files);
  expect(one.nearLimit).toBe(1);
  expect(several.nearLimit).toBe(1);
  for (const step of ['runs gold SQL', 'makes the served copy', 'makes neighbours'])
    expect(
      several.progress.some((each) => each.endsWith(`: ${step}`)),
      step,
    ).toBe(true);
  const last = one.progress.at(-1)?.split(' ')[0];
  expect(several.progress.at(-1)).toContain(last);
  expect([...several.progress.map((each) => each.split(' ')[1])].sort()).toEqual(
    [...one.progress.map((each) => each.split(' ')[1])].sort(),
  );
});

it('keeps no calls of which one on the way fails', async () => {
  const out = join(folder, 'farm-guarded');
  await generate(split, { out, only: ['yard'], referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 600 });
  const { verdicts } = coverage.parse(JSON.parse(readFileSync(join(out, 'coverage.json'), 'utf8')));
  const guarded = verdicts.filter(({ question_id }) => question_id === 'yard-4');
  expect(guarded.map(({ formulation, rejection }) => [formulation, rejection?.code])).toEqual([
    ['rest', undefined],
    ['slot', 'CALL_FAILED'],
    ['sel', 'CALL_FAILED'],
  ]);
});

it('loses a domain to a bug, and keeps the others', async () => {
  const { domains, ...read } = await readSplit(split, { only: ['harbour', 'library'] });
  const scratch = mkdtempSync(join(folder, 'scratch-'));
  // Rookery would have to read its own catalog wrongly.
  const wrong = domains.map((domain) => {
    const tables = domain.catalog.tables.map((table) => ({ ...table, name: `${table.name} of nobody` }));
    return domain.db === 'harbour' ? { ...domain, catalog: { ...domain.catalog, tables } } : domain;
  });
  const prove = (onFailedDomain?: (db: string, error: unknown) => void) =>
    proveSplit(
      { ...read, domains: wrong },
      {
        referenceTime: DEFAULT_REFERENCE_TIME,
        timeoutMs: 600,
        jobs: 2,
        scratch,
        ...(onFailedDomain && { onFailedDomain }),
      },
    );
  const lost: string[] = [];
  const proven = await prove((db, error) =>
    lost.push(`${db}: ${error instanceof Error ? error.message : error}`),
  );
  expect(lost).toEqual([expect.stringMatching(/^harbour: .*no such table: ship of nobody/)]);
  const kept = proven.map(({ service, verdicts }) => [
    service.db,
    verdicts.filter((verdict) => verdict.kept).length > 0,
    new Set(verdicts.map(({ rejection }) => rejection?.code)).has('GENERATOR_BUG'),
  ]);
  expect(kept).toEqual([
    ['harbour', false, true],
    ['library', true, false],
  ]);
  expect(existsSync(proven[0]?.database ?? '')).toBe(true);
  await expect(prove()).rejects.toThrow('no such table');
});

it('ends at once, with nothing left beside the old farm, when it is interrupted', async () => {
  const interrupted = new AbortController();
  const out = join(folder, 'interrupted');
  const run = generate(split, {
    out,
    jobs: 3,
    verdictsPerProcess: 1,
    referenceTime: DEFAULT_REFERENCE_TIME,
    timeoutMs: 600_000,
    signal: interrupted.signal,
    // The runaway query would take the rest of ten minutes.
    onProgress: ({ stage, done }) => stage === 'prove' && done > 3 && interrupted.abort(),
  });
  await expect(run).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(readdirSync(folder).filter((name) => name.includes('interrupted'))).toEqual([]);
});

it('makes the same farm of proofs, unless these are of other data or damaged', async () => {
  const only = ['harbour', 'yard'];
  const usual = { only, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 600 };
  const first = join(folder, 'farm-proven');
  await generate(split, { ...usual, out: first });
  const kept: string[] = [];
  const refused: unknown[] = [];
  const out = join(folder, 'farm-again');
  await generate(split, {
    ...usual,
    out,
    known: (domain, database) => {
      const file = join(folder, `${domain.db}.br`);
      const packed = packProofs(first, domain.db, 'the rows of today');
      const read = (data: string, bytes: Buffer = packed) => {
        writeFileSync(file, bytes);
        return readProofs(file, domain, { data, database });
      };
      refused.push(read('the rows of tomorrow'), read('the rows of today', packed.subarray(20)));
      const known = read('the rows of today');
      if (known) kept.push(domain.db);
      return known;
    },
  });
  expect(refused).toEqual(Array(4).fill(undefined));
  expect(kept.sort()).toEqual(only);
  for (const path of [
    'services/harbour.json',
    'eval/yard.jsonl',
    'databases/yard.sqlite',
    'openapi/harbour.sel.json',
  ]) {
    expect(readFileSync(join(out, path)), path).toEqual(readFileSync(join(first, path)));
  }
});
