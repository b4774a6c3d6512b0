import { expect, test } from 'vitest';
import { readSplit } from '../../generator/read/read-split.ts';
import { tornApart } from '../support/altered-copy.ts';
import { splitFolder } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { dependencies } from '../support/what-holds.ts';

const folder = scratchFolder();

test('foreign keys, uniqueness, checks and dependencies of three domains hold in their worlds', async () => {
  const { domains, questions } = await readSplit(await splitFolder('bundled'));
  expect(domains).toHaveLength(3);
  const rules = domains.flatMap(({ file, catalog }) => dependencies(file, catalog));
  expect(rules.filter(({ name }) => name.includes('→')).length).toBeGreaterThan(10);
  expect(rules.filter(({ name }) => name.includes('unique')).length).toBeGreaterThan(10);
  for (const domain of domains) {
    const own = questions.filter(({ db_id }) => db_id === domain.db);
    expect(tornApart(domain, own, ['one'], folder)).toEqual([]);
  }
});
