import { expect, test } from 'vitest';
import { buildBundledSplit } from '../../databases/build.ts';
import { readSplit } from '../../generator/read/read-split.ts';
import { tornApart } from '../support/altered-copy.ts';
import { hasSplit, splitFolder, withSplit } from '../support/farms.ts';
import { runs } from '../support/random-input.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const folder = scratchFolder();

// Two worlds of each in a night; ROOKERY_TEST_TIMES=10 makes ten.
const SEEDS = Array.from({ length: runs(1) }, (_, i) => `seed ${i}`);

for (const name of ['bundled', 'bird-dev', 'spider-dev'] as const) {
  const title = withSplit(name, `what holds in ${name} holds in worlds of each domain`);
  test.skipIf(!hasSplit(name))(title, { timeout: 3_600_000 }, async () => {
    const split =
      name === 'bundled' ? await buildBundledSplit({ handWritten: true }) : await splitFolder(name);
    const { domains, questions } = await readSplit(split, { followLinks: true });
    const torn = domains.flatMap((domain) => {
      const own = questions.filter(({ db_id }) => db_id === domain.db);
      return tornApart(domain, own, SEEDS, folder);
    });
    expect(torn).toEqual([]);
  });
}
