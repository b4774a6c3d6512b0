import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { coverage } from '../../contracts/farm.ts';
import { DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { generate } from '../../generator/generate.ts';
import { writeUseCases } from '../write-split.ts';

test('the questions of all use cases are proven', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-use-cases-long-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [split, farm] = [join(folder, 'split'), join(folder, 'farm')];
  mkdirSync(split);
  writeUseCases(split);
  await generate(split, { out: farm, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000 });
  const { verdicts } = coverage.parse(JSON.parse(readFileSync(join(farm, 'coverage.json'), 'utf8')));
  expect(verdicts.filter(({ kept }) => !kept)).toEqual([]);
  expect(verdicts).toHaveLength(315);
});
