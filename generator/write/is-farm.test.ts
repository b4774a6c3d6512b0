import { expect, test } from 'vitest';
import { FARM_FORMAT_VERSION } from '../../contracts/farm.ts';
import { temporaryFolder, writeFiles } from '../../tests/support/split-fixture.ts';
import { isFarm } from './is-farm.ts';

test('a farm is known by its farm.json, of this format or an earlier one', () => {
  const folder = temporaryFolder();
  const says = (content: unknown) => {
    writeFiles(folder, { 'farm.json': content });
    return isFarm(folder);
  };
  expect(isFarm(folder)).toBe(false);
  expect(says({ format_version: FARM_FORMAT_VERSION, name: 'x', generator_version: '0' })).toBe(true);
  expect(says({ format_version: FARM_FORMAT_VERSION + 1, name: 'x', generator_version: '0' })).toBe(false);
  expect(says({ name: 'a place with animals' })).toBe(false);
  expect(says('{')).toBe(false);
});
