import { expect, test } from 'vitest';
import { buildBundledSplit } from '../databases/build.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { sharedPhrases } from './support/shared-phrases.ts';

test('within one endpoint of the bundled split no phrase stands for two different expressions', async () => {
  const { endpoints, mended, left } = sharedPhrases(
    await readSplit(await buildBundledSplit({ handWritten: true })),
  );
  expect(endpoints).toBeGreaterThan(1_500);
  // There are such phrases until they are said again, so the ear is no deaf one.
  expect(mended).toBeGreaterThan(10);
  expect(left).toEqual([]);
});
