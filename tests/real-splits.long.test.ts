import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coverage } from '../contracts/farm.ts';
import { FARM_FORMULATIONS, farmOf, hasSplit, TESTED_FARMS, withSplit } from './support/farms.ts';

/** Of the questions that a formulation has a form for. */
const LEAST = { rest: 0.99, slot: 0.98, sel: 0.98, query: 0.96, hybrid: 1, records: 1, actions: 1 };
const GENERATE_MS = 15 * 60_000;

describe.each(TESTED_FARMS)('the farm of %s', (name) => {
  describe.skipIf(!hasSplit(name))(withSplit(name, 'when the split is here'), () => {
    it.each(FARM_FORMULATIONS)('keeps nearly all questions as %s', { timeout: GENERATE_MS }, async (kind) => {
      const farm = await farmOf(name);
      const { verdicts } = coverage.parse(JSON.parse(readFileSync(join(farm, 'coverage.json'), 'utf8')));
      const all = verdicts.filter((verdict) => verdict.formulation === kind);
      const rejected = all.filter(({ kept }) => !kept);
      expect(all.length).toBeGreaterThan(0);
      expect(1 - rejected.length / all.length, JSON.stringify(rejected)).toBeGreaterThanOrEqual(LEAST[kind]);
    });
  });
});
