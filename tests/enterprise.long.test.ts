import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { coverage } from '../contracts/farm.ts';
import { service } from '../contracts/service.ts';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { generate } from '../generator/generate.ts';
import { estimateTokens, toolsetFor } from '../services/domain/tools/toolset-for.ts';
import { buildEnterpriseSplit } from './support/enterprise/build-enterprise-split.ts';
import { scratchFolder } from './support/split-fixture.ts';

const folder = scratchFolder();
const farm = join(folder, 'farm');
const read = (path: string): unknown => JSON.parse(readFileSync(join(farm, path), 'utf8'));

beforeAll(async () => {
  buildEnterpriseSplit(join(folder, 'split'));
  await generate(join(folder, 'split'), {
    out: farm,
    name: 'enterprise',
    referenceTime: DEFAULT_REFERENCE_TIME,
    timeoutMs: 30_000,
  });
});

test('every question to an ERP and to machines is kept in every formulation', () => {
  const { verdicts } = coverage.parse(read('coverage.json'));
  const lost = verdicts.filter(({ kept }) => !kept);
  expect(
    lost.map(({ question_id, formulation, rejection }) => [question_id, formulation, rejection]),
  ).toEqual([]);
  expect(verdicts.length).toBeGreaterThan(100);
});

test.each([
  ['slot', 8_200],
  ['sel', 40_000],
] as const)('a list of %s has at most %i tokens, whatever it begins from', (formulation, most) => {
  for (const db of ['trade', 'machines']) {
    const domain = service.parse(read(`services/${db}.json`));
    for (const start of domain.start_tables) {
      const tokens = estimateTokens(JSON.stringify(toolsetFor(domain, formulation, [start])));
      expect(tokens, start.handle).toBeLessThanOrEqual(most);
    }
  }
});

test('names of columns spell umlauts out', () => {
  const texts = readFileSync(join(farm, 'eval', 'trade.jsonl'), 'utf8');
  expect(texts).toContain('"MATST_LAENGE_MM"');
  expect(texts).toContain('laenge');
});
