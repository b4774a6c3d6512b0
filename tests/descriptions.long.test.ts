import { expect, test } from 'vitest';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { SMALL_DOMAINS } from '../databases/domains.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { measureDescriptions } from './support/descriptions/measure-descriptions.ts';

test('what an endpoint says changes with each clause of its query', async () => {
  const slips = await measureDescriptions(
    await readSplit(await buildBundledSplit({ only: SMALL_DOMAINS, handWritten: true })),
    {
      referenceTime: DEFAULT_REFERENCE_TIME,
      every: 6,
      only: [],
    },
  );
  const missed = slips.filter(({ caught }) => !caught);
  expect(slips.length).toBeGreaterThan(200);
  expect(
    missed.length / slips.length,
    missed.map(({ kind, sql, changed }) => `${kind}\n${sql}\n${changed}`).join('\n\n'),
  ).toBeLessThan(0.02);
});
