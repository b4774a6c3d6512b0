import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { farmOfDomains, provenFarmOf } from './support/farms.ts';

it('the proofs that ship are those that proving gives', async () => {
  const [shipped, proven] = await Promise.all([
    farmOfDomains('river_freight'),
    provenFarmOf('river_freight'),
  ]);
  const hashesOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'farm.json'), 'utf8')).files;
  expect(Object.keys(hashesOf(shipped)).length).toBeGreaterThan(5);
  expect(hashesOf(shipped)).toEqual(hashesOf(proven));
});
