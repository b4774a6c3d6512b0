import { describe, expect, test } from 'vitest';
import { buildBundledSplit } from '../databases/build.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { hasPublished, publishedSplit, withPublished } from './support/published-splits.ts';
import { sharedPhrases } from './support/shared-phrases.ts';

describe('within one endpoint no phrase stands for two different expressions', () => {
  test('of the bundled split, questions that were drawn included', async () => {
    const { left } = sharedPhrases(await readSplit(await buildBundledSplit()));
    expect(left).toEqual([]);
  }, 300_000);

  describe.each(['bird-dev', 'spider-dev'] as const)('%s', (name) => {
    test.skipIf(!hasPublished(name))(
      withPublished(name, 'of every endpoint'),
      async () => {
        const { endpoints, left } = sharedPhrases(await readSplit(publishedSplit(name)));
        expect(endpoints).toBeGreaterThan(400);
        expect(left).toEqual([]);
      },
      300_000,
    );
  });
});
